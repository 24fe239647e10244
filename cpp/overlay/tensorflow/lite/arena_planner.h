// In the place of upstream's header of this name, whose include guard it takes as well.
#ifndef TFLITE_ARENA_OVERLAY_TENSORFLOW_LITE_ARENA_PLANNER_H_
#define TFLITE_ARENA_OVERLAY_TENSORFLOW_LITE_ARENA_PLANNER_H_

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

#include "tensorflow/lite/graph_info.h"
#include "tensorflow/lite/memory_planner.h"
#include "tensorflow/lite/simple_memory_arena.h"
#if __has_include("tensorflow/lite/core/c/common.h")  // as upstream's does from about then on
#include "tensorflow/lite/util.h"
#endif

#include "tflite_arena/arena_planner.h"

#endif  // TFLITE_ARENA_OVERLAY_TENSORFLOW_LITE_ARENA_PLANNER_H_
