#pragma once
#include <stddef.h>
namespace tflite {
__attribute__((weak)) void OnTfLiteArenaAlloc(int subgraph_index, int arena_id, size_t num_bytes);
__attribute__((weak)) void OnTfLiteArenaDealloc(int subgraph_index, int arena_id, size_t num_bytes);
}  // namespace tflite
