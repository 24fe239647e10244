/* Garbage in planner options and in tflite_arena_planner_create. */
#include <string.h>

#include "network.h"
#include "sweep.h"

static void check_create_refuses(const Network *network, const TfliteArenaPlannerOptions *options) {
  TfliteArenaPlanner *planner = UNTOUCHED_POINTER;
  CHECK_REFUSED(tflite_arena_planner_create(&network->info, options, &planner));
  CHECK_POINTER(planner, UNTOUCHED_POINTER);
}

static TfliteArenaPlannerOptions defaults(void) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(SWEPT(tflite_arena_planner_options_init, &options));
  CHECK_SIZE(options.struct_size, sizeof options);
  CHECK_INT(options.preserve_all_tensors, 0);
  CHECK_INT(options.strategy, TFLITE_ARENA_STRATEGY_GREEDY);
  CHECK_SIZE(options.tensor_alignment, 64);
  CHECK_POINTER(options.allocator, NULL);
  return options;
}

/* A program that was built with a newer header has more behind what the library knows. The defaults say
   by their struct_size what was filled in; what the program adds is refused, not ignored. */
static void sweep_newer_options(const Network *network) {
  struct {
    TfliteArenaPlannerOptions known;
    uint64_t newer;
  } options;
  static const uint64_t values[] = {0, 1};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    check_situation("newer options, %d in the new member", (int)values[i]);
    options.newer = values[i];
    CHECK_OK(tflite_arena_planner_options_init(&options.known));
    CHECK_SIZE(options.known.struct_size, sizeof options.known);
    CHECK(options.newer == values[i]);
    options.known.struct_size = sizeof options;
    check_create_refuses(network, &options.known);
  }
}

void sweep_options(void) {
  check_situation("%s", "options");
  Network network = network_parse("x:64 in; A:64; B:64 out; x->A; A->B");
  network_build(&network);

  CHECK_REFUSED(SWEPT(tflite_arena_planner_options_init, NULL));
  TfliteArenaPlanner *planner = UNTOUCHED_POINTER;
  CHECK_REFUSED(SWEPT(tflite_arena_planner_create, NULL, NULL, &planner));
  CHECK_POINTER(planner, UNTOUCHED_POINTER);
  CHECK_REFUSED(tflite_arena_planner_create(&network.info, NULL, NULL));

  static const size_t sizes[] = {0, sizeof(TfliteArenaPlannerOptions) - 1,
                                 sizeof(TfliteArenaPlannerOptions) + 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_situation("options of %zu bytes", sizes[i]);
    TfliteArenaPlannerOptions options = defaults();
    options.struct_size = sizes[i];
    check_create_refuses(&network, &options);
  }
  sweep_newer_options(&network);
  static const int32_t strategies[] = {INT32_MIN, -1, 4, INT32_MAX};
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    check_situation("strategy %d", (int)strategies[i]);
    TfliteArenaPlannerOptions options = defaults();
    options.strategy = strategies[i];
    check_create_refuses(&network, &options);
  }
  static const int32_t booleans[] = {INT32_MIN, -1, 2, INT32_MAX};
  for (size_t i = 0; i < sizeof booleans / sizeof *booleans; i++) {
    check_situation("preserve_all_tensors %d", (int)booleans[i]);
    TfliteArenaPlannerOptions options = defaults();
    options.preserve_all_tensors = booleans[i];
    check_create_refuses(&network, &options);
  }
  for (size_t i = 0; i < NUM_BAD_ALIGNMENTS; i++) {
    check_situation("alignment %zu", bad_alignments[i]);
    TfliteArenaPlannerOptions options = defaults();
    options.tensor_alignment = bad_alignments[i];
    check_create_refuses(&network, &options);
  }

  /* The largest power of two is an alignment, but nobody has memory for two tensors at it. */
  check_situation("%s", "largest alignment");
  TfliteArenaPlannerOptions options = defaults();
  options.tensor_alignment = SIZE_MAX / 2 + 1;
  CHECK_OK(tflite_arena_planner_create(&network.info, &options, &network.planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
  CHECK_REFUSED(tflite_arena_planner_execute_allocations(network.planner, 0, 1));
  for (int32_t tensor = 0; tensor < 3; tensor++) CHECK_POINTER(network_data(&network, tensor), NULL);
  network_free(&network);
}
