/* Ranges of nodes that a runtime asks for although the graph does not have them, and a plan that
   failed. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void no_nodes_at_all(void) {
  check_situation("%s", "no nodes");
  Network network = network_of("x,y:100 in");
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, -1));
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK_SIZE(network_arena_needed(&network), 228); /* 0..100 and 128..228 */
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

static void range_beyond_the_end(void) {
  check_situation("%s", "range beyond the end");
  Network network = network_of("x:64 in; A:64; B:64 out; x->A; A->B");
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 10));
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 0));
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 2, 5));
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, INT32_MAX));
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* A runtime may ignore that planning failed and execute all the same. */
static void failed_plan(void) {
  check_situation("%s", "failed plan");
  Network network = network_parse("x:64 in; A:64 out; x->A");
  network_build(&network);
  const int32_t wild = 2;
  CHECK_OK(tflite_arena_graph_set_outputs(network.graph, &wild, 1));
  CHECK_OK(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  CHECK_STATUS(tflite_arena_planner_plan_allocations(network.planner),
               TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
  CHECK_CONTAINS(tflite_arena_planner_last_error(network.planner), "2");
  CHECK_REFUSED(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK_POINTER(network_data_of(&network, "x"), NULL);

  CHECK_OK(tflite_arena_graph_set_outputs(network.graph, network.outputs.items, 1));
  CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 128);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* A tensor that has become empty loses its pointer, and so does an alias after a rewind. */
static void stale_pointers(void) {
  check_situation("%s", "stale pointers");
  Network network = network_of(
      "x:64 in; A,B:256; C:64 out;"
      "x->A; A->B R; B->C");
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "B"), network_data_of(&network, "A"));
  CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, 0));
  CHECK(network_data_of(&network, "A") != NULL);
  CHECK_POINTER(network_data_of(&network, "B"), NULL);
  CHECK_POINTER(network_data_of(&network, "C"), NULL);

  network_resize(&network, network_id(&network, "A"), 0);
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "A"), NULL);
  CHECK(network_data_of(&network, "B") != NULL);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* The root of a view grows and only the root's node is executed: the view no longer fits, and must not
   go on pointing at where the root lay. Its own node gives it bytes. */
static void view_left_behind(void) {
  check_situation("%s", "view left behind");
  Network network = network_of(
      "x:64 in; A,B:256; C:64 out;"
      "x->A; A->B R; B->C");
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "B"), network_data_of(&network, "A"));
  network_resize(&network, network_id(&network, "A"), 512);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK_POINTER(network_data_of(&network, "B"), NULL);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
  CHECK(network_data_of(&network, "B") != NULL);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

int main(void) {
  no_nodes_at_all();
  range_beyond_the_end();
  failed_plan();
  stale_pointers();
  view_left_behind();
  return check_finish();
}
