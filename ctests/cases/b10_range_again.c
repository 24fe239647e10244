/* B10: executing a range again places around everything that is still alive. */
#include "check.h"
#include "network.h"
#include "shadow.h"

int main(void) {
  Network network = network_of(
      "x:64 in; A,B,C:64; D:64 out;"
      "x->A; A->B; B->C; C->D");
  TfliteArenaPlanner *planner = network.planner;
  Shadow shadow = shadow_create(&network);

  /* x [0, end] 0..64, A [0, 1] 64..128, B [1, 2] 128..192, C [2, 3] where A was, 64..128,
     D [3, end] where B was, 128..192. */
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 3));
  CHECK_SIZE(network_arena_needed(&network), 192);
  shadow_run(&shadow, 1);

  CHECK_OK(tflite_arena_planner_reset_allocations_after(planner, 1));
  CHECK_POINTER(network_data_of(&network, "C"), NULL);
  CHECK_POINTER(network_data_of(&network, "D"), NULL);
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 3));
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK_SIZE(network_offset_of(&network, "A"), 64);
  CHECK_SIZE(network_offset_of(&network, "B"), 128);
  CHECK_SIZE(network_offset_of(&network, "C"), 64);
  CHECK_SIZE(network_offset_of(&network, "D"), 128);
  network_check_pointers(&network);

  /* The input is not written again: it must have kept its value, and keep it. */
  shadow_run_nodes(&shadow, 0, 3);
  shadow_check_end(&shadow);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
  CHECK(shadow_is_clean(&network));

  /* And once more with nothing reset at all. */
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 1, 3));
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
  return check_finish();
}
