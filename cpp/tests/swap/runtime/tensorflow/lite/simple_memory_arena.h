// In the place of upstream's: an arena that places everything at 77777.
#ifndef TENSORFLOW_LITE_SIMPLE_MEMORY_ARENA_H_
#define TENSORFLOW_LITE_SIMPLE_MEMORY_ARENA_H_

#include <string>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace tflite {

struct ArenaAllocWithUsageInterval {
  size_t offset;
  size_t size;
  int32_t tensor;
  int32_t first_node;
  int32_t last_node;
};

class SimpleMemoryArena {
 public:
  explicit SimpleMemoryArena(size_t arena_alignment);
  TfLiteStatus Allocate(TfLiteContext* context, size_t alignment, size_t size, int32_t tensor, int32_t first_node,
                        int32_t last_node, ArenaAllocWithUsageInterval* new_alloc);
  size_t GetBufferSize() const;

 private:
  size_t UpstreamsOwn() const;

  size_t alignment_;
};

}  // namespace tflite

#endif  // TENSORFLOW_LITE_SIMPLE_MEMORY_ARENA_H_
