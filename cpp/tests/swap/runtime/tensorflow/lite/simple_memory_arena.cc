#include "tensorflow/lite/simple_memory_arena.h"

namespace tflite {

SimpleMemoryArena::SimpleMemoryArena(size_t arena_alignment) : alignment_(arena_alignment) {}
TfLiteStatus SimpleMemoryArena::Allocate(TfLiteContext*, size_t, size_t size, int32_t tensor, int32_t first_node,
                                         int32_t last_node, ArenaAllocWithUsageInterval* new_alloc) {
  *new_alloc = {UpstreamsOwn(), size, tensor, first_node, last_node};
  return kTfLiteOk;
}
size_t SimpleMemoryArena::GetBufferSize() const { return UpstreamsOwn(); }
size_t SimpleMemoryArena::UpstreamsOwn() const { return alignment_ == 0 ? 0 : 77777; }

}  // namespace tflite
