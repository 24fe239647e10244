/* Memory from the caller's allocator: all of it, none behind its back, and what happens when it says
   no. */
#include "check.h"
#include "ledger.h"
#include "network.h"
#include "shadow.h"

enum { START = 1000, GROWN = 5120, QUOTA = 1500 };

static void *pointer_of(const TfliteArenaResizableAlignedBuffer *buffer) {
  void *data = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_get_ptr(buffer, &data));
  return data;
}

static size_t size_of(const TfliteArenaResizableAlignedBuffer *buffer) {
  size_t size = SIZE_MAX;
  CHECK_OK(tflite_resizable_aligned_buffer_get_size(buffer, &size));
  return size;
}

/* U7: 1000 bytes with a pattern, a quota of 1500, and 5120 wanted. */
static void buffer_under_a_quota(bool with_reallocate) {
  check_situation("buffer, %s reallocate", with_reallocate ? "with" : "without");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = with_reallocate
                                             ? ledger_allocator(&ledger)
                                             : ledger_allocator_without_reallocate(&ledger);
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_create(64, 0, &allocator, &buffer));
  bool moved = false;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, START, &moved));
  CHECK(moved);
  CHECK(ledger.out >= START);
  pattern_write(pointer_of(buffer), START, 1);

  ledger.quota = QUOTA;
  moved = false;
  CHECK_STATUS(tflite_resizable_aligned_buffer_resize(buffer, GROWN, &moved),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK(!moved);
  CHECK(ledger.refusals > 0);
  CHECK_CONTAINS(tflite_resizable_aligned_buffer_last_error(buffer), "memory");
  CHECK_SIZE(size_of(buffer), START);
  CHECK_SIZE(pattern_compare(pointer_of(buffer), START, 1), START);

  ledger.quota = SIZE_MAX;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, GROWN, &moved));
  CHECK(moved);
  CHECK_SIZE(size_of(buffer), GROWN);
  CHECK_SIZE(pattern_compare(pointer_of(buffer), START, 1), START);
  CHECK_SIZE(ledger.reallocations, with_reallocate ? 1 : 0);
  pattern_write(pointer_of(buffer), GROWN, 2);

  CHECK_OK(tflite_resizable_aligned_buffer_release(buffer));
  CHECK_SIZE(ledger.out, 0);
  CHECK_POINTER(pointer_of(buffer), NULL);
  CHECK_SIZE(size_of(buffer), 0);
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, START, &moved));
  tflite_resizable_aligned_buffer_destroy(buffer);
  ledger_check_settled(&ledger);
}

/* The same through the arena: tensor 0 of 1000 bytes, then tensor 1 up to 5120. */
static void arena_under_a_quota(void) {
  check_situation("%s", "arena");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, &allocator, &arena));
  TfliteArenaAllocWithUsageInterval first, second;
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, START, 0, 0, 3, &first));
  bool moved = false;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  CHECK(moved);
  void *data = NULL;
  CHECK_OK(tflite_simple_memory_arena_resolve_alloc(arena, &first, &data));
  pattern_write(data, START, 1);

  /* 1000 rounded up is 1024; 1024 + 4096 = 5120. */
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 4096, 1, 1, 2, &second));
  CHECK_SIZE(second.offset, 1024);
  ledger.quota = QUOTA;
  moved = false;
  CHECK_STATUS(tflite_simple_memory_arena_commit(arena, &moved),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK(!moved);
  size_t size = 0;
  CHECK_OK(tflite_simple_memory_arena_get_buffer_size(arena, &size));
  CHECK_SIZE(size, START);
  intptr_t base = 0;
  CHECK_OK(tflite_simple_memory_arena_base_pointer(arena, &base));
  CHECK_POINTER((const void *)base, data);
  CHECK_SIZE(pattern_compare(data, START, 1), START);

  ledger.quota = SIZE_MAX;
  CHECK_OK(tflite_simple_memory_arena_commit(arena, &moved));
  CHECK(moved);
  CHECK_OK(tflite_simple_memory_arena_get_buffer_size(arena, &size));
  CHECK_SIZE(size, GROWN);
  CHECK_OK(tflite_simple_memory_arena_resolve_alloc(arena, &first, &data));
  CHECK_SIZE(pattern_compare(data, START, 1), START);
  tflite_simple_memory_arena_destroy(arena);
  ledger_check_settled(&ledger);
}

static void make_planner(Network *network, const TfliteArenaAllocator *allocator) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.allocator = allocator;
  network_plan(network, &options);
}

/* x [0, end] 0..64, A [0, 1] 64..320, B [1, end] 320..384, P 128 persistent: 512 bytes in all. */
static Network small_network(void) {
  return network_parse("x:64 in; A:256; B:64 out; P:128 persistent; x->A tmp P; A->B");
}

/* A limit equal to the need is enough, one byte less is not, and both leave the planner usable. */
static void planner_under_a_quota(void) {
  check_situation("%s", "planner");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  Network network = small_network();
  make_planner(&network, &allocator);
  CHECK_SIZE(ledger.out, 0); /* planning takes no arena memory */

  ledger.quota = 511;
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 0, 1),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK_CONTAINS(tflite_arena_planner_last_error(network.planner), "memory");
  for (int32_t tensor = 0; tensor < 3; tensor++) CHECK_POINTER(network_data(&network, tensor), NULL);

  ledger.quota = 512;
  network_execute(&network);
  CHECK_SIZE(ledger.out, 512);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));

  /* Growth is refused: what is there stays there, with its bytes. */
  Shadow shadow = shadow_create(&network);
  shadow_write_inputs(&shadow);
  shadow_run_nodes(&shadow, 0, 0);
  network_resize(&network, network_id(&network, "B"), 4096);
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, 0));
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 1, 1),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK_SIZE(ledger.out, 512);
  shadow_check_tensor(&shadow, network_id(&network, "x"));
  shadow_check_tensor(&shadow, network_id(&network, "A"));
  ledger.quota = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 1));
  shadow_run_nodes(&shadow, 1, 1);
  shadow_check_end(&shadow);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);

  /* Released memory goes back at once, the persistent 128 bytes stay. */
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(network.planner));
  CHECK_SIZE(ledger.out, 128);
  ledger.quota = 128;
  CHECK_STATUS(tflite_arena_planner_acquire_non_persistent_memory(network.planner),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  bool has = true;
  CHECK_OK(tflite_arena_planner_has_non_persistent_memory(network.planner, &has));
  CHECK(!has);
  ledger.quota = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(network.planner));
  CHECK(shadow_is_clean(&network));
  network_free(&network);
  ledger_check_settled(&ledger);
}

/* A tensor that is placed grows and memory is refused: every place and pointer is as it was. */
static void refused_growth_changes_nothing(void) {
  check_situation("%s", "refused growth");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  Network network = small_network();
  make_planner(&network, &allocator);
  network_execute(&network);
  TfliteArenaTensorPlan before[4], after;
  void *data[4];
  for (int32_t tensor = 0; tensor < 4; tensor++) {
    CHECK_OK(tflite_arena_planner_get_tensor_plan(network.planner, tensor, &before[tensor]));
    data[tensor] = network_data(&network, tensor);
  }

  ledger.quota = 512; /* what is out already */
  network_resize(&network, network_id(&network, "A"), 4096);
  network_resize(&network, network_id(&network, "P"), 1024);
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 0, 1),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK_SIZE(network_arena_needed(&network), 384);
  CHECK_SIZE(network_persistent_needed(&network), 128);
  for (int32_t tensor = 0; tensor < 4; tensor++) {
    check_situation("refused growth, tensor %d", (int)tensor);
    CHECK_OK(tflite_arena_planner_get_tensor_plan(network.planner, tensor, &after));
    CHECK_SIZE(after.offset, before[tensor].offset);
    CHECK_SIZE(after.size, before[tensor].size);
    CHECK_INT(after.arena, before[tensor].arena);
    CHECK_POINTER(network_data(&network, tensor), data[tensor]);
  }
  ledger.quota = SIZE_MAX;
  network_execute(&network);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
  ledger_check_settled(&ledger);
}

/* Bytes at an address that is not a multiple of the alignment are no use; they are given back. */
static void misaligned_blocks(void) {
  check_situation("%s", "misaligned blocks");
  Ledger ledger;
  ledger_init(&ledger);
  ledger.misalign = 8;
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_create(64, 0, &allocator, &buffer));
  bool moved = false;
  CHECK_REFUSED(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  CHECK(!moved);
  CHECK_POINTER(pointer_of(buffer), NULL);
  CHECK_SIZE(size_of(buffer), 0);
  CHECK_SIZE(ledger.allocations, 1);
  CHECK_SIZE(ledger.out, 0);
  ledger.misalign = 0;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  CHECK(moved);
  tflite_resizable_aligned_buffer_destroy(buffer);
  ledger_check_settled(&ledger);
}

/* reallocate has no more right to be off than allocate. The old block is gone then, so all that can
   be asked is a refusal without loss of memory, and a buffer that works again afterwards. */
static void misaligned_growth(void) {
  check_situation("%s", "misaligned growth");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  CHECK_OK(tflite_resizable_aligned_buffer_create(64, 0, &allocator, &buffer));
  bool moved = false;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  ledger.misalign = 8;
  CHECK_REFUSED(tflite_resizable_aligned_buffer_resize(buffer, 1000, &moved));
  ledger.misalign = 0;
  CHECK_OK(tflite_resizable_aligned_buffer_resize(buffer, 2000, &moved));
  CHECK_SIZE(size_of(buffer), 2000);
  CHECK_SIZE((size_t)(uintptr_t)pointer_of(buffer) % 64, 0);
  pattern_write(pointer_of(buffer), 2000, 1);
  tflite_resizable_aligned_buffer_destroy(buffer);
  ledger_check_settled(&ledger);
}

/* The same under a planner: the buffer may have moved although growing it failed, and whoever has a
   pointer then has a pointer into the buffer as it is. */
static void misaligned_growth_under_a_planner(void) {
  check_situation("%s", "misaligned growth under a planner");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  Network network = small_network();
  make_planner(&network, &allocator);
  network_execute(&network);
  Shadow shadow = shadow_create(&network);
  shadow_write_inputs(&shadow);
  shadow_run_nodes(&shadow, 0, 0);

  ledger.misalign = 8;
  network_resize(&network, network_id(&network, "B"), 4096);
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, 0));
  CHECK_REFUSED(tflite_arena_planner_execute_allocations(network.planner, 1, 1));
  network_check_pointers(&network);
  shadow_check_tensor(&shadow, network_id(&network, "x"));
  shadow_check_tensor(&shadow, network_id(&network, "A"));
  ledger.misalign = 0;
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 1));
  network_check_pointers(&network);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
  ledger_check_settled(&ledger);
}

/* An allocator that cannot allocate or cannot free is none; the C library's memory is used. */
static void incomplete_allocators(void) {
  for (int missing = 0; missing < 2; missing++) {
    check_situation("no %s", missing == 0 ? "allocate" : "deallocate");
    Ledger ledger;
    ledger_init(&ledger);
    TfliteArenaAllocator allocator = ledger_allocator(&ledger);
    if (missing == 0) {
      allocator.allocate = NULL;
    } else {
      allocator.deallocate = NULL;
    }
    Network network = small_network();
    make_planner(&network, &allocator);
    network_execute(&network);
    CHECK(shadow_is_clean(&network));
    network_free(&network);
    CHECK_SIZE(ledger.allocations + ledger.reallocations, 0);
    ledger_check_settled(&ledger);
  }
}

/* The struct is copied: the caller's may be gone after create. */
static void allocator_is_copied(void) {
  check_situation("%s", "copied");
  Ledger ledger;
  ledger_init(&ledger);
  TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  Network network = small_network();
  make_planner(&network, &allocator);
  const TfliteArenaAllocator nothing = {NULL, NULL, NULL, NULL};
  allocator = nothing;
  network_execute(&network);
  CHECK_SIZE(ledger.out, 512);
  network_free(&network);
  ledger_check_settled(&ledger);
}

int main(void) {
  buffer_under_a_quota(true);
  buffer_under_a_quota(false);
  arena_under_a_quota();
  planner_under_a_quota();
  refused_growth_changes_nothing();
  misaligned_blocks();
  misaligned_growth();
  misaligned_growth_under_a_planner();
  incomplete_allocators();
  allocator_is_copied();
  return check_finish();
}
