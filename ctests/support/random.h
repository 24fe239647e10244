/* Random numbers that are the same on every machine. */
#ifndef TFLITE_ARENA_CTESTS_RANDOM_H
#define TFLITE_ARENA_CTESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t state; /* never 0 */
} Random;

static inline uint64_t random_next(Random *random) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 7;
  random->state ^= random->state << 17;
  return random->state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

/* 0 to bound - 1. */
static inline uint32_t random_below(Random *random, uint32_t bound) {
  return (uint32_t)(random_next(random) % bound);
}

static inline bool random_percent(Random *random, uint32_t percent) {
  return random_below(random, 100) < percent;
}

#endif
