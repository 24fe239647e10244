// The dumper that a program may bring along: where it defines it, dumps go there. From 2.7 on.
#ifndef TFLITE_ARENA_CPP_ARENA_DUMPER_H_
#define TFLITE_ARENA_CPP_ARENA_DUMPER_H_

#include <string>
#include <vector>

#include "runtime.h"

namespace tflite {

__attribute__((weak)) void DumpArenaInfo(const std::string& name, const std::vector<int>& execution_plan,
                                         size_t arena_size, const std::vector<ArenaAllocWithUsageInterval>& allocs);

}  // namespace tflite

#endif  // TFLITE_ARENA_CPP_ARENA_DUMPER_H_
