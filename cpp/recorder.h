// Records a planned graph, so that it can be planned again without the model and the runtime.
#ifndef TFLITE_ARENA_CPP_RECORDER_H_
#define TFLITE_ARENA_CPP_RECORDER_H_

#include "runtime.h"

namespace tflite_arena {

// Writes DIRECTORY/tflite-arena-<pid>-<planner>.json anew. "type" is the allocation type; "arena" and "persistent" are the
// bytes that the plan needs. A failure is reported on stderr.
void WriteRecording(const char* directory, int planner, int subgraph, tflite::GraphInfo* graph_info, size_t arena,
                    size_t persistent);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_RECORDER_H_
