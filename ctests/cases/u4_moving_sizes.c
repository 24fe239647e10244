/* U4: sizes that change from run to run. The plan's need follows them down as well as up; the
   capacity of the arena only grows. */
#include "check.h"
#include "network.h"
#include "shadow.h"

int main(void) {
  Network network = network_of(
      "x:64 in; A:64; B:36; C:64 out;"
      "x->A; A->B; B->C");

  /* x [0, end] 0..64; A [0, 1] 64..128; C [2, end] in A's place, 64..128;
     B [1, 2], the smallest, meets all three: 128..164. */
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 164);
  size_t arena = 0, persistent = 0;
  CHECK_OK(tflite_arena_planner_get_alloc_info(network.planner, &arena, &persistent));
  CHECK_SIZE(arena, 164);
  CHECK_SIZE(persistent, 0);

  int32_t x = network_id(&network, "x"), a = network_id(&network, "A");
  int32_t b = network_id(&network, "B");
  Shadow shadow = shadow_create(&network);

  /* B starts at 128 whatever its size, because x and A stay where they are and C fits into A's
     place. So 128 + B bytes are needed. Capacity: the largest so far. */
  static const struct {
    size_t bytes, needed, capacity;
  } steps[] = {{4, 132, 164},
               {36, 164, 164},
               {0, 128, 164},
               {15840, 15968, 15968},
               {4, 132, 15968}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    check_situation("step %zu, B has %zu bytes", i, steps[i].bytes);
    shadow_write_inputs(&shadow);
    shadow_run_nodes(&shadow, 0, 0); /* x and A hold values while the rest is planned again */
    network_resize(&network, b, steps[i].bytes);
    CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, 0));
    CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
    CHECK_SIZE(network_arena_needed(&network), steps[i].needed);
    CHECK_OK(tflite_arena_planner_get_alloc_info(network.planner, &arena, &persistent));
    CHECK_SIZE(arena, steps[i].capacity);
    CHECK((network_data(&network, b) == NULL) == (steps[i].bytes == 0));
    network_check_pointers(&network);
    shadow_check_tensor(&shadow, x);
    shadow_check_tensor(&shadow, a);
    shadow_run_nodes(&shadow, 1, 2);
    shadow_check_end(&shadow);
    CHECK(shadow_report(&shadow));
  }
  shadow_destroy(&shadow);
  network_free(&network);
  return check_finish();
}
