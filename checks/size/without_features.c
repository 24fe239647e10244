/* Linked with the library that lacks the strategies that search: asking for one is a status with a text, and no plan. Exits
   with the number of calls that went another way. */
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

int main(void) {
  no_memory_planner_has(TFLITE_ARENA_STRATEGY_BEST, "strategy best is not part of this build");
  no_memory_planner_has(TFLITE_ARENA_STRATEGY_EXACT, "strategy exact is not part of this build");
  no_planner_has(TFLITE_ARENA_STRATEGY_BEST);
  no_planner_has(TFLITE_ARENA_STRATEGY_EXACT);
  return failures;
}
