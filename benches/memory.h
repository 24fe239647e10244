// Two kinds of memory, kept apart: what planning itself needs, which is counted, and the arenas that are planned, which are
// not and which cost no time.
#pragma once

#include <cstddef>

namespace bench {

// Counts from construction to destruction what the heap has handed out, as it rounds sizes, without its own headers.
class HeapWatch {
 public:
  HeapWatch();
  ~HeapWatch();
  HeapWatch(const HeapWatch&) = delete;
  HeapWatch& operator=(const HeapWatch&) = delete;

  // The most that was handed out at any time. While a block moves to grow, both places count.
  size_t Peak() const;
};

// Addresses for an arena, from one reservation made at the start. Nobody writes to an arena in the bench, so no page of it
// is ever committed, whatever its size; only growth copies what the smaller one held. Upstream gets its arenas here by way
// of operator new[], which nothing else in it uses; ours by the allocator that it is given.
void* ReserveArena(size_t bytes, size_t alignment);
void ReturnArena(void* memory);

}  // namespace bench
