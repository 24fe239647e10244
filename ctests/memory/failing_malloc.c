/* A static library's calls are led here by the linker's --wrap; a shared library's because a program's
   own definition goes before the C library's. */
#include "failing_malloc.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef FAILING_MALLOC_WRAP
#define OURS(function) __wrap_##function
#define REAL(function) __real_##function
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
#define REAL_ALIGNED __real_aligned_alloc
#define REAL_POSIX_MEMALIGN __real_posix_memalign
#else
#define OURS(function) function
#define REAL(function) __libc_##function
void *__libc_memalign(size_t alignment, size_t bytes);
#define REAL_ALIGNED __libc_memalign
#define REAL_POSIX_MEMALIGN posix_memalign_of_libc
int posix_memalign(void **memory, size_t alignment, size_t bytes);

static int posix_memalign_of_libc(void **memory, size_t alignment, size_t bytes) {
  *memory = __libc_memalign(alignment, bytes);
  return *memory == NULL ? ENOMEM : 0;
}
#endif
void *REAL(malloc)(size_t bytes);
void *REAL(calloc)(size_t count, size_t bytes);
void *REAL(realloc)(void *memory, size_t bytes);
void REAL(free)(void *memory);

enum { MOST_BLOCKS = 4096 };

static bool armed, short_for_good;
static size_t first_failure, seen, failed;
static uintptr_t live[MOST_BLOCKS]; /* addresses; a freed block's pointer may not even be compared */
static size_t num_live;

void failing_malloc_arm(size_t fail_at, bool stay_short) {
  armed = true;
  short_for_good = stay_short;
  first_failure = fail_at;
  seen = failed = 0;
}

void failing_malloc_disarm(void) { armed = false; }
size_t failing_malloc_seen(void) { return seen; }
size_t failing_malloc_failed(void) { return failed; }
size_t failing_malloc_live(void) { return num_live; }

static bool refuses(void) {
  if (!armed) return false;
  seen++;
  bool refuse = first_failure != 0 &&
                (seen == first_failure || (short_for_good && seen > first_failure));
  if (refuse) {
    failed++;
    errno = ENOMEM;
  }
  return refuse;
}

static void *lent(void *memory) {
  if (!armed || memory == NULL) return memory;
  if (num_live == MOST_BLOCKS) abort();
  live[num_live++] = (uintptr_t)memory;
  return memory;
}

static void returned(uintptr_t memory) {
  for (size_t i = 0; i < num_live; i++) {
    if (live[i] != memory) continue;
    live[i] = live[--num_live];
    return;
  }
}

void *OURS(malloc)(size_t bytes) { return refuses() ? NULL : lent(REAL(malloc)(bytes)); }

void *OURS(calloc)(size_t count, size_t bytes) {
  return refuses() ? NULL : lent(REAL(calloc)(count, bytes));
}

void *OURS(realloc)(void *memory, size_t bytes) {
  if (refuses()) return NULL;
  uintptr_t before = (uintptr_t)memory;
  void *moved = REAL(realloc)(memory, bytes);
  if (moved == NULL && bytes != 0) return NULL;
  returned(before);
  return lent(moved);
}

void *OURS(aligned_alloc)(size_t alignment, size_t bytes) {
  return refuses() ? NULL : lent(REAL_ALIGNED(alignment, bytes));
}

int OURS(posix_memalign)(void **memory, size_t alignment, size_t bytes) {
  if (refuses()) return ENOMEM;
  int error = REAL_POSIX_MEMALIGN(memory, alignment, bytes);
  if (error == 0) lent(*memory);
  return error;
}

void OURS(free)(void *memory) {
  returned((uintptr_t)memory);
  REAL(free)(memory);
}
