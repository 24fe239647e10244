/* U3: a rewind must not count persistent tensors as if they lay in the ArenaRw arena. */
#include "check.h"
#include "network.h"
#include "shadow.h"

int main(void) {
  enum { MIB = 1048576 };
  Network network = network_of(
      "x:64 in; A,B:256; C:64 out; P:1048576 persistent;"
      "x->A tmp P; A->B; B->C");
  TfliteArenaPlanner *planner = network.planner;

  /* x [0, end] 0..64, A [0, 1] 64..320, B [1, 2] 320..576, C [2, end] in A's place at 64. */
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 2));
  CHECK_SIZE(network_arena_needed(&network), 576);
  CHECK_SIZE(network_persistent_needed(&network), MIB);
  size_t arena = 0, persistent = 0;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(arena, 576);
  CHECK_SIZE(persistent, MIB);
  CHECK(shadow_is_clean(&network));

  void *x = network_data_of(&network, "x"), *a = network_data_of(&network, "A");
  void *p = network_data_of(&network, "P");
  CHECK_OK(tflite_arena_planner_reset_allocations_after(planner, 0));
  CHECK_POINTER(network_data_of(&network, "B"), NULL);
  CHECK_POINTER(network_data_of(&network, "C"), NULL);
  CHECK_POINTER(network_data_of(&network, "x"), x);
  CHECK_POINTER(network_data_of(&network, "A"), a);
  CHECK_POINTER(network_data_of(&network, "P"), p);

  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 1, 2));
  CHECK_SIZE(network_arena_needed(&network), 576);
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(arena, 576);
  CHECK_SIZE(persistent, MIB);
  CHECK_POINTER(network_data_of(&network, "P"), p);
  CHECK_SIZE(network_offset_of(&network, "B"), 320);
  CHECK_SIZE(network_offset_of(&network, "C"), 64);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
  return check_finish();
}
