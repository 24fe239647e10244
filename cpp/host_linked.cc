// Linked in: whoever links the adapter has chosen it, so it serves every planner.
#include "arena_dumper.h"
#include "host.h"

namespace tflite_arena {
namespace {

// Every tensor that has a place in this arena, aliases too.
std::vector<tflite::ArenaAllocWithUsageInterval> AllocsOf(const TfliteArenaPlanner* planner, int32_t arena) {
  std::vector<tflite::ArenaAllocWithUsageInterval> allocs;
  TfliteArenaTensorPlan plan;
  for (int32_t tensor = 0;
       tflite_arena_planner_get_tensor_plan(planner, tensor, &plan) == TFLITE_ARENA_STATUS_OK; ++tensor) {
    if (plan.arena != arena) continue;
    tflite::ArenaAllocWithUsageInterval alloc;
    alloc.offset = plan.offset;
    alloc.size = plan.size;
    alloc.tensor = tensor;
    alloc.first_node = plan.first_node;
    alloc.last_node = plan.last_node;
    allocs.push_back(alloc);
  }
  return allocs;
}

}  // namespace

bool HostConstructs(const Construction&) { return false; }

bool HostDumps(const TfliteArenaPlanner* planner, const std::vector<int>& execution_plan, size_t arena_size,
               size_t arena_persist_size) {
  if (tflite::DumpArenaInfo == nullptr) return false;
  tflite::DumpArenaInfo("kTfLiteArenaRw Dump:", execution_plan, arena_size,
                        AllocsOf(planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW));
  tflite::DumpArenaInfo("kTfLiteArenaRwPersistent Dump:", execution_plan, arena_persist_size,
                        AllocsOf(planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT));
  return true;
}

}  // namespace tflite_arena
