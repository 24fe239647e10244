/* B5: the arena grows while tensors hold values. The values move along, all pointers are renewed. */
#include "check.h"
#include "network.h"
#include "shadow.h"

int main(void) {
  Network network = network_of(
      "x:64 in; A:64; B:4194304; C:64 out;"
      "x->A; A->B; B->C");
  int32_t x = network_id(&network, "x"), a = network_id(&network, "A");
  Shadow shadow = shadow_create(&network);

  /* x [0, end] 0..64, A [0, 1] 64..128. */
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK_SIZE(network_arena_needed(&network), 128);
  shadow_write_inputs(&shadow);
  shadow_run_nodes(&shadow, 0, 0);

  /* B [1, 2] meets x and A: 128..4194432. C [2, end] in A's place, 64..128. */
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
  CHECK_SIZE(network_arena_needed(&network), 4194432);
  CHECK_SIZE(network_offset_of(&network, "A"), 64);
  CHECK_SIZE(network_offset_of(&network, "B"), 128);
  CHECK_SIZE(network_offset_of(&network, "C"), 64);
  network_check_pointers(&network);
  shadow_check_tensor(&shadow, x);
  shadow_check_tensor(&shadow, a);
  shadow_run_nodes(&shadow, 1, 2);
  shadow_check_end(&shadow);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
  network_free(&network);
  return check_finish();
}
