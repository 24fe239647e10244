// The runtime's profiler, which hears of buffers where the runtime was built with TF_LITE_TENSORFLOW_PROFILER.
#ifndef TFLITE_ARENA_CPP_PROFILER_H_
#define TFLITE_ARENA_CPP_PROFILER_H_

#include <stddef.h>
#include <stdint.h>

#ifdef TF_LITE_TENSORFLOW_PROFILER
#if __has_include("tflite/tensorflow_profiler_logger.h")
#include "tflite/tensorflow_profiler_logger.h"
#else
#include "tensorflow/lite/tensorflow_profiler_logger.h"
#endif
#endif

namespace tflite_arena {

#ifdef TF_LITE_TENSORFLOW_PROFILER
constexpr bool kHasProfiler = true;

// The runtime's header may declare the hooks weak, and then nobody need define them.
inline void CallHook(void (*hook)(int subgraph_index, int arena_id, size_t num_bytes), int subgraph_index,
                     const void* arena, size_t num_bytes) {
  if (num_bytes == 0 || hook == nullptr) return;
  hook(subgraph_index, static_cast<int>(reinterpret_cast<uintptr_t>(arena)), num_bytes);
}

// A buffer of `arena`, which is any address that tells it from others, went from one size to another; 0 is none.
inline void TellProfiler(int subgraph_index, const void* arena, size_t before, size_t after) {
  if (before == after) return;
  CallHook(tflite::OnTfLiteArenaAlloc, subgraph_index, arena, after);
  CallHook(tflite::OnTfLiteArenaDealloc, subgraph_index, arena, before);
}
#else
constexpr bool kHasProfiler = false;

inline void TellProfiler(int, const void*, size_t, size_t) {}
#endif

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_PROFILER_H_
