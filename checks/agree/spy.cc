// Stands between a stock runtime and the planner that it gets: hands each construction on, and remembers the planner, so that a
// program can ask it for the sizes that the runtime would be told.
#include <dlfcn.h>
#include <stdlib.h>

#include "tflite_abi.h"

namespace {

constexpr char kConstructor[] =
#include "constructor.inc"
    ;

using Constructor = void (*)(void*, void*, void*, bool, int, int);

const tflite::MemoryPlanner* last_planner = nullptr;

}  // namespace

extern "C" {

// The unique_ptr comes by reference, as the C++ ABI passes what has a destructor.
__attribute__((visibility("default"))) void Construct(void* self, void* context, void* graph_info, bool preserve_all,
                                                      int alignment, int subgraph) __asm__(
#include "constructor.inc"
);

void Construct(void* self, void* context, void* graph_info, bool preserve_all, int alignment, int subgraph) {
  const auto next = reinterpret_cast<Constructor>(dlsym(RTLD_NEXT, kConstructor));
  if (next == nullptr) abort();
  next(self, context, graph_info, preserve_all, alignment, subgraph);
  last_planner = static_cast<const tflite::MemoryPlanner*>(self);
}

// What GetAllocInfo of the planner that was made last says. False: none was.
__attribute__((visibility("default"))) bool spy_alloc_info(size_t* arena, size_t* persistent) {
  if (last_planner == nullptr) return false;
  last_planner->GetAllocInfo(arena, persistent);
  return true;
}

}  // extern "C"
