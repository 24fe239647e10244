/* The whole life of a plan, from C: a three-op network built from plain arrays, planned, executed,
   written through the pointers, grown, released and acquired. */
#include <string.h>

#include "check.h"
#include "tflite_arena.h"

enum { INPUT, HIDDEN, SCALED, OUTPUT };

static TfliteArenaGraph *three_ops(void) {
  static const size_t bytes[] = {64, 256, 256, 64};
  static const int32_t list[] = {INPUT, HIDDEN, SCALED, OUTPUT};
  TfliteArenaGraph *graph = NULL;
  CHECK_OK(tflite_arena_graph_create(&graph));
  for (size_t i = 0; i < 4; i++) {
    CHECK_OK(tflite_arena_graph_add_tensor(graph, bytes[i], TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW,
                                           NULL));
  }
  /* INPUT -> HIDDEN, HIDDEN -> SCALED in place, SCALED -> OUTPUT */
  CHECK_OK(tflite_arena_graph_add_node(graph, &list[0], 1, &list[1], 1, TFLITE_ARENA_INPLACE_NONE,
                                       NULL));
  CHECK_OK(tflite_arena_graph_add_node(graph, &list[1], 1, &list[2], 1,
                                       TFLITE_ARENA_INPLACE_INPUT0_SHARED, NULL));
  CHECK_OK(tflite_arena_graph_add_node(graph, &list[2], 1, &list[3], 1, TFLITE_ARENA_INPLACE_NONE,
                                       NULL));
  CHECK_OK(tflite_arena_graph_set_inputs(graph, &list[0], 1));
  CHECK_OK(tflite_arena_graph_set_outputs(graph, &list[3], 1));
  return graph;
}

static unsigned char *data_of(const TfliteArenaGraph *graph, int32_t tensor) {
  void *data = NULL;
  CHECK_OK(tflite_arena_graph_get_tensor_data(graph, tensor, &data));
  CHECK(data != NULL);
  return data;
}

/* Input bytes 0..63; hidden repeats them four times; scaled doubles in place; output sums the four. */
static void run(const TfliteArenaGraph *graph) {
  unsigned char *input = data_of(graph, INPUT), *hidden = data_of(graph, HIDDEN);
  unsigned char *scaled = data_of(graph, SCALED), *output = data_of(graph, OUTPUT);
  for (int i = 0; i < 64; i++) input[i] = (unsigned char)i;
  for (int i = 0; i < 256; i++) hidden[i] = input[i % 64];
  for (int i = 0; i < 256; i++) scaled[i] = (unsigned char)(2 * hidden[i]);
  for (int i = 0; i < 64; i++) {
    output[i] = (unsigned char)(scaled[i] + scaled[i + 64] + scaled[i + 128] + scaled[i + 192]);
  }
  int wrong = 0;
  for (int i = 0; i < 64; i++) {
    if (input[i] != i || output[i] != (unsigned char)(8 * i)) wrong++;
  }
  CHECK_INT(wrong, 0);
}

static size_t arena_size(const TfliteArenaPlanner *planner) {
  size_t arena = SIZE_MAX, persistent = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(persistent, 0);
  return arena;
}

int main(void) {
  CHECK(strlen(tflite_arena_version()) > 0);
  TfliteArenaGraph *graph = three_ops();
  TfliteArenaGraphInfo info;
  CHECK_OK(tflite_arena_graph_get_info(graph, &info));
  TfliteArenaPlanner *planner = NULL;
  CHECK_OK(tflite_arena_planner_create(&info, NULL, &planner));
  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, 0, 2),
               TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));

  /* INPUT [0, end] 0..64, HIDDEN with SCALED [0, 2] 64..320, OUTPUT [2, end] 320..384. */
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 2));
  CHECK_SIZE(arena_size(planner), 384);
  CHECK_POINTER(data_of(graph, SCALED), data_of(graph, HIDDEN));
  TfliteArenaPlanInfo figures;
  CHECK_OK(tflite_arena_planner_get_plan_info(planner, &figures));
  CHECK_SIZE(figures.num_nodes, 3);
  CHECK_SIZE(figures.num_tensors, 4);
  CHECK_SIZE(figures.placed_tensors, 3);
  CHECK_SIZE(figures.arena_needed, 384);
  CHECK_SIZE(figures.persistent_needed, 0);
  CHECK_SIZE(figures.lower_bound, 384); /* all three are alive at node 2 */
  run(graph);

  /* HIDDEN grows fourfold, SCALED stays: no longer in place. HIDDEN [0, 1] 64..1088,
     SCALED [1, 2] 1088..1344, OUTPUT [2, end] in HIDDEN's place. */
  CHECK_OK(tflite_arena_graph_set_tensor_bytes(graph, HIDDEN, 1024));
  CHECK_OK(tflite_arena_planner_reset_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 2));
  CHECK_SIZE(arena_size(planner), 1344);
  CHECK(data_of(graph, SCALED) != data_of(graph, HIDDEN));
  run(graph);

  bool has = false;
  CHECK_OK(tflite_arena_planner_has_non_persistent_memory(planner, &has));
  CHECK(has);
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  CHECK_OK(tflite_arena_planner_has_non_persistent_memory(planner, &has));
  CHECK(!has);
  CHECK_SIZE(arena_size(planner), 0);
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(planner));
  CHECK_SIZE(arena_size(planner), 1344);
  run(graph);

  tflite_arena_planner_destroy(planner);
  tflite_arena_graph_destroy(graph);
  return check_finish();
}
