/* NULL and garbage for the planner without a graph. */
#include "sweep.h"

static void sweep_null_planner(void) {
  check_situation("%s", "no memory planner");
  int32_t handle = UNTOUCHED_INT;
  size_t bytes = UNTOUCHED_SIZE;
  CHECK_REFUSED(SWEPT(tflite_memory_planner_create, NULL));
  SWEPT(tflite_memory_planner_destroy, NULL);
  CHECK_REFUSED(SWEPT(tflite_memory_planner_options_init, NULL));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_add_buffer, NULL, 8, 64, 0, 1, &handle));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_add_fixed_buffer, NULL, 8, 64, 0, 1, 0, &handle));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_plan, NULL, NULL));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_get_buffer_handle, NULL, 0, &handle));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_get_offset, NULL, 0, &bytes));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_arena_size, NULL, &bytes));
  CHECK_REFUSED(SWEPT(tflite_memory_planner_lower_bound, NULL, &bytes));
  CHECK(SWEPT(tflite_memory_planner_last_error, NULL) != NULL);
  CHECK(handle == UNTOUCHED_INT && bytes == UNTOUCHED_SIZE);
}

static void sweep_null_answers(TfliteArenaMemoryPlanner *planner) {
  check_situation("%s", "nowhere to answer");
  CHECK_REFUSED(tflite_memory_planner_add_buffer(planner, 8, 64, 0, 1, NULL));
  CHECK_REFUSED(tflite_memory_planner_add_fixed_buffer(planner, 8, 64, 0, 1, 0, NULL));
  CHECK_REFUSED(tflite_memory_planner_get_buffer_handle(planner, 0, NULL));
  CHECK_REFUSED(tflite_memory_planner_get_offset(planner, 0, NULL));
  CHECK_REFUSED(tflite_memory_planner_arena_size(planner, NULL));
  CHECK_REFUSED(tflite_memory_planner_lower_bound(planner, NULL));
}

static void sweep_buffers(TfliteArenaMemoryPlanner *planner) {
  int32_t handle = UNTOUCHED_INT;
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    if (bad_alignments[i] == 0) continue; /* the plan's */
    check_situation("buffer of alignment %zu", bad_alignments[i]);
    CHECK_STATUS(tflite_memory_planner_add_buffer(planner, 8, bad_alignments[i], 0, 1, &handle),
                 TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  }
  static const int32_t nodes[][2] = {{-1, 1},        {-1, -1},          {INT32_MIN, INT32_MAX}, {0, -1},
                                     {0, INT32_MIN}, {1, 0},            {INT32_MAX, INT32_MAX - 1}};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
    check_situation("nodes %d to %d", (int)nodes[i][0], (int)nodes[i][1]);
    CHECK_STATUS(tflite_memory_planner_add_buffer(planner, 8, 64, nodes[i][0], nodes[i][1], &handle),
                 TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  }
  CHECK_INT(handle, UNTOUCHED_INT);
}

/* Three buffers are there, and planned: 100 bytes each, at 0, 128 and 256. */
static void check_plan(const TfliteArenaMemoryPlanner *planner) {
  size_t bytes = UNTOUCHED_SIZE;
  for (int32_t handle = 0; handle < 3; handle++) {
    CHECK_OK(tflite_memory_planner_get_offset(planner, handle, &bytes));
    CHECK_SIZE(bytes, 128 * (size_t)handle);
  }
  CHECK_OK(tflite_memory_planner_arena_size(planner, &bytes));
  CHECK_SIZE(bytes, 356);
}

static void sweep_handles(const TfliteArenaMemoryPlanner *planner) {
  for (size_t i = 0; i < NUM_WILD_INDICES; i++) {
    check_situation("handle %d", (int)wild_indices[i]);
    int32_t handle = UNTOUCHED_INT;
    size_t bytes = UNTOUCHED_SIZE;
    CHECK_STATUS(tflite_memory_planner_get_offset(planner, wild_indices[i], &bytes),
                 TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
    CHECK_STATUS(tflite_memory_planner_get_buffer_handle(planner, (size_t)wild_indices[i], &handle),
                 TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
    CHECK(handle == UNTOUCHED_INT && bytes == UNTOUCHED_SIZE);
  }
}

static void sweep_plan_options(TfliteArenaMemoryPlanner *planner) {
  TfliteArenaMemoryPlannerOptions defaults, options;
  CHECK_OK(tflite_memory_planner_options_init(&defaults));
  static const size_t sizes[] = {0, sizeof defaults - 1, sizeof defaults + 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_situation("options of struct_size %zu", sizes[i]);
    options = defaults;
    options.struct_size = sizes[i];
    CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  }
  static const int32_t strategies[] = {INT32_MIN, -1, 4, INT32_MAX};
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    check_situation("strategy %d", (int)strategies[i]);
    options = defaults;
    options.strategy = strategies[i];
    CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  }
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    check_situation("plan of alignment %zu", bad_alignments[i]);
    options = defaults;
    options.alignment = bad_alignments[i];
    CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_BAD_ALIGNMENT);
  }
  check_plan(planner);
}

/* Sizes, alignments, offsets and nodes that nobody has. */
static void sweep_extremes(void) {
  static const struct {
    size_t size, alignment, offset;
    int32_t first_node, last_node;
    TfliteArenaStatus status;
  } second[] = {
      {SIZE_MAX, 1, SIZE_MAX, 0, 0, TFLITE_ARENA_STATUS_OVERFLOW},
      {1, SIZE_MAX / 2 + 1, SIZE_MAX, 0, 0, TFLITE_ARENA_STATUS_OK},
      {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX, 0, 0, TFLITE_ARENA_STATUS_OVERFLOW},
      {SIZE_MAX, 1, 64, 0, 0, TFLITE_ARENA_STATUS_INVALID_ARGUMENT},
      {8, 1, SIZE_MAX - 4, 0, 0, TFLITE_ARENA_STATUS_INVALID_ARGUMENT},
      {8, 1, SIZE_MAX, INT32_MAX, INT32_MAX, TFLITE_ARENA_STATUS_OK},
      {8, 1, SIZE_MAX, 0, INT32_MAX, TFLITE_ARENA_STATUS_OK},
      {SIZE_MAX, 1, SIZE_MAX, 1, INT32_MAX - 1, TFLITE_ARENA_STATUS_OK},
  };
  for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
    for (int32_t strategy = 0; strategy <= TFLITE_ARENA_STRATEGY_EXACT; strategy++) {
      check_situation("extreme %zu, strategy %d", i, (int)strategy);
      TfliteArenaMemoryPlanner *planner = NULL;
      TfliteArenaMemoryPlannerOptions options;
      int32_t handle = UNTOUCHED_INT;
      CHECK_OK(tflite_memory_planner_create(&planner));
      CHECK_OK(tflite_memory_planner_options_init(&options));
      options.strategy = strategy;
      CHECK_OK(tflite_memory_planner_add_buffer(planner, 64, 64, 0, 0, &handle));
      CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, second[i].size, second[i].alignment,
                                                      second[i].first_node, second[i].last_node,
                                                      second[i].offset, &handle));
      CHECK_STATUS(tflite_memory_planner_plan(planner, &options), second[i].status);
      tflite_memory_planner_destroy(planner);
    }
  }
}

void sweep_memory_planner(void) {
  sweep_null_planner();
  check_situation("%s", "memory planner");
  TfliteArenaMemoryPlanner *planner = NULL;
  CHECK_OK(tflite_memory_planner_create(&planner));
  for (int32_t i = 0; i < 3; i++) {
    int32_t handle = UNTOUCHED_INT;
    CHECK_OK(tflite_memory_planner_add_buffer(planner, 100, 0, 0, 2, &handle));
    CHECK_INT(handle, i);
  }
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  sweep_null_answers(planner);
  sweep_buffers(planner);
  sweep_handles(planner);
  sweep_plan_options(planner);
  tflite_memory_planner_destroy(planner);
  sweep_extremes();
}
