/* Random buffers through the planner without a graph: each strategy's plan is one, none is above that of a simpler strategy,
   greedy places as a bare arena does that is asked in its order, and what was added in another order lies where it did. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "random.h"
#include "tflite_arena.h"

/* Steps are for exact, which gets more than best takes by itself. */
enum { MOST_BUFFERS = 24, PROBLEMS = 200, STEPS = 10000 };

typedef struct {
  size_t size, alignment;
  int32_t first_node, last_node;
} Buffer;

/* No two are of one size: then nothing depends on the order in which they come. */
static size_t random_buffers(Random *random, Buffer *buffers) {
  size_t count = 1 + random_below(random, MOST_BUFFERS);
  for (size_t i = 0; i < count; i++) {
    buffers[i].size = 1 + MOST_BUFFERS * random_below(random, 40) + i;
    buffers[i].alignment = (size_t)1 << random_below(random, 7);
    buffers[i].first_node = (int32_t)random_below(random, 12);
    buffers[i].last_node = buffers[i].first_node + (int32_t)random_below(random, 6);
  }
  return count;
}

static int compare_sizes(const void *one, const void *other) {
  size_t a = ((const Buffer *)one)->size, b = ((const Buffer *)other)->size;
  return (a < b) - (a > b);
}

typedef struct {
  size_t offsets[MOST_BUFFERS], size, lower_bound;
} Plan;

/* Plans the buffers, added from the first to the last or the other way round. */
static Plan plan_of(const Buffer *buffers, size_t count, int32_t strategy, bool backwards) {
  Plan plan = {{0}, 0, 0};
  TfliteArenaMemoryPlanner *planner = NULL;
  TfliteArenaMemoryPlannerOptions options;
  CHECK_OK(tflite_memory_planner_create(&planner));
  CHECK_OK(tflite_memory_planner_options_init(&options));
  options.strategy = strategy;
  options.steps = strategy == TFLITE_ARENA_STRATEGY_EXACT ? STEPS : 0;
  int32_t handles[MOST_BUFFERS];
  for (size_t i = 0; i < count; i++) {
    size_t at = backwards ? count - 1 - i : i;
    CHECK_OK(tflite_memory_planner_add_buffer(planner, buffers[at].size, buffers[at].alignment,
                                              buffers[at].first_node, buffers[at].last_node, &handles[at]));
  }
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  for (size_t i = 0; i < count; i++) {
    CHECK_OK(tflite_memory_planner_get_offset(planner, handles[i], &plan.offsets[i]));
  }
  CHECK_OK(tflite_memory_planner_arena_size(planner, &plan.size));
  CHECK_OK(tflite_memory_planner_lower_bound(planner, &plan.lower_bound));
  tflite_memory_planner_destroy(planner);
  return plan;
}

static void check_plan(const Buffer *buffers, size_t count, const Plan *plan) {
  size_t height = 0;
  for (size_t i = 0; i < count; i++) {
    size_t end = plan->offsets[i] + buffers[i].size;
    if (end > height) height = end;
    CHECK_SIZE(plan->offsets[i] % buffers[i].alignment, 0);
    for (size_t j = 0; j < i; j++) {
      bool meet = buffers[i].first_node <= buffers[j].last_node && buffers[j].first_node <= buffers[i].last_node;
      CHECK(!meet || end <= plan->offsets[j] || plan->offsets[j] + buffers[j].size <= plan->offsets[i]);
    }
  }
  CHECK_SIZE(plan->size, height);
  CHECK(plan->lower_bound <= plan->size);
}

static void check_greedy(const Buffer *buffers, size_t count, const Plan *plan) {
  TfliteArenaSimpleMemoryArena *arena = NULL;
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  for (size_t i = 0; i < count; i++) {
    TfliteArenaAllocWithUsageInterval alloc;
    CHECK_OK(tflite_simple_memory_arena_allocate(arena, buffers[i].alignment, buffers[i].size, (int32_t)i,
                                                 buffers[i].first_node, buffers[i].last_node, &alloc));
    CHECK_SIZE(plan->offsets[i], alloc.offset);
  }
  tflite_simple_memory_arena_destroy(arena);
}

int main(void) {
  Random random = {1};
  size_t lower = 0;
  for (int problem = 0; problem < PROBLEMS; problem++) {
    check_situation("problem %d", problem);
    Buffer buffers[MOST_BUFFERS];
    size_t count = random_buffers(&random, buffers);
    qsort(buffers, count, sizeof *buffers, compare_sizes);
    Plan plans[4];
    for (int32_t strategy = 0; strategy < 4; strategy++) {
      plans[strategy] = plan_of(buffers, count, strategy, false);
      check_plan(buffers, count, &plans[strategy]);
      if (strategy == TFLITE_ARENA_STRATEGY_IN_ORDER) continue; /* ties of first nodes go by handle */
      Plan backwards = plan_of(buffers, count, strategy, true);
      for (size_t i = 0; i < count; i++) CHECK_SIZE(backwards.offsets[i], plans[strategy].offsets[i]);
    }
    const Plan *greedy = &plans[TFLITE_ARENA_STRATEGY_GREEDY], *best = &plans[TFLITE_ARENA_STRATEGY_BEST];
    const Plan *exact = &plans[TFLITE_ARENA_STRATEGY_EXACT];
    check_greedy(buffers, count, greedy);
    CHECK(exact->lower_bound <= exact->size && exact->size <= best->size && best->size <= greedy->size);
    CHECK(exact->lower_bound <= best->size);
    lower += best->size < greedy->size;
  }
  check_no_situation();
  printf("best is below greedy in %zu of %d problems\n", lower, PROBLEMS);
  CHECK(lower > 0);
  return check_finish();
}
