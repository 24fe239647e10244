/* Garbage for the library's own functions and for the graph builder. */
#include <string.h>

#include "network.h"
#include "shadow.h"
#include "sweep.h"

void sweep_library(void) {
  check_situation("%s", "library");
  sweep_note("tflite_arena_version"); /* takes nothing */
  CHECK(strlen(tflite_arena_version()) > 0);
  static const int32_t statuses[] = {INT32_MIN, -1, 2, 99, 110, INT32_MAX};
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
    const char *text = SWEPT(tflite_arena_status_text, statuses[i]);
    CHECK(text != NULL && strlen(text) > 0);
  }
}

static const int32_t some[] = {0, 1, 2};
static const size_t absurd_counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof(int32_t)};
enum { NUM_ABSURD_COUNTS = sizeof absurd_counts / sizeof *absurd_counts };

static void sweep_null_graphs(void) {
  check_situation("%s", "no graph");
  int32_t index = UNTOUCHED_INT;
  void *data = UNTOUCHED_POINTER;
  TfliteArenaGraphInfo info, before;
  memset(&before, 0x5a, sizeof before);
  info = before;
  CHECK_REFUSED(SWEPT(tflite_arena_graph_create, NULL));
  SWEPT(tflite_arena_graph_destroy, NULL);
  CHECK_REFUSED(SWEPT(tflite_arena_graph_add_tensor, NULL, 8, 2, &index));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_add_node, NULL, some, 1, some, 1, 0, &index));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_temporaries, NULL, 0, some, 1));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_inputs, NULL, some, 1));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_outputs, NULL, some, 1));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_variables, NULL, some, 1));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_tensor_bytes, NULL, 0, 8));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_tensor_allocation_type, NULL, 0, 2));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_set_tensor_data, NULL, 0, &index));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_get_tensor_data, NULL, 0, &data));
  CHECK_REFUSED(SWEPT(tflite_arena_graph_get_info, NULL, &info));
  CHECK(SWEPT(tflite_arena_graph_last_error, NULL) != NULL);
  CHECK_INT(index, UNTOUCHED_INT);
  CHECK_POINTER(data, UNTOUCHED_POINTER);
  CHECK(memcmp(&info, &before, sizeof info) == 0);
}

static void sweep_lists(TfliteArenaGraph *graph) {
  check_situation("%s", "lists without data");
  int32_t index = UNTOUCHED_INT;
  CHECK_REFUSED(tflite_arena_graph_add_node(graph, NULL, 1, some, 1, 0, &index));
  CHECK_REFUSED(tflite_arena_graph_add_node(graph, some, 1, NULL, 1, 0, &index));
  CHECK_REFUSED(tflite_arena_graph_set_temporaries(graph, 0, NULL, 1));
  CHECK_REFUSED(tflite_arena_graph_set_inputs(graph, NULL, 1));
  CHECK_REFUSED(tflite_arena_graph_set_outputs(graph, NULL, 1));
  CHECK_REFUSED(tflite_arena_graph_set_variables(graph, NULL, 1));
  for (size_t i = 0; i < NUM_ABSURD_COUNTS; i++) {
    size_t count = absurd_counts[i];
    check_situation("lists of %zu", count);
    CHECK_REFUSED(tflite_arena_graph_add_node(graph, some, count, some, 1, 0, &index));
    CHECK_REFUSED(tflite_arena_graph_add_node(graph, some, 1, some, count, 0, &index));
    CHECK_REFUSED(tflite_arena_graph_set_temporaries(graph, 0, some, count));
    CHECK_REFUSED(tflite_arena_graph_set_inputs(graph, some, count));
    CHECK_REFUSED(tflite_arena_graph_set_outputs(graph, some, count));
    CHECK_REFUSED(tflite_arena_graph_set_variables(graph, some, count));
  }
  CHECK_INT(index, UNTOUCHED_INT);
  CHECK(strlen(tflite_arena_graph_last_error(graph)) > 0);
}

static void sweep_indices(TfliteArenaGraph *graph) {
  void *data = UNTOUCHED_POINTER;
  for (size_t i = 0; i < NUM_WILD_INDICES; i++) {
    int32_t index = wild_indices[i];
    check_situation("index %d", (int)index);
    CHECK_REFUSED(tflite_arena_graph_set_temporaries(graph, index, some, 1));
    CHECK_REFUSED(tflite_arena_graph_set_tensor_bytes(graph, index, 8));
    CHECK_REFUSED(tflite_arena_graph_set_tensor_allocation_type(graph, index, 2));
    CHECK_REFUSED(tflite_arena_graph_set_tensor_data(graph, index, &data));
    CHECK_REFUSED(tflite_arena_graph_get_tensor_data(graph, index, &data));
    char asked[32];
    snprintf(asked, sizeof asked, "tensor index %d is outside", (int)index);
    CHECK_CONTAINS(tflite_arena_graph_last_error(graph), asked);
    CHECK_POINTER(data, UNTOUCHED_POINTER);
  }
  CHECK_REFUSED(tflite_arena_graph_get_tensor_data(graph, 0, NULL));
  CHECK_REFUSED(tflite_arena_graph_get_info(graph, NULL));
}

/* The builder takes tensors that no planner could place, and their types from the future; planning
   leaves them alone. Indices in lists are the planner's to check. */
static void sweep_what_is_allowed(TfliteArenaGraph *graph) {
  check_situation("%s", "odd but allowed");
  CHECK_OK(tflite_arena_graph_set_tensor_allocation_type(graph, 2, 99));
  CHECK_OK(tflite_arena_graph_set_tensor_allocation_type(graph, 2, INT32_MIN));
  CHECK_OK(tflite_arena_graph_set_tensor_bytes(graph, 2, SIZE_MAX));
  CHECK_OK(tflite_arena_graph_set_tensor_data(graph, 2, NULL));
  CHECK_OK(tflite_arena_graph_set_temporaries(graph, 0, NULL, 0));
  CHECK_OK(tflite_arena_graph_set_variables(graph, NULL, 0));
  CHECK_OK(tflite_arena_graph_set_outputs(graph, wild_indices, 1));
}

void sweep_graph(void) {
  sweep_null_graphs();
  Network network = network_parse("x:64 in; A:64; B:64 out; x->A; A->B; B->A");
  network_build(&network);
  TfliteArenaGraph *graph = network.graph;
  sweep_lists(graph);
  sweep_indices(graph);
  sweep_what_is_allowed(graph);

  check_situation("%s", "graph afterwards");
  CHECK_OK(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  CHECK_REFUSED(tflite_arena_planner_plan_allocations(network.planner)); /* the wild output */
  tflite_arena_planner_destroy(network.planner);
  network_retype(&network, 2, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW);
  network_resize(&network, 2, 64);
  CHECK_OK(tflite_arena_graph_set_outputs(graph, network.outputs.items, network.outputs.count));
  CHECK_OK(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
  network_execute(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}
