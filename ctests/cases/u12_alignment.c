/* U12: alignments other than 64. Only starts are rounded up, so the last tensor ends unpadded. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void planner_with_alignment(size_t alignment, size_t needed) {
  check_situation("alignment %zu", alignment);
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  CHECK_SIZE(options.tensor_alignment, 64);
  options.tensor_alignment = alignment;
  Network network = network_parse("x:10 in; A:10; B:10 out; x->A; A->B");
  network_plan(&network, &options);
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), needed);
  for (int32_t tensor = 0; tensor < 3; tensor++) {
    CHECK_SIZE((size_t)(uintptr_t)network_data(&network, tensor) % alignment, 0);
  }
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

static void planner_refuses(size_t alignment) {
  check_situation("alignment %zu", alignment);
  Network network = network_parse("x:10 in; A:10 out; x->A");
  network_build(&network);
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.tensor_alignment = alignment;
  CHECK_STATUS(tflite_arena_planner_create(&network.info, &options, &network.planner),
               TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  CHECK_POINTER(network.planner, NULL);
  network_free(&network);

  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_STATUS(tflite_simple_memory_arena_create(alignment, 0, NULL, &arena),
               TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  CHECK_POINTER(arena, NULL);
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  CHECK_STATUS(tflite_resizable_aligned_buffer_create(alignment, 0, NULL, &buffer),
               TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  CHECK_POINTER(buffer, NULL);
}

/* Where alignment is given for each tensor: one of three at 256, the rest at 64, in an arena of 256.
   All alive together: 0..10, then 64..74, then 256..266. */
static void one_tensor_at_256(void) {
  check_situation("%s", "one tensor at 256");
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(256, 0, NULL, &arena));
  static const size_t alignments[] = {64, 64, 256}, offsets[] = {0, 64, 256};
  TfliteArenaAllocWithUsageInterval allocs[3];
  for (int32_t i = 0; i < 3; i++) {
    CHECK_OK(tflite_simple_memory_arena_allocate(arena, alignments[i], 10, i, 0, 2, &allocs[i]));
    CHECK_SIZE(allocs[i].offset, offsets[i]);
  }
  size_t high_water_mark = 0;
  CHECK_OK(tflite_simple_memory_arena_get_high_water_mark(arena, &high_water_mark));
  CHECK_SIZE(high_water_mark, 266);
  bool reallocated = false;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &reallocated));
  CHECK(reallocated);
  void *data = NULL;
  CHECK_OK(tflite_simple_memory_arena_resolve_alloc(arena, &allocs[2], &data));
  CHECK(data != NULL);
  CHECK_SIZE((size_t)(uintptr_t)data % 256, 0);
  tflite_simple_memory_arena_destroy(arena);
}

/* An arena cannot give a tensor more than its own alignment. */
static void tensor_above_the_arena(void) {
  check_situation("%s", "tensor at 128, arena at 64");
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  TfliteArenaAllocWithUsageInterval alloc = {7, 7, 7, 7, 7};
  CHECK_STATUS(tflite_simple_memory_arena_allocate(arena, 128, 10, 0, 0, 1, &alloc),
               TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  CHECK_SIZE(alloc.offset, 7);
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 10, 0, 0, 1, &alloc));
  CHECK_SIZE(alloc.offset, 0);
  tflite_simple_memory_arena_destroy(arena);
}

int main(void) {
  /* x, A and B are alive together at node 1: the third start and 10 bytes. */
  planner_with_alignment(4, 34);    /* 0, 12, 24 */
  planner_with_alignment(16, 42);   /* 0, 16, 32 */
  planner_with_alignment(64, 138);  /* 0, 64, 128 */
  planner_with_alignment(256, 522); /* 0, 256, 512 */
  planner_refuses(0);
  planner_refuses(3);
  planner_refuses(48);
  planner_refuses(SIZE_MAX);
  one_tensor_at_256();
  tensor_above_the_arena();
  return check_finish();
}
