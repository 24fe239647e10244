// What differs between an adapter that was linked into the runtime and one that was preloaded into it.
#ifndef TFLITE_ARENA_CPP_HOST_H_
#define TFLITE_ARENA_CPP_HOST_H_

#include "runtime.h"
#include "tflite_arena.h"

namespace tflite_arena {

// The arguments of a call of tflite::ArenaPlanner's constructor, and where it came from.
struct Construction {
  void* self;
  const void* caller;  // an address in the code that called
  TfLiteContext* context;
  std::unique_ptr<tflite::GraphInfo>* graph_info;
  bool preserve_inputs;
  bool preserve_all_tensors;
  int tensor_alignment;
  int subgraph_index;
  TfLiteAllocator* allocator;
};

// The functions below are defined once for each host: host_linked.cc, preload.cc.

// Called first for each new planner. A host that ours cannot serve makes `self` an object of its own and says true.
bool HostConstructs(const Construction& construction);

// Shows the planner's arenas, of these sizes, to a dumper that the program brings along. False: it brings none.
bool HostDumps(const TfliteArenaPlanner* planner, const std::vector<int>& execution_plan, size_t arena_size,
               size_t arena_persist_size);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_HOST_H_
