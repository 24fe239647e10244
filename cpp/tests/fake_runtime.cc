// A runtime with a planner class of its own, reached as released runtimes reach theirs: the constructor through the PLT, the
// rest through the vtable. FAKE_RUNTIME_OLDER gives it the symbols of the generations before 2.14, otherwise those of 2.14.
#include <new>

#include "test_graph.h"

// Memory that only this operator delete can give back.
static int objects_alive = 0;
void* operator new(size_t size) {
  ++objects_alive;
  return static_cast<char*>(malloc(size + 64)) + 64;
}
void operator delete(void* object) noexcept {
  if (object == nullptr) return;
  --objects_alive;
  free(static_cast<char*>(object) - 64);
}

static bool own_planner_made = false;

namespace tflite {

ArenaPlanner::ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool, int, int)
    : context_(context), adapter_(nullptr) {
  own_planner_made = true;
  graph_info.reset();
}
ArenaPlanner::~ArenaPlanner() = default;
TfLiteStatus ArenaPlanner::PlanAllocations() { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ExecuteAllocations(int, int) { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ResetAllocations() { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ResetAllocationsAfter(int) { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ReleaseNonPersistentMemory() { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::AcquireNonPersistentMemory() { return kTfLiteOk; }
bool ArenaPlanner::HasNonPersistentMemory() { return false; }
void ArenaPlanner::DumpDebugInfo(const std::vector<int>&) const {}
void ArenaPlanner::GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const {
  *arena_size = 77777;
  *arena_persist_size = 0;
}

}  // namespace tflite

extern "C" {

// Symbols that tell the generation; nothing calls them.
void commit_with_context() __asm__("_ZN6tflite17SimpleMemoryArena6CommitEP13TfLiteContextPb");
void commit_with_context() {}
#ifndef FAKE_RUNTIME_OLDER
void identify_in_place_tensors() __asm__("_ZN6tflite12ArenaPlanner22IdentifyInPlaceTensorsEv");
void identify_in_place_tensors() {}
#endif

// Plans the chain, prints whose planner did, and checks that all is given back.
void fake_runtime_run() {
  {
    test::Context context;
    std::unique_ptr<tflite::MemoryPlanner> planner(
        new tflite::ArenaPlanner(context.get(), test::Chain(), false, 64, 0));
    CHECK(planner->PlanAllocations() == kTfLiteOk);
    CHECK(planner->ExecuteAllocations(0, 1) == kTfLiteOk);
    size_t arena = 0, persistent = 0;
    planner->GetAllocInfo(&arena, &persistent);
    printf("%s planner, arena of %zu bytes\n", own_planner_made ? "own" : "other", arena);
  }
  CHECK(objects_alive == 0);
}

}  // extern "C"
