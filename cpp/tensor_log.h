// What the log says of tensors: a line for each whose place is new or another.
#ifndef TFLITE_ARENA_CPP_TENSOR_LOG_H_
#define TFLITE_ARENA_CPP_TENSOR_LOG_H_

#include "array.h"
#include "runtime.h"
#include "tflite_arena.h"

namespace tflite_arena {

// How the log calls an arena.
const char* NameOfArena(int32_t arena);

// Remembers what it has told of one planner.
class TensorLog {
 public:
  // All places were given up.
  void Forget() { told_.Clear(); }
  // To be called after an execution. An error, other than that the library cannot show tensors, is reported on stderr.
  void Tell(const char* log, int planner_id, int subgraph, const TfliteArenaPlanner& planner,
            tflite::GraphInfo* graph_info);

 private:
  Array<TfliteArenaTensorRecord> told_;  // by tensor
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_TENSOR_LOG_H_
