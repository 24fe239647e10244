/* A program that uses libm and the compiler's own helpers besides ours: the archive must bring no copies of them along.
   Built with -fno-builtin, so that every call below is one. */
#include <math.h>

#include "check.h"
#include "tflite_arena.h"

static void check_libm(void) {
  volatile double two = 2.0, half = 2.5;
  volatile float nine = 9.5f;
  CHECK(sqrt(two) > 1.4142135623730949 && sqrt(two) < 1.4142135623730953);
  CHECK(fmod(-nine, two) == -1.5);
  CHECK(fmodf(nine, 4.0f) == 1.5f);
  CHECK(round(-half) == -3.0 && roundf(nine) == 10.0f && rint(half) == 2.0);
  CHECK(trunc(-half) == -2.0 && floor(-half) == -3.0 && ceil(half) == 3.0);
  CHECK(fmin(two, half) == 2.0 && fmax(two, half) == 2.5 && fdim(half, two) == 0.5);
  CHECK(cbrt(-two * 4.0) == -2.0 && fma(two, half, two) == 7.0 && copysign(half, -two) == -2.5);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

/* 10^30 in two factors; the quotients need more than 64 bits. */
static void check_128_bits(void) {
  volatile uint64_t factor = 1000000000000000u;
  volatile Wide wide = (Wide)factor * factor;
  CHECK(wide / 7 * 7 + wide % 7 == wide && (uint64_t)(wide / factor) == factor);
  CHECK_INT((int64_t)((wide + 12345) % factor), 12345);
  volatile SignedWide negative = -(SignedWide)wide;
  CHECK(negative / (SignedWide)factor == -(SignedWide)factor);
  CHECK((double)wide == 1e30);
}
#else
static void check_128_bits(void) {}
#endif

static void check_ours(void) {
  TfliteArenaSimpleMemoryArena *arena = NULL;
  TfliteArenaAllocWithUsageInterval alloc;
  bool moved = false;
  size_t size = 0;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, (size_t)sqrt(10000.0), 0, 0, 1, &alloc));
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  CHECK_OK(tflite_simple_memory_arena_get_high_water_mark(arena, &size));
  CHECK_SIZE(size, 100);
  tflite_simple_memory_arena_destroy(arena);
}

int main(void) {
  check_libm();
  check_128_bits();
  check_ours();
  return check_finish();
}
