#include "tensorflow/lite/arena_planner.h"

#include <stdio.h>

#include <utility>

namespace tflite {

ArenaPlanner::ArenaPlanner(TfLiteContext*, std::unique_ptr<GraphInfo> graph_info, bool, int tensor_alignment, int)
    : graph_info_(std::move(graph_info)), arena_(static_cast<size_t>(tensor_alignment)) {}
ArenaPlanner::~ArenaPlanner() {}
TfLiteStatus ArenaPlanner::PlanAllocations() {
  UpstreamsOwn();
  return kTfLiteOk;
}
TfLiteStatus ArenaPlanner::ExecuteAllocations(int, int) { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ResetAllocations() { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ResetAllocationsAfter(int) { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::ReleaseNonPersistentMemory() { return kTfLiteOk; }
TfLiteStatus ArenaPlanner::AcquireNonPersistentMemory() { return kTfLiteOk; }
bool ArenaPlanner::HasNonPersistentMemory() { return false; }
void ArenaPlanner::DumpDebugInfo(const std::vector<int>&) const {}
void ArenaPlanner::GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const {
  *arena_size = arena_.GetBufferSize();
  *arena_persist_size = 0;
}
void ArenaPlanner::UpstreamsOwn() { printf("upstream's planner\n"); }

}  // namespace tflite
