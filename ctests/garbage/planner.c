/* NULL and garbage for the planner's methods. */
#include <string.h>

#include "network.h"
#include "shadow.h"
#include "sweep.h"

static const int32_t execution_plan[] = {0, 1};

static void count_text(void *user, const char *text, size_t length) {
  (void)text;
  *(size_t *)user += length;
}

static void count_record(void *user, const TfliteArenaTensorRecord *record) {
  (void)record;
  ++*(size_t *)user;
}

static void count_event(void *user, const TfliteArenaEvent *event) {
  (void)event;
  ++*(size_t *)user;
}

/* Out-parameters for every method that has some. */
typedef struct {
  size_t arena, persistent;
  bool has;
  intptr_t base;
  TfliteArenaPlanInfo info;
  TfliteArenaTensorPlan plan;
  size_t written, visited, events;
} Answers;

static void sweep_null_planner(void) {
  check_situation("%s", "no planner");
  Answers answers, before;
  memset(&before, 0, sizeof before);
  memset(&answers, 0, sizeof answers);
  SWEPT(tflite_arena_planner_destroy, NULL);
  CHECK_REFUSED(SWEPT(tflite_arena_planner_plan_allocations, NULL));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_execute_allocations, NULL, 0, 1));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_reset_allocations, NULL));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_reset_allocations_after, NULL, 0));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_release_non_persistent_memory, NULL));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_acquire_non_persistent_memory, NULL));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_has_non_persistent_memory, NULL, &answers.has));
  CHECK_REFUSED(
      SWEPT(tflite_arena_planner_get_alloc_info, NULL, &answers.arena, &answers.persistent));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_base_pointer, NULL, 2, &answers.base));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_dump_debug_info, NULL, execution_plan, 2, count_text,
                      &answers.written));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_get_plan_info, NULL, &answers.info));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_get_tensor_plan, NULL, 0, &answers.plan));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_visit_tensors, NULL, count_record, &answers.visited));
  CHECK_REFUSED(SWEPT(tflite_arena_planner_set_event_callback, NULL, count_event, &answers.events));
  CHECK(SWEPT(tflite_arena_planner_last_error, NULL) != NULL);
  CHECK(memcmp(&answers, &before, sizeof answers) == 0);
}

static void sweep_null_answers(TfliteArenaPlanner *planner) {
  check_situation("%s", "nowhere to answer");
  size_t size = UNTOUCHED_SIZE;
  CHECK_REFUSED(tflite_arena_planner_has_non_persistent_memory(planner, NULL));
  CHECK_REFUSED(tflite_arena_planner_base_pointer(planner, 2, NULL));
  CHECK_REFUSED(tflite_arena_planner_get_plan_info(planner, NULL));
  CHECK_REFUSED(tflite_arena_planner_get_tensor_plan(planner, 0, NULL));
  CHECK_REFUSED(tflite_arena_planner_get_alloc_info(planner, NULL, &size));
  CHECK_REFUSED(tflite_arena_planner_get_alloc_info(planner, &size, NULL));
  CHECK_SIZE(size, UNTOUCHED_SIZE);
  CHECK_REFUSED(tflite_arena_planner_dump_debug_info(planner, execution_plan, 2, NULL, NULL));
  size = 0;
  CHECK_REFUSED(tflite_arena_planner_dump_debug_info(planner, NULL, 2, count_text, &size));
  CHECK_REFUSED(
      tflite_arena_planner_dump_debug_info(planner, execution_plan, SIZE_MAX, count_text, &size));
  CHECK_REFUSED(tflite_arena_planner_visit_tensors(planner, NULL, &size));
  CHECK_SIZE(size, 0);
  CHECK_OK(tflite_arena_planner_set_event_callback(planner, NULL, &size));
  CHECK_OK(tflite_arena_planner_reset_allocations_after(planner, 1));
  CHECK_SIZE(size, 0);
}

static void sweep_values(const Network *network) {
  TfliteArenaPlanner *planner = network->planner;
  for (size_t i = 0; i < NUM_WILD_INDICES; i++) {
    check_situation("tensor %d", (int)wild_indices[i]);
    TfliteArenaTensorPlan plan, before;
    memset(&before, 0x5a, sizeof before);
    plan = before;
    CHECK_REFUSED(tflite_arena_planner_get_tensor_plan(planner, wild_indices[i], &plan));
    CHECK(memcmp(&plan, &before, sizeof plan) == 0);
    char asked[32];
    snprintf(asked, sizeof asked, "tensor index %d is outside", (int)wild_indices[i]);
    CHECK_CONTAINS(tflite_arena_planner_last_error(planner), asked);
  }
  static const int32_t types[] = {INT32_MIN, -1, 0, 4, 8, 99, INT32_MAX};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    check_situation("allocation type %d", (int)types[i]);
    intptr_t base = UNTOUCHED_INT;
    CHECK_OK(tflite_arena_planner_base_pointer(planner, types[i], &base));
    CHECK_INT(base, 0); /* as upstream answers for types that have no arena */
  }
  check_situation("%s", "an execution plan of wild nodes");
  size_t written = 0;
  CHECK_OK(tflite_arena_planner_dump_debug_info(planner, wild_indices, NUM_WILD_INDICES,
                                                count_text, &written));
  CHECK(written > 0);
}

/* Ranges that start before the first node are refused or mean nothing, those beyond the last are cut
   off; whatever the status, nothing that is placed may be lost. */
static void sweep_ranges(const Network *network) {
  static const int32_t ends[] = {INT32_MIN, -2, -1, 0, 1, 2, INT32_MAX};
  enum { NUM_ENDS = sizeof ends / sizeof *ends };
  for (size_t first = 0; first < NUM_ENDS; first++) {
    for (size_t last = 0; last < NUM_ENDS; last++) {
      check_situation("nodes %d to %d", (int)ends[first], (int)ends[last]);
      int32_t status =
          tflite_arena_planner_execute_allocations(network->planner, ends[first], ends[last]);
      CHECK(status == TFLITE_ARENA_STATUS_OK ||
            (ends[first] < 0 && status == TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE));
      CHECK_SIZE(network_arena_needed(network), 192);
      CHECK(shadow_is_clean(network));
    }
  }
  for (size_t i = 0; i < NUM_ENDS; i++) {
    check_situation("rewind to %d", (int)ends[i]);
    CHECK_OK(tflite_arena_planner_reset_allocations_after(network->planner, ends[i]));
    CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, 0, 1));
    CHECK_SIZE(network_arena_needed(network), 192);
    CHECK(shadow_is_clean(network));
  }
}

/* Methods in an order that no runtime uses. */
static void sweep_order_of_calls(void) {
  check_situation("%s", "before PlanAllocations");
  Network network = network_parse("x:64 in; A:64; B:64 out; x->A; A->B");
  network_build(&network);
  CHECK_OK(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  TfliteArenaPlanner *planner = network.planner;
  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, 0, 1),
               TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK(strlen(tflite_arena_planner_last_error(planner)) > 0);
  bool has = true;
  CHECK_OK(tflite_arena_planner_has_non_persistent_memory(planner, &has));
  CHECK(!has);
  size_t arena = 1, persistent = 1, written = 0, visited = 0;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(arena, 0);
  CHECK_SIZE(persistent, 0);
  /* These may be refused before a plan or do nothing; they must not break what follows. */
  TfliteArenaPlanInfo info;
  TfliteArenaTensorPlan plan;
  intptr_t base;
  const int32_t statuses[] = {
      tflite_arena_planner_reset_allocations(planner),
      tflite_arena_planner_reset_allocations_after(planner, 0),
      tflite_arena_planner_release_non_persistent_memory(planner),
      tflite_arena_planner_acquire_non_persistent_memory(planner),
      tflite_arena_planner_get_plan_info(planner, &info),
      tflite_arena_planner_get_tensor_plan(planner, 0, &plan),
      tflite_arena_planner_base_pointer(planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &base),
      tflite_arena_planner_dump_debug_info(planner, execution_plan, 2, count_text, &written),
      tflite_arena_planner_visit_tensors(planner, count_record, &visited)};
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
    CHECK(statuses[i] == TFLITE_ARENA_STATUS_OK || statuses[i] >= 100);
  }
  for (int32_t tensor = 0; tensor < 3; tensor++) CHECK_POINTER(network_data(&network, tensor), NULL);

  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 192);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

void sweep_planner(void) {
  sweep_null_planner();
  Network network = network_of("x:64 in; A:64; B:64 out; x->A; A->B");
  network_execute(&network);
  sweep_null_answers(network.planner);
  sweep_values(&network);
  sweep_ranges(&network);
  network_free(&network);
  sweep_order_of_calls();
}
