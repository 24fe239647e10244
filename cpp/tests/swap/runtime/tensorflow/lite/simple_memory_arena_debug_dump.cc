// The dumper that upstream's arena calls through a weak symbol, and so must ours.
#include <stdio.h>

#include "tensorflow/lite/simple_memory_arena.h"

namespace tflite {

void DumpArenaInfo(const std::string& name, const std::vector<int>& execution_plan, size_t arena_size,
                   const std::vector<ArenaAllocWithUsageInterval>& allocs) {
  printf("dumper: %s %zu nodes, %zu bytes, %zu allocs\n", name.c_str(), execution_plan.size(), arena_size,
         allocs.size());
}

}  // namespace tflite
