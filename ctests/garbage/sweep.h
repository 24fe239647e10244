/* The sweep of NULL and garbage arguments over every exported function. A call made through SWEPT
   notes the function's name, so that the sweep can tell which functions it has not reached. */
#ifndef TFLITE_ARENA_CTESTS_SWEEP_H
#define TFLITE_ARENA_CTESTS_SWEEP_H

#include "check.h"
#include "tflite_arena.h"

void sweep_note(const char *function);

#define SWEPT(function, ...) (sweep_note(#function), function(__VA_ARGS__))

/* Whatever a refused call may leave alone. */
#define UNTOUCHED_SIZE ((size_t)0x5a5a5a5a)
#define UNTOUCHED_INT ((int32_t)0x5a5a5a5a)
#define UNTOUCHED_POINTER ((void *)(uintptr_t)0x5a5a5a50)

/* Indices that no small graph has. */
enum { NUM_WILD_INDICES = 4 };
extern const int32_t wild_indices[NUM_WILD_INDICES];

/* What is no alignment: zero, not a power of two. */
enum { NUM_BAD_ALIGNMENTS = 4 };
extern const size_t bad_alignments[NUM_BAD_ALIGNMENTS];

void sweep_library(void);
void sweep_graph(void);
void sweep_graph_info(void);
void sweep_options(void);
void sweep_planner(void);
void sweep_simple_memory_arena(void);
void sweep_resizable_aligned_buffer(void);
void sweep_memory_planner(void);

#endif
