/* The C library's allocation functions, made to fail on demand. */
#ifndef TFLITE_ARENA_CTESTS_FAILING_MALLOC_H
#define TFLITE_ARENA_CTESTS_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* From now on allocations are counted; the one numbered `fail_at`, from 1, fails, and with `stay_short`
   all that follow. 0 fails none. */
void failing_malloc_arm(size_t fail_at, bool stay_short);
void failing_malloc_disarm(void);

/* Allocations since arming, and how many of them failed. */
size_t failing_malloc_seen(void);
size_t failing_malloc_failed(void);

/* Blocks that were allocated while armed and are not freed yet. */
size_t failing_malloc_live(void);

#endif
