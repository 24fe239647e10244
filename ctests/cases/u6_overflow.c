/* U6: sizes whose sum no size_t can hold are an error that names the tensor, and nothing is lost. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void one_impossible_tensor(void) {
  check_situation("%s", "one impossible tensor");
  Network network = network_parse("x:64 in; A:0; B:64; x->A; A->B");
  int32_t a = network_id(&network, "A");
  network.tensors[a].bytes = SIZE_MAX - 32; /* x ends at 64, and 64 + SIZE_MAX - 32 wraps */
  network_plan(&network, NULL);
  TfliteArenaPlanner *planner = network.planner;

  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, 0, 1),
               TFLITE_ARENA_STATUS_OVERFLOW);
  CHECK_CONTAINS(tflite_arena_planner_last_error(planner), "tensor 1");
  CHECK_POINTER(network_data(&network, a), NULL);
  size_t arena = SIZE_MAX, persistent = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(arena, 0);

  /* x [0, end] 0..64, A [0, 1] 64..320, B [1, end] 320..384. */
  network_resize(&network, a, 256);
  CHECK_OK(tflite_arena_planner_reset_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  CHECK_SIZE(network_arena_needed(&network), 384);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* Each fits by itself, together they need SIZE_MAX + 1 bytes. */
static void two_halves_of_everything(void) {
  check_situation("%s", "two halves of everything");
  Network network = network_parse("x:64 in; A,B:0; x->A; A->B");
  int32_t a = network_id(&network, "A"), b = network_id(&network, "B");
  network.tensors[a].bytes = SIZE_MAX / 2 + 1;
  network.tensors[b].bytes = SIZE_MAX / 2 + 1;
  network_plan(&network, NULL);
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 0, 1),
               TFLITE_ARENA_STATUS_OVERFLOW);
  CHECK_CONTAINS(tflite_arena_planner_last_error(network.planner), "tensor ");
  CHECK_POINTER(network_data_of(&network, "x"), NULL);
  CHECK_POINTER(network_data(&network, a), NULL);
  CHECK_POINTER(network_data(&network, b), NULL);

  /* x 0..64, A 64..128, B 128..192. */
  network_resize(&network, a, 64);
  network_resize(&network, b, 64);
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 1));
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

static void alignment_zero(void) {
  check_situation("%s", "alignment 0");
  Network network = network_parse("x:64 in; A:64 out; x->A");
  network_build(&network);
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.tensor_alignment = 0;
  CHECK_STATUS(tflite_arena_planner_create(&network.info, &options, &network.planner),
               TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  CHECK_POINTER(network.planner, NULL);
  network_free(&network);
}

int main(void) {
  one_impossible_tensor();
  two_halves_of_everything();
  alignment_zero();
  return check_finish();
}
