/* NULL and garbage for the arena without a graph. */
#include <string.h>

#include "shadow.h"
#include "sweep.h"

static const int32_t execution_plan[] = {0, 1};

static void count_text(void *user, const char *text, size_t length) {
  (void)text;
  *(size_t *)user += length;
}

static TfliteArenaAllocWithUsageInterval untouched_alloc(void) {
  const TfliteArenaAllocWithUsageInterval alloc = {UNTOUCHED_SIZE, UNTOUCHED_SIZE, UNTOUCHED_INT,
                                                   UNTOUCHED_INT, UNTOUCHED_INT};
  return alloc;
}

static bool is_untouched(const TfliteArenaAllocWithUsageInterval *alloc) {
  return alloc->offset == UNTOUCHED_SIZE && alloc->size == UNTOUCHED_SIZE &&
         alloc->tensor == UNTOUCHED_INT && alloc->first_node == UNTOUCHED_INT &&
         alloc->last_node == UNTOUCHED_INT;
}

static void sweep_null_arena(void) {
  check_situation("%s", "no arena");
  TfliteArenaAllocWithUsageInterval alloc = untouched_alloc();
  bool moved = false;
  void *data = UNTOUCHED_POINTER;
  size_t size = UNTOUCHED_SIZE, written = 0;
  intptr_t base = UNTOUCHED_INT;
  SWEPT(tflite_simple_memory_arena_destroy, NULL);
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_reset_allocs, NULL));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_purge_active_allocs, NULL, 0));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_purge_after, NULL, 0));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_calculate_active_allocs, NULL, &alloc, 1, 0));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_allocate, NULL, 64, 8, 0, 0, 1, &alloc));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_get_active_alloc, NULL, 0, &alloc));
  TfliteArenaAlloc in_order = {UNTOUCHED_SIZE, UNTOUCHED_SIZE};
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_deallocate, NULL, &alloc));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_allocate_in_order, NULL, 64, 8, &in_order));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_deallocate_in_order, NULL, &in_order));
  CHECK(in_order.offset == UNTOUCHED_SIZE && in_order.size == UNTOUCHED_SIZE);
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_required_buffer_size, NULL, &size));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_clear, NULL));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_commit, NULL, &moved));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_resolve_alloc, NULL, &alloc, &data));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_clear_plan, NULL));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_release_buffer, NULL));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_get_buffer_size, NULL, &size));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_get_high_water_mark, NULL, &size));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_base_pointer, NULL, &base));
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_dump_debug_info, NULL, "name", execution_plan, 2,
                      count_text, &written));
  CHECK(SWEPT(tflite_simple_memory_arena_last_error, NULL) != NULL);
  CHECK(is_untouched(&alloc) && !moved && data == UNTOUCHED_POINTER && size == UNTOUCHED_SIZE);
  CHECK(written == 0 && base == UNTOUCHED_INT);
}

static void sweep_create(void) {
  CHECK_REFUSED(SWEPT(tflite_simple_memory_arena_create, 64, 0, NULL, NULL));
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    check_situation("arena of alignment %zu", bad_alignments[i]);
    TfliteArenaSimpleMemoryArena *arena = UNTOUCHED_POINTER;
    CHECK_REFUSED(tflite_simple_memory_arena_create(bad_alignments[i], 0, NULL, &arena));
    CHECK_POINTER(arena, UNTOUCHED_POINTER);
  }
}

static void sweep_null_answers(TfliteArenaSimpleMemoryArena *arena) {
  check_situation("%s", "nowhere to answer");
  const TfliteArenaAllocWithUsageInterval alloc = {0, 8, 0, 0, 1};
  void *data = UNTOUCHED_POINTER;
  size_t written = 0;
  CHECK_REFUSED(tflite_simple_memory_arena_allocate(arena, 64, 8, 0, 0, 1, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_allocate_in_order(arena, 64, 8, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_get_active_alloc(arena, 0, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_deallocate(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_deallocate_in_order(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_required_buffer_size(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_commit(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_resolve_alloc(arena, NULL, &data));
  CHECK_REFUSED(tflite_simple_memory_arena_resolve_alloc(arena, &alloc, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_get_buffer_size(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_get_high_water_mark(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_base_pointer(arena, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_calculate_active_allocs(arena, NULL, 1, 0));
  CHECK_REFUSED(tflite_simple_memory_arena_calculate_active_allocs(arena, &alloc, SIZE_MAX, 0));
  CHECK_REFUSED(
      tflite_simple_memory_arena_dump_debug_info(arena, "name", execution_plan, 2, NULL, NULL));
  CHECK_REFUSED(tflite_simple_memory_arena_dump_debug_info(arena, "name", NULL, 2, count_text,
                                                           &written));
  CHECK_REFUSED(tflite_simple_memory_arena_dump_debug_info(arena, NULL, execution_plan, 2,
                                                           count_text, &written));
  CHECK_POINTER(data, UNTOUCHED_POINTER);
  CHECK_SIZE(written, 0);
}

static void sweep_allocate(TfliteArenaSimpleMemoryArena *arena) {
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    check_situation("tensor of alignment %zu", bad_alignments[i]);
    TfliteArenaAllocWithUsageInterval alloc = untouched_alloc();
    CHECK_REFUSED(
        tflite_simple_memory_arena_allocate(arena, bad_alignments[i], 8, 0, 0, 1, &alloc));
    CHECK(is_untouched(&alloc));
  }
  check_situation("%s", "alignment above the arena's");
  TfliteArenaAllocWithUsageInterval alloc = untouched_alloc();
  CHECK_REFUSED(tflite_simple_memory_arena_allocate(arena, 128, 8, 0, 0, 1, &alloc));
  CHECK(is_untouched(&alloc));

  /* Behind 100 bytes there is no room for SIZE_MAX more. */
  check_situation("%s", "SIZE_MAX bytes behind 100");
  CHECK_STATUS(tflite_simple_memory_arena_allocate(arena, 64, SIZE_MAX, 1, 0, 1, &alloc),
               TFLITE_ARENA_STATUS_OVERFLOW);
  CHECK(is_untouched(&alloc));

  /* Alone at offset 0 they could be; then it is the memory that is refused. */
  check_situation("%s", "SIZE_MAX bytes alone");
  TfliteArenaSimpleMemoryArena *huge = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &huge));
  int32_t status = tflite_simple_memory_arena_allocate(huge, 64, SIZE_MAX, 1, 0, 1, &alloc);
  bool moved = false;
  if (status == TFLITE_ARENA_STATUS_OK) status = tflite_simple_memory_arena_commit(huge, &moved);
  CHECK_REFUSED(status);
  CHECK(!moved);
  CHECK_OK(tflite_simple_memory_arena_clear_plan(huge));
  CHECK_OK(tflite_simple_memory_arena_allocate(huge, 64, 8, 1, 0, 1, &alloc));
  CHECK_OK(tflite_simple_memory_arena_commit(huge, &moved));
  CHECK(moved);
  tflite_simple_memory_arena_destroy(huge);
}

/* The arena of upstream up to 2.1: what is allocated stays until it is deallocated, by offset. */
static void sweep_in_order(void) {
  check_situation("%s", "arena in order");
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  TfliteArenaAlloc allocs[3], refused = {UNTOUCHED_SIZE, UNTOUCHED_SIZE};
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    CHECK_REFUSED(
        tflite_simple_memory_arena_allocate_in_order(arena, bad_alignments[i], 8, &refused));
  }
  /* 100 at 0, 30 at 128, 10 at 192: 202 bytes, and upstream asks for two alignments more. */
  static const size_t sizes[] = {100, 30, 10};
  for (size_t i = 0; i < 3; i++) {
    CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, sizes[i], &allocs[i]));
  }
  CHECK_SIZE(allocs[1].offset, 128);
  CHECK_SIZE(allocs[2].offset, 192);
  size_t size = 0;
  CHECK_OK(tflite_simple_memory_arena_required_buffer_size(arena, &size));
  CHECK_SIZE(size, 202 + 128);
  CHECK_REFUSED(tflite_simple_memory_arena_allocate_in_order(arena, 64, SIZE_MAX, &refused));
  CHECK(refused.offset == UNTOUCHED_SIZE && refused.size == UNTOUCHED_SIZE);

  /* Twice, elsewhere, another size: refused, and nothing is given free. */
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[1]));
  CHECK_REFUSED(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[1]));
  const TfliteArenaAlloc wrong[] = {{0, 99}, {1, 100}, {SIZE_MAX, SIZE_MAX}};
  for (size_t i = 0; i < 3; i++) {
    CHECK_REFUSED(tflite_simple_memory_arena_deallocate_in_order(arena, &wrong[i]));
  }
  /* The gap of 92 bytes from 100 to 192 takes 64 at 128; 65 go behind everything, at 256. */
  CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, 65, &allocs[1]));
  CHECK_SIZE(allocs[1].offset, 256);
  CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, 64, &allocs[1]));
  CHECK_SIZE(allocs[1].offset, 128);
  CHECK_OK(tflite_simple_memory_arena_clear(arena));
  CHECK_OK(tflite_simple_memory_arena_required_buffer_size(arena, &size));
  CHECK_SIZE(size, 128);

  /* By tensor: none is fine. */
  TfliteArenaAllocWithUsageInterval alloc = {0, 8, 7, 0, 1};
  CHECK_OK(tflite_simple_memory_arena_deallocate(arena, &alloc));
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 8, 7, 0, 1, &alloc));
  CHECK_OK(tflite_simple_memory_arena_deallocate(arena, &alloc));
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 8, 8, 0, 1, &alloc));
  CHECK_SIZE(alloc.offset, 0);
  tflite_simple_memory_arena_destroy(arena);
}

/* One is active. */
static void sweep_active_allocs(const TfliteArenaSimpleMemoryArena *arena) {
  static const size_t indices[] = {1, INT32_MAX, SIZE_MAX};
  for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
    check_situation("active allocation %zu", indices[i]);
    TfliteArenaAllocWithUsageInterval alloc = untouched_alloc();
    CHECK_REFUSED(tflite_simple_memory_arena_get_active_alloc(arena, indices[i], &alloc));
    CHECK(is_untouched(&alloc));
  }
}

/* Nodes and tensors are only compared, so no value of them is wrong; none may break the arena. */
static void sweep_intervals(void) {
  static const int32_t wild[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
  enum { NUM_WILD = sizeof wild / sizeof *wild };
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  for (size_t i = 0; i < NUM_WILD * NUM_WILD; i++) {
    int32_t first = wild[i / NUM_WILD], last = wild[i % NUM_WILD];
    check_situation("interval %d to %d", (int)first, (int)last);
    TfliteArenaAllocWithUsageInterval alloc = untouched_alloc();
    int32_t status = tflite_simple_memory_arena_allocate(arena, 64, 8, first, first, last, &alloc);
    CHECK(status == TFLITE_ARENA_STATUS_OK || (status >= 100 && is_untouched(&alloc)));
    CHECK_OK(tflite_simple_memory_arena_purge_active_allocs(arena, first));
    CHECK_OK(tflite_simple_memory_arena_purge_after(arena, last));
  }
  check_situation("%s", "after wild intervals");
  bool moved = false;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  tflite_simple_memory_arena_destroy(arena);
}

static void sweep_resolve(TfliteArenaSimpleMemoryArena *arena) {
  static const TfliteArenaAllocWithUsageInterval outside[] = {{100, 1, 0, 0, 1},
                                                              {0, 101, 0, 0, 1},
                                                              {SIZE_MAX, 1, 0, 0, 1},
                                                              {1, SIZE_MAX, 0, 0, 1},
                                                              {SIZE_MAX, SIZE_MAX, 0, 0, 1}};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    check_situation("%zu bytes at %zu of 100", outside[i].size, outside[i].offset);
    void *data = UNTOUCHED_POINTER;
    CHECK_REFUSED(tflite_simple_memory_arena_resolve_alloc(arena, &outside[i], &data));
    CHECK_POINTER(data, UNTOUCHED_POINTER);
  }
}

void sweep_simple_memory_arena(void) {
  sweep_null_arena();
  sweep_create();
  check_situation("%s", "arena of 100 bytes");
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, INT32_MIN, NULL, &arena));
  TfliteArenaAllocWithUsageInterval alloc;
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 100, 0, 0, 1, &alloc));
  void *data = UNTOUCHED_POINTER;
  CHECK_STATUS(tflite_simple_memory_arena_resolve_alloc(arena, &alloc, &data),
               TFLITE_ARENA_STATUS_NOT_COMMITTED);
  CHECK_POINTER(data, UNTOUCHED_POINTER);
  bool moved = false;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  sweep_null_answers(arena);
  sweep_allocate(arena);
  sweep_resolve(arena);
  sweep_active_allocs(arena);

  check_situation("%s", "arena afterwards");
  size_t size = 0;
  CHECK_OK(tflite_simple_memory_arena_get_buffer_size(arena, &size));
  CHECK_SIZE(size, 100);
  CHECK_OK(tflite_simple_memory_arena_get_high_water_mark(arena, &size));
  CHECK_SIZE(size, 100);
  CHECK_OK(tflite_simple_memory_arena_resolve_alloc(arena, &alloc, &data));
  pattern_write(data, 100, 1);
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 100, 1, 0, 1, &alloc));
  CHECK_SIZE(alloc.offset, 128);
  tflite_simple_memory_arena_destroy(arena);
  sweep_intervals();
  sweep_in_order();
}
