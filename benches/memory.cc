#include "memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

bool watching = false;
// Signed, as blocks that were there before may be freed under watch.
ptrdiff_t held = 0;
ptrdiff_t peak = 0;

void Took(void* block) {
  if (!watching || !block) return;
  held += static_cast<ptrdiff_t>(malloc_usable_size(block));
  peak = std::max(peak, held);
}

void WillGive(void* block) {
  if (watching && block) held -= static_cast<ptrdiff_t>(malloc_usable_size(block));
}

constexpr size_t kReservation = size_t{1} << 32;
constexpr size_t kAlignment = 64;

// A stack of blocks: planners are made and dropped in groups, so room is had back when none is left.
struct Reservation {
  char* start = nullptr;
  size_t used = 0;
  size_t blocks = 0;
} reservation;

}  // namespace

extern "C" {

void* __real_malloc(size_t size);
void* __real_realloc(void* block, size_t size);
void __real_free(void* block);
int __real_posix_memalign(void** block, size_t alignment, size_t size);

void* __wrap_malloc(size_t size) {
  void* block = __real_malloc(size);
  Took(block);
  return block;
}

void* __wrap_realloc(void* block, size_t size) {
  const auto before = reinterpret_cast<uintptr_t>(block);
  const ptrdiff_t size_before = watching && block ? static_cast<ptrdiff_t>(malloc_usable_size(block)) : 0;
  void* grown = __real_realloc(block, size);
  if (!watching || (!grown && size)) return grown;
  if (reinterpret_cast<uintptr_t>(grown) == before) held -= size_before;
  Took(grown);
  if (reinterpret_cast<uintptr_t>(grown) != before) held -= size_before;
  return grown;
}

void __wrap_free(void* block) {
  WillGive(block);
  __real_free(block);
}

int __wrap_posix_memalign(void** block, size_t alignment, size_t size) {
  const int refused = __real_posix_memalign(block, alignment, size);
  if (!refused) Took(*block);
  return refused;
}

}  // extern "C"

// Containers of the C++ library come here.
void* operator new(size_t size) {
  void* block = std::malloc(size ? size : 1);
  if (!block) std::abort();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }

// Upstream's arenas come here, and nothing else of it.
void* operator new[](size_t size) { return bench::ReserveArena(size, kAlignment); }
void operator delete[](void* block) noexcept { bench::ReturnArena(block); }
void operator delete[](void* block, size_t) noexcept { bench::ReturnArena(block); }

namespace bench {

HeapWatch::HeapWatch() {
  held = peak = 0;
  watching = true;
}

HeapWatch::~HeapWatch() { watching = false; }

size_t HeapWatch::Peak() const { return static_cast<size_t>(peak); }

void* ReserveArena(size_t bytes, size_t alignment) {
  if (!reservation.start) {
    void* start = mmap(nullptr, kReservation, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
      std::perror("bench: no address space for the arenas");
      std::abort();
    }
    reservation.start = static_cast<char*>(start);
  }
  if (alignment > kAlignment || bytes > kReservation - kAlignment - reservation.used) {
    std::fprintf(stderr, "bench: an arena of %zu bytes at %zu does not fit\n", bytes, alignment);
    std::abort();
  }
  void* block = reservation.start + reservation.used;
  reservation.used += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  reservation.blocks++;
  return block;
}

void ReturnArena(void* memory) {
  if (memory && --reservation.blocks == 0) reservation.used = 0;
}

}  // namespace bench
