/* Executing one range of nodes after another, and forgetting what was placed. Offsets are at alignment 64. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void execute(Network *network, int32_t first, int32_t last) {
  CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, first, last));
  network_check_pointers(network);
}

static void check_capacity(const Network *network, size_t arena_size, size_t persistent_size) {
  size_t arena = SIZE_MAX, persistent = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_get_alloc_info(network->planner, &arena, &persistent));
  CHECK_SIZE(arena, arena_size);
  CHECK_SIZE(persistent, persistent_size);
}

/* x 0, A 64; then B around both, at 128; then C where A was. In one batch B, the largest, would come first. */
static void a_range_places_its_tensors_around_what_is_alive(void) {
  Network network = network_of("x:64 in; A:64; B:256; C:64 out; x->A; A->B; B->C");
  execute(&network, 0, 0);
  CHECK_PLACES(&network, "x 0, A 64, B -, C -");
  CHECK_POINTER(network_data_of(&network, "B"), NULL);
  execute(&network, 1, 1);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C -");
  execute(&network, 2, 2);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 64");
  CHECK_SIZE(network_arena_needed(&network), 384);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* The runtime adds an output after the plan. A [0, 1] is freed for C all the same, until the next plan. */
static void the_connections_are_those_of_the_last_plan(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; x->A; A->B; B->C");
  const int32_t outputs[] = {network_id(&network, "A"), network_id(&network, "C")};
  CHECK_OK(tflite_arena_graph_set_outputs(network.graph, outputs, 2));
  network_execute(&network);
  CHECK_INTERVAL(&network, "A", 0, 1);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 64");
  CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
  network_execute(&network);
  CHECK_INTERVAL(&network, "A", 0, TO_THE_END);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 192");
  network_free(&network);
}

/* T is the larger, so at 128 in the beginning: x 0, T 64..192, A 192..256. Then x has grown, T shrunk and A become the
   application's: x 0..320, T 320..384. */
static void sizes_and_kinds_are_read_by_each_execution(void) {
  Network network = network_of("x:64 in; A:64; T:128; B:64 out; x->A tmp T; A->B");
  unsigned char own[64];
  execute(&network, 0, 0);
  CHECK_PLACES(&network, "x 0, T 64, A 192");
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  network_resize(&network, network_id(&network, "x"), 320);
  network_resize(&network, network_id(&network, "T"), 64);
  network_retype(&network, network_id(&network, "A"), TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM);
  CHECK_OK(tflite_arena_graph_set_tensor_data(network.graph, network_id(&network, "A"), own));
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A -, T 320, B 320");
  CHECK_POINTER(network_data_of(&network, "A"), own);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* Before the first node: everything in the ArenaRw arena is forgotten, also the inputs. */
static void a_rewind_to_before_the_first_node_spares_persistent_tensors_alone(void) {
  Network network = network_of("x:64 in; A:64; B:64 out; P:64 persistent; x->A tmp P; A->B");
  network_execute(&network);
  void *p = network_data_of(&network, "P");
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, -1));
  CHECK_PLACES(&network, "x -, A -, B -, P 0");
  network_check_pointers(&network);
  CHECK_POINTER(network_data_of(&network, "P"), p);
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 64, B 128, P 0");
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* Node 1 is the last one that stays: what begins at it keeps place and bytes, what begins at node 2 does not. */
static void a_rewind_forgets_what_begins_after_the_node(void) {
  Network network = network_of("x:64 in; A,B,C:64; D:64 out; x->A; A->B; B->C; C->D");
  network_execute(&network);
  Shadow shadow = shadow_create(&network);
  shadow_write_inputs(&shadow);
  shadow_run_nodes(&shadow, 0, 1);
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, 1));
  CHECK_PLACES(&network, "x 0, A 64, B 128, C -, D -");
  network_check_pointers(&network);
  network_resize(&network, network_id(&network, "C"), 640);
  execute(&network, 2, 3);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 192, D 64"); /* C meets x and B, and is too large for A's bytes */
  shadow_run_nodes(&shadow, 2, 3);
  shadow_check_end(&shadow);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
  network_free(&network);
}

static void a_reset_forgets_the_places_and_keeps_buffers_and_plan(void) {
  Network network = network_of("x:64 in; A:256; B:64 out; P:64 persistent; x->A tmp P; A->B");
  network_execute(&network);
  intptr_t base = 0, later = 0;
  CHECK_OK(tflite_arena_planner_base_pointer(network.planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &base));
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  CHECK_PLACES(&network, "x -, A -, B -, P -");
  CHECK_SIZE(network_arena_needed(&network), 0);
  CHECK_SIZE(network_persistent_needed(&network), 0);
  check_capacity(&network, 384, 64);
  CHECK_OK(tflite_arena_planner_base_pointer(network.planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &later));
  CHECK_INT(later, base);
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 64, B 320, P 0");
  check_capacity(&network, 384, 64);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* In one batch Q, the larger, would come first; as it is P is at 0 by then and stays there. */
static void a_persistent_tensor_is_placed_once(void) {
  Network network = network_of(
      "x:64 in; A:64; B:64 out; P:64 persistent; Q:128 persistent;"
      "x->A tmp P; A->B tmp Q");
  execute(&network, 0, 0);
  CHECK_PLACES(&network, "P 0, Q -");
  execute(&network, 1, 1);
  CHECK_PLACES(&network, "P 0, Q 64");
  void *p = network_data_of(&network, "P"), *q = network_data_of(&network, "Q");
  pattern_write(p, 64, 1);
  pattern_write(q, 128, 2);

  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, -1));
  network_execute(&network);
  network_execute(&network);
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(network.planner));
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(network.planner));
  CHECK_POINTER(network_data_of(&network, "P"), p);
  CHECK_POINTER(network_data_of(&network, "Q"), q);
  CHECK_SIZE(pattern_compare(p, 64, 1), 64);
  CHECK_SIZE(pattern_compare(q, 128, 2), 128);
  CHECK_SIZE(network_persistent_needed(&network), 192);
  network_free(&network);
}

/* A is at 64 first. Executed again, it gives its place up: B, the largest, gets 64, A 192 behind it, and C, when A is dead,
   A's. Then B has shrunk, and the range around C, which is not of it, is x 0, A 64 again, and B between A and C. */
static void a_range_is_placed_anew_where_that_is_asked_for(void) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.replace_range = 1;
  Network network = network_parse("x:64 in; A:64; B:128; C:64 out; x->A; A->B; B->C");
  network_plan(&network, &options);
  execute(&network, 0, 0);
  CHECK_PLACES(&network, "x 0, A 64, B -, C -");
  execute(&network, 0, 2);
  CHECK_PLACES(&network, "x 0, A 192, B 64, C 192");
  network_resize(&network, network_id(&network, "B"), 32);
  execute(&network, 0, 1);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 192");
  CHECK_SIZE(network_arena_needed(&network), 256);
  network_free(&network);
}

/* B lies on A's bytes, and has its pointer as soon as A has a place, though its node has not been executed. */
static void a_rewind_nulls_aliases_that_were_not_executed(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; x->A; A->B S; B->C");
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, -1));
  execute(&network, 0, 0);
  CHECK(network_data_of(&network, "A") != NULL);
  CHECK_POINTER(network_data_of(&network, "B"), network_data_of(&network, "A"));
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, -1));
  CHECK_POINTER(network_data_of(&network, "A"), NULL);
  CHECK_POINTER(network_data_of(&network, "B"), NULL);
  network_free(&network);
}

int main(void) {
  a_rewind_nulls_aliases_that_were_not_executed();
  a_range_is_placed_anew_where_that_is_asked_for();
  a_range_places_its_tensors_around_what_is_alive();
  the_connections_are_those_of_the_last_plan();
  sizes_and_kinds_are_read_by_each_execution();
  a_rewind_to_before_the_first_node_spares_persistent_tensors_alone();
  a_rewind_forgets_what_begins_after_the_node();
  a_reset_forgets_the_places_and_keeps_buffers_and_plan();
  a_persistent_tensor_is_placed_once();
  return check_finish();
}
