// What uses the planner in a runtime.
#include "tensorflow/lite/interpreter.h"

#include <stdio.h>

#include "tensorflow/lite/arena_planner.h"
#include "test_graph.h"

namespace tflite {

void RunChain() {
  test::Context context;
  std::unique_ptr<MemoryPlanner> planner(new ArenaPlanner(context.get(), test::Chain(), false, 64, 0));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  size_t size = 0, persistent = 0;
  planner->GetAllocInfo(&size, &persistent);
  printf("an arena of %zu bytes\n", size);
  planner->DumpDebugInfo({0, 1});

  SimpleMemoryArena arena(64);
  ArenaAllocWithUsageInterval alloc;
  for (int32_t tensor = 0; tensor < 2; ++tensor) {
    CHECK(arena.Allocate(context.get(), 64, 100, tensor, 0, 1, &alloc) == kTfLiteOk);
  }
  printf("the second allocation at %zu\n", alloc.offset);
}

size_t SizeOfPlanner() { return sizeof(ArenaPlanner); }

}  // namespace tflite

// Were this compiled as one with other files, as in a unity build, none of ours would survive it.
#define Adapter "nothing"
