// In the place of upstream's header of this name, whose include guard it takes as well.
#ifndef TFLITE_ARENA_OVERLAY_TFLITE_SIMPLE_MEMORY_ARENA_H_
#define TFLITE_ARENA_OVERLAY_TFLITE_SIMPLE_MEMORY_ARENA_H_

#if !defined(TENSORFLOW_LITE_SIMPLE_MEMORY_ARENA_H_)
#define TENSORFLOW_LITE_SIMPLE_MEMORY_ARENA_H_
#elif !defined(TFLITE_ARENA_OVERLAY_SIMPLE_MEMORY_ARENA_H_)
#error "upstream's simple_memory_arena.h came first: this directory belongs before the runtime's on the include path"
#endif

// What upstream's header brings along, in one generation or another.
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#if __has_include("tflite/core/c/common.h")
#include "tflite/core/c/common.h"
#elif __has_include("tflite/c/common.h")
#include "tflite/c/common.h"
#else
#include "tflite/c/c_api_internal.h"
#endif

#include "tflite_arena/simple_memory_arena.h"

#endif  // TFLITE_ARENA_OVERLAY_TFLITE_SIMPLE_MEMORY_ARENA_H_
