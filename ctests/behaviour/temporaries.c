/* Temporaries are read by each execution: what a node no longer uses it no longer keeps. Offsets are at alignment 64. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void use_temporary_at(Network *network, const char *name, size_t node, size_t not_at) {
  int32_t tensor = network_id(network, name);
  network->nodes[not_at].temporaries.count = 0;
  CHECK_OK(tflite_arena_graph_set_temporaries(network->graph, (int32_t)not_at, NULL, 0));
  ids_add(&network->nodes[node].temporaries, tensor);
  CHECK_OK(tflite_arena_graph_set_temporaries(network->graph, (int32_t)node, &tensor, 1));
}

/* x 0, A [0, 1] 64; T first at node 0, at 128, and B behind it. Then T is node 2's: B [1, 2] 128, C where A was, T 192. */
static void a_temporary_that_went_to_another_node_lives_there_alone(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; T:64; x->A tmp T; A->B; B->C");
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 0, 0);
  use_temporary_at(&network, "T", 2, 0);
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 2, 2);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 64, T 192");
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* The execution of node 1 fails as B does not fit the address space. By then T has been seen there. */
static void a_failed_execution_leaves_no_trace_of_its_temporaries(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; T:64; x->A; A->B tmp T; B->C");
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  network_resize(&network, network_id(&network, "B"), SIZE_MAX - 100);
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 1, 1), TFLITE_ARENA_STATUS_OVERFLOW);
  CHECK_INTERVAL(&network, "T", -1, -1);
  network_resize(&network, network_id(&network, "B"), 64);
  use_temporary_at(&network, "T", 2, 1);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
  CHECK_INTERVAL(&network, "T", 2, 2);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* Node by node, each after a rewind to the one before: the second time T's second node is known beforehand, and must not be
   counted. */
static void a_rewind_forgets_later_nodes_of_a_temporary(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; T:64; x->A tmp T; A->B; B->C tmp T");
  for (int round = 0; round < 2; round++) {
    check_situation("round %d", round);
    for (int32_t node = 0; node < 2; node++) {
      CHECK_OK(tflite_arena_planner_reset_allocations_after(network.planner, node - 1));
      CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, node, node));
      CHECK_INTERVAL(&network, "T", 0, 0);
    }
    CHECK_PLACES(&network, "x 0, A 64, T 128, B 128");
    CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 2, 2));
  }
  check_no_situation();
  network_free(&network);
}

int main(void) {
  a_temporary_that_went_to_another_node_lives_there_alone();
  a_failed_execution_leaves_no_trace_of_its_temporaries();
  a_rewind_forgets_later_nodes_of_a_temporary();
  return check_finish();
}
