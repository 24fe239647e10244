// tflite::SimpleMemoryArena and what belongs to it, ours under upstream's names and with the methods of all its generations.
// Included by simple_memory_arena.h of either path prefix, behind the runtime's own C types.
#ifndef TFLITE_ARENA_OVERLAY_SIMPLE_MEMORY_ARENA_H_
#define TFLITE_ARENA_OVERLAY_SIMPLE_MEMORY_ARENA_H_

#include <stddef.h>
#include <stdint.h>

#include <string>
#include <vector>

struct TfLiteAllocator;  // in the runtime's headers from LiteRT 2.2
struct TfliteArenaResizableAlignedBuffer;
struct TfliteArenaSimpleMemoryArena;

namespace tflite {

// Bytes of an arena that belong to nobody else until they are deallocated. Up to 2.1.
struct ArenaAlloc {
  ArenaAlloc() : offset(0), size(0) {}

  size_t offset;
  size_t size;

  bool operator<(const ArenaAlloc& other) const { return offset < other.offset; }
};

// Bytes of an arena that a tensor needs from one node to another. From 2.2.
struct ArenaAllocWithUsageInterval {
  ArenaAllocWithUsageInterval() { reset(); }

  size_t offset;
  size_t size;
  int32_t tensor;
  int32_t first_node;
  int32_t last_node;

  void reset() {
    offset = 0;
    size = 0;
    tensor = -1;
    first_node = -1;
    last_node = -1;
  }

  bool operator<(const ArenaAllocWithUsageInterval& other) const { return offset < other.offset; }
};

// An aligned block that keeps its bytes when it grows, and never shrinks.
class ResizableAlignedBuffer {
 public:
  // `alignment` is a power of two: with any other every Resize fails. `allocator` is null for malloc, else it must outlive the
  // buffer.
  ResizableAlignedBuffer(size_t alignment, int subgraph_index, TfLiteAllocator* allocator = nullptr);
  ~ResizableAlignedBuffer();
  ResizableAlignedBuffer(const ResizableAlignedBuffer&) = delete;
  ResizableAlignedBuffer& operator=(const ResizableAlignedBuffer&) = delete;

  // Says whether the block has moved. Where it fails, it has not, and is as it was.
  TfLiteStatus Resize(size_t new_size, bool* buffer_reallocated);
  bool Resize(size_t new_size);
  void Release();

  char* GetPtr() const;
  size_t GetSize() const;
  size_t GetAlignment() const { return alignment_; }

 private:
  TfliteArenaResizableAlignedBuffer* buffer_;  // null: there was no memory for it, or the alignment is none
  const size_t alignment_;
  const int subgraph_index_;
};

// Places allocations in one buffer: where, before there is a buffer. Committing makes the buffer, resolving gives addresses.
//
// An arena is used through one of two families of methods, not both: those with a usage interval, or those without. Where a method
// takes a context, the reason of a failure is reported to it.
class SimpleMemoryArena {
 public:
  // As ResizableAlignedBuffer's.
  explicit SimpleMemoryArena(size_t arena_alignment, int subgraph_index = 0, TfLiteAllocator* allocator = nullptr);
  ~SimpleMemoryArena();
  SimpleMemoryArena(const SimpleMemoryArena&) = delete;
  SimpleMemoryArena& operator=(const SimpleMemoryArena&) = delete;

  // With usage intervals: the best-fitting gap among the active allocations whose interval intersects.
  TfLiteStatus Allocate(TfLiteContext* context, size_t alignment, size_t size, int32_t tensor, int32_t first_node,
                        int32_t last_node, ArenaAllocWithUsageInterval* new_alloc);
  // Makes all allocations of the same tensor inactive. That there is none is no error.
  TfLiteStatus Deallocate(TfLiteContext* context, const ArenaAllocWithUsageInterval& alloc);
  TfLiteStatus ResolveAlloc(TfLiteContext* context, const ArenaAllocWithUsageInterval& alloc, char** output_ptr);

  // Without: the best-fitting gap among what is allocated at this moment.
  TfLiteStatus Allocate(TfLiteContext* context, size_t alignment, size_t size, ArenaAlloc* new_alloc);
  TfLiteStatus Deallocate(TfLiteContext* context, const ArenaAlloc& alloc);
  TfLiteStatus ResolveAlloc(TfLiteContext* context, const ArenaAlloc& alloc, char** output_ptr);

  // Which allocations are active: none; all but those that end before the node; all but those that begin after it; those
  // of the given ones that are alive at it.
  void ResetAllocs();
  void PurgeActiveAllocs(int32_t node);
  void PurgeAfter(int32_t node);
  void CalculateActiveAllocs(const std::vector<ArenaAllocWithUsageInterval>& allocs, int32_t node);

  // Makes the buffer hold all that was allocated, and keeps what it holds. Says whether its address has changed.
  TfLiteStatus Commit(bool* arena_reallocated);
  TfLiteStatus Commit(TfLiteContext* context, bool* arena_reallocated);
  TfLiteStatus Commit(TfLiteContext* context);

  // Forgets the allocations and keeps the buffer. Clear was its name up to 2.0.
  TfLiteStatus ClearPlan();
  TfLiteStatus Clear() { return ClearPlan(); }
  // Frees the buffer and keeps the allocations, for a later commit.
  TfLiteStatus ReleaseBuffer();

  // In the generations that took more than they needed, the larger size.
  size_t GetBufferSize() const;
  size_t RequiredBufferSize() const;
  intptr_t BasePointer() const;

  // Through tflite::DumpArenaInfo where the program defines it, else to standard output.
  void DumpDebugInfo(const std::string& name, const std::vector<int>& execution_plan) const;

 private:
  // Ok, or an error that is reported.
  TfLiteStatus Finish(TfLiteContext* context, int32_t status) const;

  TfliteArenaSimpleMemoryArena* arena_;  // null: there was no memory for it, or the alignment is none
  const size_t alignment_;
  const int subgraph_index_;
  bool has_buffer_;  // committed, and not released since
};

}  // namespace tflite

#endif  // TFLITE_ARENA_OVERLAY_SIMPLE_MEMORY_ARENA_H_
