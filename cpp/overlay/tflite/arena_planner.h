// In the place of upstream's header of this name, whose include guard it takes as well.
#ifndef TFLITE_ARENA_OVERLAY_TFLITE_ARENA_PLANNER_H_
#define TFLITE_ARENA_OVERLAY_TFLITE_ARENA_PLANNER_H_

#if !defined(TENSORFLOW_LITE_ARENA_PLANNER_H_)
#define TENSORFLOW_LITE_ARENA_PLANNER_H_
#elif !defined(TFLITE_ARENA_OVERLAY_ARENA_PLANNER_H_)
#error "upstream's arena_planner.h came first: this directory belongs before the runtime's on the include path"
#endif

// What upstream's header brings along, in one generation or another.
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tflite/graph_info.h"
#include "tflite/memory_planner.h"
#include "tflite/simple_memory_arena.h"
#include "tflite/util.h"

#include "tflite_arena/arena_planner.h"

#endif  // TFLITE_ARENA_OVERLAY_TFLITE_ARENA_PLANNER_H_
