/* B11: a persistent tensor that outgrows its place gets a new one and keeps its bytes. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void check_inside_persistent_arena(const Network *network, const char *name) {
  intptr_t base = 0;
  size_t arena = 0, persistent = 0;
  CHECK_OK(tflite_arena_planner_base_pointer(
      network->planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT, &base));
  CHECK_OK(tflite_arena_planner_get_alloc_info(network->planner, &arena, &persistent));
  size_t offset = (size_t)((intptr_t)network_data_of(network, name) - base);
  size_t bytes = network->tensors[network_id(network, name)].bytes;
  CHECK(offset <= persistent && bytes <= persistent - offset);
}

static void grow_between_executes(bool reset_between) {
  check_situation("%s", reset_between ? "with ResetAllocationsAfter(-1) between" : "Execute, Execute");
  Network network = network_of(
      "x:64 in; A:64; B:64 out; Q:64 persistent; P:64 persistent;"
      "x->A tmp Q,P; A->B");
  network_execute(&network);
  CHECK_SIZE(network_persistent_needed(&network), 128); /* Q 0..64, P 64..128 */
  const void *q = network_data_of(&network, "Q");
  const void *p = network_data_of(&network, "P");
  CHECK(q != p);
  pattern_write(network_data_of(&network, "Q"), 64, 1);
  pattern_write(network_data_of(&network, "P"), 64, 2);

  network_resize(&network, network_id(&network, "P"), 4096);
  if (reset_between) CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, -1));
  network_execute(&network);
  check_inside_persistent_arena(&network, "Q");
  check_inside_persistent_arena(&network, "P");
  network_check_pointers(&network);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "P"), 64, 2), 64);

  /* All 4096 bytes are P's own: writing them leaves Q alone. */
  pattern_write(network_data_of(&network, "P"), 4096, 3);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "Q"), 64, 1), 64);
  CHECK(shadow_is_clean(&network));

  /* Without growth it stays where it is. */
  const void *grown = network_data_of(&network, "P");
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "P"), grown);
  network_free(&network);
}

int main(void) {
  grow_between_executes(false);
  grow_between_executes(true);
  return check_finish();
}
