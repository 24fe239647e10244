/* The arena without a graph: what its methods forget and keep, and the classic one of runtimes up to 2.1. The arena's
   alignment is 64, and every allocation's too. */
#include "check.h"
#include "shadow.h"

typedef TfliteArenaSimpleMemoryArena Arena;
typedef TfliteArenaAllocWithUsageInterval Alloc;

static Arena *new_arena(void) {
  Arena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  return arena;
}

static Alloc allocate(Arena *arena, size_t size, int32_t tensor, int32_t first_node, int32_t last_node) {
  Alloc alloc = {SIZE_MAX, 0, 0, 0, 0};
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, size, tensor, first_node, last_node, &alloc));
  CHECK_SIZE(alloc.size, size);
  CHECK_INT(alloc.tensor, tensor);
  CHECK_INT(alloc.first_node, first_node);
  CHECK_INT(alloc.last_node, last_node);
  return alloc;
}

static TfliteArenaAlloc allocate_in_order(Arena *arena, size_t size) {
  TfliteArenaAlloc alloc = {SIZE_MAX, 0};
  CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, size, &alloc));
  CHECK_SIZE(alloc.size, size);
  return alloc;
}

static void commit(Arena *arena, bool moves) {
  bool moved = !moves;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  CHECK(moved == moves);
}

static void *resolve(Arena *arena, Alloc alloc) {
  void *data = NULL;
  CHECK_OK(tflite_simple_memory_arena_resolve_alloc(arena, &alloc, &data));
  return data;
}

static size_t high_water_mark(const Arena *arena) {
  size_t bytes = SIZE_MAX;
  CHECK_OK(tflite_simple_memory_arena_get_high_water_mark(arena, &bytes));
  return bytes;
}

static size_t buffer_size(const Arena *arena) {
  size_t bytes = SIZE_MAX;
  CHECK_OK(tflite_simple_memory_arena_get_buffer_size(arena, &bytes));
  return bytes;
}

/* The active allocations are those of these tensors, lowest offset first. */
static void check_active(const Arena *arena, const int32_t *tensors, size_t count) {
  Alloc alloc;
  for (size_t i = 0; i < count; i++) {
    if (!CHECK_OK(tflite_simple_memory_arena_get_active_alloc(arena, i, &alloc))) return;
    CHECK_INT(alloc.tensor, tensors[i]);
  }
  CHECK_REFUSED(tflite_simple_memory_arena_get_active_alloc(arena, count, &alloc));
}

#define CHECK_ACTIVE(arena, ...) \
  check_active(arena, (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

/* 0 [0, 1] 0..100, 1 [1, 2] 128..228, 2 [2, 3] where 0 was, 3 [3, 5] where 1 was. */
static Arena *arena_of_four(void) {
  Arena *arena = new_arena();
  CHECK_SIZE(allocate(arena, 100, 0, 0, 1).offset, 0);
  CHECK_SIZE(allocate(arena, 100, 1, 1, 2).offset, 128);
  CHECK_SIZE(allocate(arena, 100, 2, 2, 3).offset, 0);
  CHECK_SIZE(allocate(arena, 100, 3, 3, 5).offset, 128);
  CHECK_ACTIVE(arena, 0, 2, 1, 3);
  CHECK_SIZE(high_water_mark(arena), 228);
  return arena;
}

static void purging_forgets_what_ends_before_the_node(void) {
  Arena *arena = arena_of_four();
  CHECK_OK(tflite_simple_memory_arena_purge_active_allocs(arena, 2));
  CHECK_ACTIVE(arena, 2, 1, 3);
  CHECK_SIZE(allocate(arena, 100, 4, 0, 1).offset, 0); /* of those alive at nodes 0 and 1 only 1 is known */
  CHECK_SIZE(high_water_mark(arena), 228);
  tflite_simple_memory_arena_destroy(arena);
}

static void purging_after_forgets_what_begins_after_the_node(void) {
  Arena *arena = arena_of_four();
  CHECK_OK(tflite_simple_memory_arena_purge_after(arena, 2));
  CHECK_ACTIVE(arena, 0, 2, 1);
  CHECK_SIZE(allocate(arena, 100, 4, 3, 3).offset, 128);
  CHECK_SIZE(high_water_mark(arena), 228);
  tflite_simple_memory_arena_destroy(arena);
}

static void resetting_forgets_the_allocations_and_not_the_high_water_mark(void) {
  Arena *arena = arena_of_four();
  CHECK_OK(tflite_simple_memory_arena_reset_allocs(arena));
  Alloc alloc;
  CHECK_REFUSED(tflite_simple_memory_arena_get_active_alloc(arena, 0, &alloc));
  CHECK_SIZE(allocate(arena, 8, 4, 0, 9).offset, 0);
  CHECK_SIZE(high_water_mark(arena), 228);
  tflite_simple_memory_arena_destroy(arena);
}

/* Of these 7 and 9 are alive at node 4; what was active before is not asked for. Between them there is a gap at 64. */
static void calculating_takes_those_alive_at_the_node_for_the_active_ones(void) {
  Arena *arena = arena_of_four();
  static const Alloc allocs[] = {{256, 64, 9, 4, 8}, {0, 64, 7, 0, 4}, {64, 64, 5, 0, 3}, {128, 64, 6, 5, 9}};
  CHECK_OK(tflite_simple_memory_arena_calculate_active_allocs(arena, allocs, 4, 4));
  CHECK_ACTIVE(arena, 7, 9);
  CHECK_SIZE(allocate(arena, 192, 10, 4, 4).offset, 64);
  tflite_simple_memory_arena_destroy(arena);
}

/* All of the tensor's allocations, and nobody else's. */
static void deallocating_by_tensor_frees_its_bytes(void) {
  Arena *arena = new_arena();
  Alloc first = allocate(arena, 64, 1, 0, 9);
  allocate(arena, 64, 2, 0, 9);
  CHECK_OK(tflite_simple_memory_arena_deallocate(arena, &first));
  CHECK_ACTIVE(arena, 2);
  CHECK_SIZE(allocate(arena, 64, 3, 5, 9).offset, 0);
  tflite_simple_memory_arena_destroy(arena);
}

static void zero_bytes_take_no_room_and_resolve_to_null(void) {
  Arena *arena = new_arena();
  allocate(arena, 0, 1, 0, 9);
  Alloc empty = allocate(arena, 0, 1, 0, 9);
  CHECK_SIZE(high_water_mark(arena), 0);
  commit(arena, false);
  CHECK_POINTER(resolve(arena, empty), NULL);
  CHECK_SIZE(allocate(arena, 8, 2, 0, 9).offset, 0);
  tflite_simple_memory_arena_destroy(arena);
}

/* 100 bytes, then 4096 behind them at 128: the buffer grows and keeps what it holds. With less it does not shrink. */
static void a_commit_grows_the_buffer_and_keeps_its_bytes(void) {
  Arena *arena = new_arena();
  Alloc first = allocate(arena, 100, 0, 0, 9);
  commit(arena, true);
  pattern_write(resolve(arena, first), 100, 1);
  allocate(arena, 4096, 1, 0, 9);
  commit(arena, true);
  CHECK_SIZE(buffer_size(arena), 4224);
  CHECK_SIZE(pattern_compare(resolve(arena, first), 100, 1), 100);
  commit(arena, false);

  CHECK_OK(tflite_simple_memory_arena_clear_plan(arena));
  void *data = NULL;
  CHECK_STATUS(tflite_simple_memory_arena_resolve_alloc(arena, &first, &data), TFLITE_ARENA_STATUS_NOT_COMMITTED);
  CHECK_SIZE(high_water_mark(arena), 0);
  first = allocate(arena, 100, 0, 0, 9);
  commit(arena, false);
  CHECK_SIZE(buffer_size(arena), 4224);
  CHECK_SIZE(pattern_compare(resolve(arena, first), 100, 1), 100);
  tflite_simple_memory_arena_destroy(arena);
}

static void a_release_frees_the_buffer_and_keeps_the_allocations(void) {
  Arena *arena = new_arena();
  allocate(arena, 100, 0, 0, 9);
  Alloc second = allocate(arena, 100, 1, 0, 9);
  commit(arena, true);
  CHECK_OK(tflite_simple_memory_arena_release_buffer(arena));
  intptr_t base = 1;
  CHECK_OK(tflite_simple_memory_arena_base_pointer(arena, &base));
  CHECK_INT(base, 0);
  CHECK_SIZE(buffer_size(arena), 0);
  CHECK_ACTIVE(arena, 0, 1);
  commit(arena, true);
  CHECK_OK(tflite_simple_memory_arena_base_pointer(arena, &base));
  CHECK_POINTER(resolve(arena, second), (const void *)(base + 128));
  tflite_simple_memory_arena_destroy(arena);
}

/* Four of 64. The two in the middle are freed, in either order, and are one gap of 128 then: not 129 bytes fit. */
static void in_order_freed_neighbours_are_one_gap(void) {
  for (size_t order = 0; order < 2; order++) {
    Arena *arena = new_arena();
    TfliteArenaAlloc allocs[4];
    for (size_t i = 0; i < 4; i++) allocs[i] = allocate_in_order(arena, 64);
    CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[1 + order]));
    CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[2 - order]));
    CHECK_SIZE(allocate_in_order(arena, 129).offset, 256);
    CHECK_SIZE(allocate_in_order(arena, 128).offset, 64);
    CHECK_SIZE(high_water_mark(arena), 385);
    tflite_simple_memory_arena_destroy(arena);
  }
}

/* Gaps of 128 at 0 and of 64 at 192, freed in the order that puts the higher one first. */
static void in_order_the_smallest_gap_is_taken_and_of_equal_ones_the_lowest(void) {
  static const size_t sizes[] = {128, 64, 64, 64, 64, 64};
  Arena *arena = new_arena();
  TfliteArenaAlloc allocs[6];
  for (size_t i = 0; i < 6; i++) allocs[i] = allocate_in_order(arena, sizes[i]);
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[4])); /* 320..384 */
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[2])); /* 192..256 */
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[0]));
  CHECK_SIZE(allocate_in_order(arena, 64).offset, 192);
  CHECK_SIZE(allocate_in_order(arena, 64).offset, 320);
  CHECK_SIZE(allocate_in_order(arena, 64).offset, 0);
  CHECK_SIZE(allocate_in_order(arena, 64).offset, 64);
  CHECK_SIZE(high_water_mark(arena), 448);
  size_t required = 0;
  CHECK_OK(tflite_simple_memory_arena_required_buffer_size(arena, &required));
  CHECK_SIZE(required, 448 + 128);
  CHECK_OK(tflite_simple_memory_arena_clear(arena));
  CHECK_SIZE(allocate_in_order(arena, 64).offset, 0);
  CHECK_SIZE(high_water_mark(arena), 64);
  tflite_simple_memory_arena_destroy(arena);
}

int main(void) {
  purging_forgets_what_ends_before_the_node();
  purging_after_forgets_what_begins_after_the_node();
  resetting_forgets_the_allocations_and_not_the_high_water_mark();
  calculating_takes_those_alive_at_the_node_for_the_active_ones();
  deallocating_by_tensor_frees_its_bytes();
  zero_bytes_take_no_room_and_resolve_to_null();
  a_commit_grows_the_buffer_and_keeps_its_bytes();
  a_release_frees_the_buffer_and_keeps_the_allocations();
  in_order_freed_neighbours_are_one_gap();
  in_order_the_smallest_gap_is_taken_and_of_equal_ones_the_lowest();
  return check_finish();
}
