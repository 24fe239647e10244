// What differs between an adapter that was linked into the runtime and one that was preloaded into it.
#ifndef TFLITE_ARENA_CPP_HOST_H_
#define TFLITE_ARENA_CPP_HOST_H_

#include "tflite_abi.h"

namespace tflite_arena {

// The arguments of a call of tflite::ArenaPlanner's constructor, and where it came from.
struct Construction {
  void* self;
  const void* caller;  // an address in the code that called
  TfLiteContext* context;
  std::unique_ptr<tflite::GraphInfo>* graph_info;
  bool preserve_all_tensors;
  int tensor_alignment;
  int subgraph_index;
};

// Called first for each new planner. A host that ours cannot serve makes `self` an object of its own and says true.
// Defined once for each host: host_linked.cc, preload.cc.
bool HostConstructs(const Construction& construction);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_HOST_H_
