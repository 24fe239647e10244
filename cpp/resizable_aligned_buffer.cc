// tflite::ResizableAlignedBuffer over the C ABI.
#include "generations.h"
#include "profiler.h"
#include "runtime.h"
#include "tflite_arena.h"

namespace tflite {

ResizableAlignedBuffer::ResizableAlignedBuffer(size_t alignment, int subgraph_index, TfLiteAllocator* allocator)
    : buffer_(nullptr), alignment_(alignment), subgraph_index_(subgraph_index) {
  TfliteArenaAllocator room;
  // Where it fails the handle stays null, and the C functions refuse that.
  static_cast<void>(tflite_resizable_aligned_buffer_create(
      alignment, subgraph_index, tflite_arena::AllocatorOf(allocator, &room), &buffer_));
}

ResizableAlignedBuffer::~ResizableAlignedBuffer() {
  Release();
  tflite_resizable_aligned_buffer_destroy(buffer_);
}

TfLiteStatus ResizableAlignedBuffer::Resize(size_t new_size, bool* buffer_reallocated) {
  if (buffer_reallocated == nullptr) return kTfLiteError;
  *buffer_reallocated = false;
  const size_t old_size = GetSize();
  if (tflite_resizable_aligned_buffer_resize(buffer_, new_size, buffer_reallocated) != TFLITE_ARENA_STATUS_OK) {
    return kTfLiteError;
  }
  tflite_arena::TellProfiler(subgraph_index_, this, old_size, GetSize());
  return kTfLiteOk;
}

bool ResizableAlignedBuffer::Resize(size_t new_size) {
  bool reallocated;
  return Resize(new_size, &reallocated) == kTfLiteOk && reallocated;
}

void ResizableAlignedBuffer::Release() {
  tflite_arena::TellProfiler(subgraph_index_, this, GetSize(), 0);
  tflite_resizable_aligned_buffer_release(buffer_);
}

char* ResizableAlignedBuffer::GetPtr() const {
  void* ptr = nullptr;
  tflite_resizable_aligned_buffer_get_ptr(buffer_, &ptr);
  return static_cast<char*>(ptr);
}

size_t ResizableAlignedBuffer::GetSize() const {
  size_t size = 0;
  tflite_resizable_aligned_buffer_get_size(buffer_, &size);
  return size;
}

}  // namespace tflite
