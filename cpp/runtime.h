// The types of the runtime that is served, with our classes among them.
//
// Where the runtime's headers are at hand (linked in) they are taken as they are, of whatever generation. Where they are not
// (preloaded) TFLITE_ARENA_NO_RUNTIME_HEADERS is defined, and tflite_abi.h stands in for them.
#ifndef TFLITE_ARENA_CPP_RUNTIME_H_
#define TFLITE_ARENA_CPP_RUNTIME_H_

#ifdef TFLITE_ARENA_NO_RUNTIME_HEADERS
#include "tflite_abi.h"
#include "tflite_arena/arena_planner.h"
#include "tflite_arena/simple_memory_arena.h"
#elif __has_include("tflite/memory_planner.h")
#include "tflite/arena_planner.h"
#else
#include "tensorflow/lite/arena_planner.h"
#endif

// Only source trees up to 2.17 have it, and only what 2.15 and 2.16 do otherwise is told by it. A build may say it, too.
#if !defined(TFLITE_ARENA_NO_RUNTIME_HEADERS) && !defined(TF_MAJOR_VERSION) && \
    __has_include("tensorflow/core/public/version.h")
#include "tensorflow/core/public/version.h"
#endif

#endif  // TFLITE_ARENA_CPP_RUNTIME_H_
