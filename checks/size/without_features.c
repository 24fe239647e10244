/* Linked with the library that lacks all cargo features: asking for a strategy that searches is a status with a text, and no
   plan, and a planner tells neither tensors nor events. Exits with the number of calls that went another way. */
#include <string.h>

#include "tflite_arena.h"

static int failures;

static void expect(bool holds) {
  if (!holds) failures++;
}

static void no_memory_planner_has(int32_t strategy, const char *text) {
  TfliteArenaMemoryPlanner *planner = NULL;
  TfliteArenaMemoryPlannerOptions options;
  int32_t handle;
  size_t bytes;
  expect(tflite_memory_planner_create(&planner) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_memory_planner_add_buffer(planner, 8, 0, 0, 1, &handle) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_memory_planner_options_init(&options) == TFLITE_ARENA_STATUS_OK);
  options.strategy = strategy;
  expect(tflite_memory_planner_plan(planner, &options) == TFLITE_ARENA_STATUS_UNSUPPORTED);
  expect(strstr(tflite_memory_planner_last_error(planner), text) != NULL);
  expect(tflite_memory_planner_arena_size(planner, &bytes) == TFLITE_ARENA_STATUS_NOT_PLANNED);
  tflite_memory_planner_destroy(planner);
}

static void no_planner_has(int32_t strategy) {
  TfliteArenaGraph *graph = NULL;
  TfliteArenaGraphInfo info;
  TfliteArenaPlannerOptions options;
  TfliteArenaPlanner *planner = NULL;
  expect(tflite_arena_graph_create(&graph) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_graph_get_info(graph, &info) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_planner_options_init(&options) == TFLITE_ARENA_STATUS_OK);
  options.strategy = strategy;
  expect(tflite_arena_planner_create(&info, &options, &planner) == TFLITE_ARENA_STATUS_UNSUPPORTED);
  expect(planner == NULL);
  tflite_arena_graph_destroy(graph);
}

static void count_tensor(void *user, const TfliteArenaTensorRecord *record) {
  (void)record;
  ++*(int *)user;
}

static void count_event(void *user, const TfliteArenaEvent *event) {
  (void)event;
  ++*(int *)user;
}

static void no_planner_is_inspected(void) {
  TfliteArenaGraph *graph = NULL;
  TfliteArenaGraphInfo info;
  TfliteArenaPlanner *planner = NULL;
  int told = 0;
  expect(tflite_arena_graph_create(&graph) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_graph_add_tensor(graph, 8, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, NULL) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_graph_get_info(graph, &info) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_planner_create(&info, NULL, &planner) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_planner_set_event_callback(planner, count_event, &told) == TFLITE_ARENA_STATUS_UNSUPPORTED);
  expect(strstr(tflite_arena_planner_last_error(planner), "telling events is not part of this build") != NULL);
  expect(tflite_arena_planner_plan_allocations(planner) == TFLITE_ARENA_STATUS_OK);
  expect(tflite_arena_planner_visit_tensors(planner, count_tensor, &told) == TFLITE_ARENA_STATUS_UNSUPPORTED);
  expect(strstr(tflite_arena_planner_last_error(planner), "visiting tensors is not part of this build") != NULL);
  expect(told == 0);
  tflite_arena_planner_destroy(planner);
  tflite_arena_graph_destroy(graph);
}

int main(void) {
  no_planner_is_inspected();

  no_memory_planner_has(TFLITE_ARENA_STRATEGY_BEST, "strategy best is not part of this build");
  no_memory_planner_has(TFLITE_ARENA_STRATEGY_EXACT, "strategy exact is not part of this build");
  no_planner_has(TFLITE_ARENA_STRATEGY_BEST);
  no_planner_has(TFLITE_ARENA_STRATEGY_EXACT);
  return failures;
}
