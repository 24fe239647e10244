/* The planner of buffers without a graph: what its strategies place where, the caller's own ones, what it refuses. */
#include <string.h>

#include "check.h"
#include "tflite_arena.h"

typedef TfliteArenaMemoryPlanner Planner;
typedef TfliteArenaMemoryPlannerOptions Options;
typedef TfliteArenaMemoryBuffer Buffer;

static Planner *new_planner(void) {
  Planner *planner = NULL;
  CHECK_OK(tflite_memory_planner_create(&planner));
  return planner;
}

static int32_t add(Planner *planner, size_t size, int32_t first_node, int32_t last_node) {
  int32_t handle = -1;
  CHECK_OK(tflite_memory_planner_add_buffer(planner, size, 0, first_node, last_node, &handle));
  return handle;
}

/* Places to the byte, so that numbers are easy. */
static Options options_of(int32_t strategy) {
  Options options;
  CHECK_OK(tflite_memory_planner_options_init(&options));
  options.strategy = strategy;
  options.alignment = 1;
  return options;
}

static size_t offset_of(const Planner *planner, int32_t handle) {
  size_t offset = SIZE_MAX;
  CHECK_OK(tflite_memory_planner_get_offset(planner, handle, &offset));
  return offset;
}

static size_t arena_size(const Planner *planner) {
  size_t bytes = SIZE_MAX;
  CHECK_OK(tflite_memory_planner_arena_size(planner, &bytes));
  return bytes;
}

static size_t lower_bound(const Planner *planner) {
  size_t bytes = SIZE_MAX;
  CHECK_OK(tflite_memory_planner_lower_bound(planner, &bytes));
  return bytes;
}

static void check_offsets(const Planner *planner, const size_t *offsets, size_t count) {
  for (size_t i = 0; i < count; i++) CHECK_SIZE(offset_of(planner, (int32_t)i), offsets[i]);
}

#define CHECK_OFFSETS(planner, ...) \
  check_offsets(planner, (const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* 0 alive at 1 and 2, 1 at 0 and 1, 2 at 2 and 3. */
static Planner *planner_of_three(void) {
  Planner *planner = new_planner();
  CHECK_INT(add(planner, 30, 1, 2), 0);
  CHECK_INT(add(planner, 10, 0, 1), 1);
  CHECK_INT(add(planner, 20, 2, 3), 2);
  return planner;
}

static void buffers_get_the_offsets_of_their_strategy(void) {
  Planner *planner = planner_of_three();
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_OFFSETS(planner, 0, 30, 30);
  CHECK_SIZE(arena_size(planner), 50);
  CHECK_SIZE(lower_bound(planner), 50);
  /* The one that begins first is at 0, the next on it, and the last on that. */
  options = options_of(TFLITE_ARENA_STRATEGY_IN_ORDER);
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_OFFSETS(planner, 10, 0, 40);
  CHECK_SIZE(arena_size(planner), 60);
  CHECK_SIZE(lower_bound(planner), 50);
  tflite_memory_planner_destroy(planner);
}

/* By default greedily and at multiples of 64; a buffer may have an alignment of its own, finer or coarser. */
static void alignment_is_the_buffers_own_or_the_plan_s(void) {
  Planner *planner = planner_of_three();
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  CHECK_OFFSETS(planner, 0, 64, 64);
  CHECK_SIZE(arena_size(planner), 84);
  int32_t fine = -1, coarse = -1;
  CHECK_OK(tflite_memory_planner_add_buffer(planner, 5, 1, 1, 2, &fine));
  CHECK_OK(tflite_memory_planner_add_buffer(planner, 2, 256, 1, 2, &coarse));
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  CHECK_OFFSETS(planner, 0, 64, 64, 30, 256);
  CHECK_SIZE(arena_size(planner), 258);
  tflite_memory_planner_destroy(planner);
}

/* 16 to 20 is taken from 0 to 1: 10 bytes go before it, 8 behind. */
static void what_is_fixed_stays_where_it_is(void) {
  Planner *planner = new_planner();
  int32_t fixed = -1;
  add(planner, 10, 0, 1);
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 4, 0, 0, 1, 16, &fixed));
  CHECK_INT(fixed, 1);
  add(planner, 8, 1, 1);
  for (int32_t strategy = TFLITE_ARENA_STRATEGY_GREEDY; strategy <= TFLITE_ARENA_STRATEGY_IN_ORDER; strategy++) {
    Options options = options_of(strategy);
    CHECK_OK(tflite_memory_planner_plan(planner, &options));
    CHECK_OFFSETS(planner, 0, 16, 20);
    CHECK_SIZE(arena_size(planner), 28);
    CHECK_SIZE(lower_bound(planner), 22);
  }
  tflite_memory_planner_destroy(planner);
}

static void fixed_buffers_that_cannot_be_are_refused(void) {
  Planner *planner = new_planner();
  int32_t handle = -1;
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 8, 8, 0, 2, 16, &handle));
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 8, 1, 3, 3, 23, &handle));
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 8, 1, 2, 2, 23, &handle));
  CHECK_STATUS(tflite_memory_planner_plan(planner, NULL), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "buffers 2 and 0 overlap");
  tflite_memory_planner_destroy(planner);

  planner = new_planner();
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 8, 8, 0, 2, 12, &handle));
  CHECK_STATUS(tflite_memory_planner_plan(planner, NULL), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "buffer 0 is misplaced");
  tflite_memory_planner_destroy(planner);
}

static void a_plan_is_of_the_buffers_there_are(void) {
  Planner *planner = new_planner();
  size_t bytes = SIZE_MAX;
  CHECK_STATUS(tflite_memory_planner_arena_size(planner, &bytes), TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  CHECK_SIZE(arena_size(planner), 0);
  CHECK_SIZE(lower_bound(planner), 0);
  int32_t handle = add(planner, 100, 0, 0);
  CHECK_STATUS(tflite_memory_planner_arena_size(planner, &bytes), TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK_STATUS(tflite_memory_planner_lower_bound(planner, &bytes), TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK_STATUS(tflite_memory_planner_get_offset(planner, handle, &bytes), TFLITE_ARENA_STATUS_NOT_PLANNED);
  CHECK_SIZE(bytes, SIZE_MAX);
  /* No bytes take no room. */
  add(planner, 0, 0, 0);
  CHECK_OK(tflite_memory_planner_plan(planner, NULL));
  CHECK_OFFSETS(planner, 0, 0);
  CHECK_SIZE(arena_size(planner), 100);
  tflite_memory_planner_destroy(planner);
}

static void handles_are_found_by_position(void) {
  Planner *planner = planner_of_three();
  int32_t handle = -1;
  for (size_t i = 0; i < 3; i++) {
    CHECK_OK(tflite_memory_planner_get_buffer_handle(planner, i, &handle));
    CHECK_INT(handle, (int64_t)i);
  }
  CHECK_STATUS(tflite_memory_planner_get_buffer_handle(planner, 3, &handle), TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
  CHECK_INT(handle, 2);
  tflite_memory_planner_destroy(planner);
}

/* Greedy puts 3 at 0, so 2, alive all the time, on it; then 0 below 2, and 1 behind it: 7. With 2 on 0 and 1 it is 6. */
static Planner *planner_with_a_hole(void) {
  Planner *planner = new_planner();
  add(planner, 2, 1, 2);
  add(planner, 2, 1, 2);
  add(planner, 2, 0, 3);
  add(planner, 3, 3, 3);
  return planner;
}

static void a_plan_above_the_capacity_is_refused_and_the_one_before_stays(void) {
  Planner *planner = planner_with_a_hole();
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  options.capacity = 7;
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_SIZE(arena_size(planner), 7);
  CHECK_SIZE(lower_bound(planner), 6);
  options.capacity = 6;
  CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_ABOVE_CAPACITY);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "7 bytes are above the capacity");
  CHECK_OFFSETS(planner, 0, 5, 3, 0);
  CHECK_SIZE(arena_size(planner), 7);
  tflite_memory_planner_destroy(planner);
}

/* Both find what greedy does not: 2 on 0 and 1. Where that would be no use, they leave greedy's plan alone. */
static void strategies_that_search_find_the_lowest_plan(void) {
  for (int32_t strategy = TFLITE_ARENA_STRATEGY_BEST; strategy <= TFLITE_ARENA_STRATEGY_EXACT; strategy++) {
    Planner *planner = planner_with_a_hole();
    Options options = options_of(strategy);
    CHECK_OK(tflite_memory_planner_plan(planner, &options));
    CHECK_SIZE(arena_size(planner), 6);
    CHECK_SIZE(lower_bound(planner), 6);
    options.capacity = 6;
    CHECK_OK(tflite_memory_planner_plan(planner, &options));
    CHECK_SIZE(arena_size(planner), 6);
    options.capacity = 7;
    CHECK_OK(tflite_memory_planner_plan(planner, &options));
    CHECK_OFFSETS(planner, 0, 5, 3, 0);
    options.capacity = 5;
    CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_ABOVE_CAPACITY);
    CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "above the capacity");
    CHECK_OFFSETS(planner, 0, 5, 3, 0);
    tflite_memory_planner_destroy(planner);
  }
}

/* 3 must be at 0 and 2 at 3, as greedy has them: there is no way around 7. */
static void strategies_that_search_leave_alone_what_is_fixed(void) {
  for (int32_t strategy = TFLITE_ARENA_STRATEGY_BEST; strategy <= TFLITE_ARENA_STRATEGY_EXACT; strategy++) {
    Planner *planner = new_planner();
    int32_t handle = -1;
    add(planner, 2, 1, 2);
    add(planner, 2, 1, 2);
    CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 2, 0, 0, 3, 3, &handle));
    CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 3, 0, 3, 3, 0, &handle));
    Options options = options_of(strategy);
    CHECK_OK(tflite_memory_planner_plan(planner, &options));
    CHECK_OFFSETS(planner, 0, 5, 3, 0);
    CHECK_SIZE(lower_bound(planner), 7);
    CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 1, 0, 3, 3, 4, &handle));
    CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
    CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "overlap");
    tflite_memory_planner_destroy(planner);
  }
}

/* What a caller's own strategy is to answer, and whether it was handed the buffers as they were added. */
typedef struct {
  int32_t status;
  size_t count;
  int32_t order[4];
  size_t offsets[4];
  size_t calls;
} Answer;

static void check_buffers_with_a_hole(const Buffer *buffers, size_t count) {
  static const Buffer expected[4] = {
      {2, 0, SIZE_MAX, 1, 2}, {2, 0, SIZE_MAX, 1, 2}, {2, 0, SIZE_MAX, 0, 3}, {3, 0, SIZE_MAX, 3, 3}};
  if (!CHECK_SIZE(count, 4)) return;
  for (size_t i = 0; i < count; i++) {
    CHECK_SIZE(buffers[i].size, expected[i].size);
    CHECK_SIZE(buffers[i].alignment, expected[i].alignment);
    CHECK_SIZE(buffers[i].offset, expected[i].offset);
    CHECK_INT(buffers[i].first_node, expected[i].first_node);
    CHECK_INT(buffers[i].last_node, expected[i].last_node);
  }
}

static int32_t order_as_told(void *user, const Buffer *buffers, size_t count, int32_t *order) {
  Answer *answer = user;
  answer->calls++;
  check_buffers_with_a_hole(buffers, count);
  for (size_t i = 0; i < answer->count; i++) order[i] = answer->order[i];
  return answer->status;
}

static int32_t place_as_told(void *user, const Buffer *buffers, size_t count, size_t *offsets) {
  Answer *answer = user;
  answer->calls++;
  check_buffers_with_a_hole(buffers, count);
  for (size_t i = 0; i < answer->count; i++) offsets[i] = answer->offsets[i];
  return answer->status;
}

static void the_caller_s_own_strategy_is_followed(void) {
  Planner *planner = planner_with_a_hole();
  Answer answer = {0, 4, {1, 0, 2, 3}, {2, 0, 4, 1}, 0};
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  options.user = &answer;
  options.order = order_as_told;
  options.capacity = 6;
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_OFFSETS(planner, 2, 0, 4, 0);
  CHECK_SIZE(arena_size(planner), 6);
  options.order = NULL;
  options.place = place_as_told;
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_OFFSETS(planner, 2, 0, 4, 1);
  CHECK_SIZE(arena_size(planner), 6);
  CHECK_SIZE(lower_bound(planner), 6);
  CHECK_SIZE(answer.calls, 2);
  options.order = order_as_told;
  CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "order and place are both set");
  CHECK_SIZE(answer.calls, 2);
  tflite_memory_planner_destroy(planner);
}

/* Refused, with a text, and the plan of before is still there. */
static void check_answer_refused(Options options, const Answer *answer, TfliteArenaStatus status, const char *text) {
  check_situation("%s", text);
  Planner *planner = planner_with_a_hole();
  Options before = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  CHECK_OK(tflite_memory_planner_plan(planner, &before));
  Answer told = *answer;
  options.user = &told;
  CHECK_STATUS(tflite_memory_planner_plan(planner, &options), status);
  CHECK_SIZE(told.calls, 1);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), text);
  CHECK_OFFSETS(planner, 0, 5, 3, 0);
  CHECK_SIZE(arena_size(planner), 7);
  tflite_memory_planner_destroy(planner);
  check_no_situation();
}

/* 3, or 0, is left out: something else is named in its place, or nothing. */
static void an_order_that_is_none_is_refused(void) {
  static const Answer answers[] = {
      {0, 4, {0, 1, 2, 2}, {0}, 0},  {0, 4, {0, 1, 2, 4}, {0}, 0},         {0, 4, {0, 1, 2, -1}, {0}, 0},
      {0, 3, {0, 1, 2}, {0}, 0},     {0, 4, {INT32_MIN, 1, 2, 3}, {0}, 0}, {0, 4, {INT32_MAX, 1, 2, 3}, {0}, 0},
  };
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  options.order = order_as_told;
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    check_answer_refused(options, &answers[i], TFLITE_ARENA_STATUS_INVALID_ARGUMENT,
                         i < 4 ? "buffer 3 is misplaced" : "buffer 0 is misplaced");
  }
  static const Answer fails = {-1, 4, {0, 1, 2, 3}, {0}, 0};
  check_answer_refused(options, &fails, TFLITE_ARENA_STATUS_INVALID_ARGUMENT, "the caller's strategy failed");
  /* 0, 1, 2 and 3 as they come: 3 at 0, below 2. In the order 3, 2, 0, 1 it is as with greedy. */
  static const Answer high = {0, 4, {3, 2, 0, 1}, {0}, 0};
  options.capacity = 6;
  check_answer_refused(options, &high, TFLITE_ARENA_STATUS_ABOVE_CAPACITY, "7 bytes are above the capacity");
}

static void a_placement_that_is_none_is_refused(void) {
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  options.place = place_as_told;
  const struct {
    Answer answer;
    const char *text;
  } cases[] = {
      {{0, 4, {0}, {0, 1, 4, 0}, 0}, "buffers 0 and 1 overlap"},
      {{0, 4, {0}, {0, 2, 4, 2}, 0}, "buffers 3 and 2 overlap"},
      /* One was forgotten, one reaches beyond the address space. */
      {{0, 3, {0}, {0, 2, 4, 0}, 0}, "buffer 3 is misplaced"},
      {{0, 4, {0}, {0, SIZE_MAX - 1, 4, 0}, 0}, "buffer 1 is misplaced"},
      {{1, 4, {0}, {0, 2, 4, 0}, 0}, "the caller's strategy failed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_answer_refused(options, &cases[i].answer, TFLITE_ARENA_STATUS_INVALID_ARGUMENT, cases[i].text);
  }
  static const Answer high = {0, 4, {0}, {0, 2, 8, 0}, 0};
  options.capacity = 9;
  check_answer_refused(options, &high, TFLITE_ARENA_STATUS_ABOVE_CAPACITY, "10 bytes are above the capacity");
}

static int32_t place_at_4(void *user, const Buffer *buffers, size_t count, size_t *offsets) {
  (void)user;
  (void)buffers;
  for (size_t i = 0; i < count; i++) offsets[i] = 4;
  return 0;
}

/* Alignment 4 may lie at 4, 8 may not; what is fixed elsewhere may not either. */
static void a_placement_heeds_alignments_and_fixed_buffers(void) {
  Options options = options_of(TFLITE_ARENA_STRATEGY_GREEDY);
  options.place = place_at_4;
  Planner *planner = new_planner();
  int32_t handle = -1;
  CHECK_OK(tflite_memory_planner_add_buffer(planner, 4, 4, 0, 0, &handle));
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 4, 4, 1, 1, 4, &handle));
  CHECK_OK(tflite_memory_planner_plan(planner, &options));
  CHECK_SIZE(arena_size(planner), 8);
  CHECK_OK(tflite_memory_planner_add_buffer(planner, 4, 8, 2, 2, &handle));
  CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "buffer 2 is misplaced");
  tflite_memory_planner_destroy(planner);

  planner = new_planner();
  CHECK_OK(tflite_memory_planner_add_fixed_buffer(planner, 4, 4, 1, 1, 8, &handle));
  CHECK_STATUS(tflite_memory_planner_plan(planner, &options), TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  CHECK_CONTAINS(tflite_memory_planner_last_error(planner), "buffer 0 is misplaced");
  tflite_memory_planner_destroy(planner);
}

int main(void) {
  buffers_get_the_offsets_of_their_strategy();
  alignment_is_the_buffers_own_or_the_plan_s();
  what_is_fixed_stays_where_it_is();
  fixed_buffers_that_cannot_be_are_refused();
  a_plan_is_of_the_buffers_there_are();
  handles_are_found_by_position();
  a_plan_above_the_capacity_is_refused_and_the_one_before_stays();
  strategies_that_search_find_the_lowest_plan();
  strategies_that_search_leave_alone_what_is_fixed();
  the_caller_s_own_strategy_is_followed();
  an_order_that_is_none_is_refused();
  a_placement_that_is_none_is_refused();
  a_placement_heeds_alignments_and_fixed_buffers();
  return check_finish();
}
