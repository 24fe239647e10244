/* Every allocation fails once: in each of these lives the n-th
   allocation is refused, for every n until one comes through. Each refusal must be a status, the call
   must succeed when it is made again, and nothing may leak. */
#include "check.h"
#include "failing_malloc.h"
#include "network.h"
#include "shadow.h"

static size_t fail_at;
static bool stay_short;

static void arm(void) { failing_malloc_arm(fail_at, stay_short); }

/* Makes a call. When memory fails it, the status must say so, and the same call must work again. */
#define STEP(call)                                               \
  do {                                                           \
    int32_t status_of_step = (call);                             \
    if (status_of_step == TFLITE_ARENA_STATUS_OK) break;         \
    CHECK_STATUS(status_of_step, TFLITE_ARENA_STATUS_OUT_OF_MEMORY); \
    CHECK(failing_malloc_failed() > 0);                          \
    failing_malloc_disarm();                                     \
    CHECK_OK(call);                                              \
  } while (0)

static void build_graph(Network *network) {
  STEP(tflite_arena_graph_create(&network->graph));
  TfliteArenaGraph *graph = network->graph;
  for (size_t i = 0; i < network->num_tensors; i++) {
    int32_t index = -1;
    STEP(tflite_arena_graph_add_tensor(graph, network->tensors[i].bytes,
                                       network->tensors[i].allocation_type, &index));
    CHECK_INT(index, (int64_t)i);
  }
  for (size_t i = 0; i < network->num_nodes; i++) {
    const NetworkNode *node = &network->nodes[i];
    int32_t index = -1;
    STEP(tflite_arena_graph_add_node(graph, node->inputs.items, node->inputs.count,
                                     node->outputs.items, node->outputs.count, node->flags, &index));
    CHECK_INT(index, (int64_t)i);
    STEP(tflite_arena_graph_set_temporaries(graph, index, node->temporaries.items,
                                            node->temporaries.count));
  }
  STEP(tflite_arena_graph_set_inputs(graph, network->inputs.items, network->inputs.count));
  STEP(tflite_arena_graph_set_outputs(graph, network->outputs.items, network->outputs.count));
  STEP(tflite_arena_graph_set_variables(graph, network->variables.items, network->variables.count));
  STEP(tflite_arena_graph_get_info(graph, &network->info));
}

static void drop_text(void *user, const char *text, size_t length) {
  (void)user;
  (void)text;
  (void)length;
}

static void count_record(void *user, const TfliteArenaTensorRecord *record) {
  (void)record;
  ++*(size_t *)user;
}

static void count_failure(void *user, const TfliteArenaEvent *event) {
  if (event->status != TFLITE_ARENA_STATUS_OK) ++*(size_t *)user;
}

static void life_of_a_planner(void) {
  /* The description is the test's own memory and does not count. */
  failing_malloc_disarm();
  Network network = network_parse(
      "x:256 in; A,B,C,D:256; E:64; F:128 out; T:512; V:64 persistent var; P:64 persistent;"
      "x->A tmp T; A->B R; B->C R; C,V->D S tmp P; B,D->E M; E->F");
  arm();

  build_graph(&network);
  STEP(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  TfliteArenaPlanner *planner = network.planner;
  size_t failures = 0, visited = 0;
  STEP(tflite_arena_planner_set_event_callback(planner, count_failure, &failures));
  STEP(tflite_arena_planner_plan_allocations(planner));
  STEP(tflite_arena_planner_execute_allocations(planner, 0, 2));
  STEP(tflite_arena_planner_execute_allocations(planner, 3, 5));
  STEP(tflite_arena_planner_reset_allocations_after(planner, 3));
  network.tensors[5].bytes = 8192;
  STEP(tflite_arena_graph_set_tensor_bytes(network.graph, 5, 8192));
  network.tensors[9].bytes = 4096;
  STEP(tflite_arena_graph_set_tensor_bytes(network.graph, 9, 4096));
  STEP(tflite_arena_planner_execute_allocations(planner, 3, 5));
  STEP(tflite_arena_planner_release_non_persistent_memory(planner));
  STEP(tflite_arena_planner_acquire_non_persistent_memory(planner));
  static const int32_t plan[] = {0, 1, 2, 3, 4, 5};
  STEP(tflite_arena_planner_dump_debug_info(planner, plan, 6, drop_text, NULL));
  STEP(tflite_arena_planner_visit_tensors(planner, count_record, &visited));
  CHECK_SIZE(visited, network.num_tensors); /* one that is refused memory visits none */
  TfliteArenaPlanInfo info;
  STEP(tflite_arena_planner_get_plan_info(planner, &info));
  STEP(tflite_arena_planner_reset_allocations(planner));
  STEP(tflite_arena_planner_plan_allocations(planner));
  STEP(tflite_arena_planner_execute_allocations(planner, 0, 5));
  failing_malloc_disarm();

  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

static void life_of_an_arena(void) {
  arm();
  TfliteArenaSimpleMemoryArena *arena = NULL;
  STEP(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  TfliteArenaAllocWithUsageInterval allocs[6];
  for (int32_t i = 0; i < 6; i++) {
    /* Each takes the next 64 bytes; all are alive at node 5. */
    STEP(tflite_simple_memory_arena_allocate(arena, 64, 64, i, i, 5, &allocs[i]));
    CHECK_SIZE(allocs[i].offset, (size_t)i * 64);
  }
  bool moved = false;
  STEP(tflite_simple_memory_arena_commit(arena, &moved));
  CHECK(moved);
  STEP(tflite_simple_memory_arena_calculate_active_allocs(arena, allocs, 6, 2));
  STEP(tflite_simple_memory_arena_reset_allocs(arena));
  STEP(tflite_simple_memory_arena_allocate(arena, 64, 4096, 6, 0, 5, &allocs[0]));
  STEP(tflite_simple_memory_arena_commit(arena, &moved));
  void *data = NULL;
  STEP(tflite_simple_memory_arena_resolve_alloc(arena, &allocs[0], &data));
  failing_malloc_disarm();
  if (CHECK(data != NULL)) pattern_write(data, 4096, 1);
  tflite_simple_memory_arena_destroy(arena);
}

static void life_of_a_buffer(void) {
  arm();
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  STEP(tflite_resizable_aligned_buffer_create(256, 0, NULL, &buffer));
  bool moved = false;
  void *data = NULL;
  STEP(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  STEP(tflite_resizable_aligned_buffer_get_ptr(buffer, &data));
  if (CHECK(data != NULL)) pattern_write(data, 100, 1);
  STEP(tflite_resizable_aligned_buffer_resize(buffer, 100000, &moved));
  STEP(tflite_resizable_aligned_buffer_get_ptr(buffer, &data));
  failing_malloc_disarm();
  CHECK_SIZE(pattern_compare(data, 100, 1), 100);
  tflite_resizable_aligned_buffer_destroy(buffer);
}

static int32_t last_first(void *user, const TfliteArenaMemoryBuffer *buffers, size_t count, int32_t *order) {
  (void)user;
  (void)buffers;
  for (size_t i = 0; i < count; i++) order[i] = (int32_t)(count - 1 - i);
  return 0;
}

static int32_t one_behind_the_other(void *user, const TfliteArenaMemoryBuffer *buffers, size_t count, size_t *offsets) {
  (void)user;
  for (size_t i = 0; i < count; i++) offsets[i] = buffers[i].offset == SIZE_MAX ? i * 256 : buffers[i].offset;
  return 0;
}

static void life_of_a_memory_planner(void) {
  arm();
  TfliteArenaMemoryPlanner *planner = NULL;
  STEP(tflite_memory_planner_create(&planner));
  /* Greedy puts D at 0, so C on it, A below C, and B behind C: 448 bytes. With C on A and B it is 384. Beside them is a
     fixed buffer. */
  static const struct {
    size_t size;
    int32_t first_node, last_node;
  } buffers[] = {{128, 1, 2}, {128, 1, 2}, {128, 0, 3}, {192, 3, 3}};
  int32_t handle = -1;
  for (int32_t i = 0; i < 4; i++) {
    STEP(tflite_memory_planner_add_buffer(planner, buffers[i].size, 0, buffers[i].first_node, buffers[i].last_node,
                                          &handle));
    CHECK_INT(handle, i);
  }
  STEP(tflite_memory_planner_add_fixed_buffer(planner, 64, 0, 4, 4, 64, &handle));
  CHECK_INT(handle, 4);
  TfliteArenaMemoryPlannerOptions options;
  STEP(tflite_memory_planner_options_init(&options));
  /* The strategies, and two of the caller's own. */
  static const size_t heights[] = {448, 384, 384, 384, 448, 960};
  for (int way = 0; way < 6; way++) {
    options.strategy = way < 4 ? way : TFLITE_ARENA_STRATEGY_GREEDY;
    options.order = way == 4 ? last_first : NULL;
    options.place = way == 5 ? one_behind_the_other : NULL;
    STEP(tflite_memory_planner_plan(planner, &options));
    size_t bytes = 0;
    STEP(tflite_memory_planner_arena_size(planner, &bytes));
    CHECK_SIZE(bytes, heights[way]);
    STEP(tflite_memory_planner_lower_bound(planner, &bytes));
    CHECK_SIZE(bytes, 384);
  }
  failing_malloc_disarm();
  tflite_memory_planner_destroy(planner);
}

/* Returns how many allocations were refused, one a life, before one life saw no refusal. */
static size_t sweep(const char *name, void (*life)(void)) {
  for (fail_at = 1; fail_at < 10000; fail_at++) {
    check_situation("%s, allocation %zu refused%s", name, fail_at,
                    stay_short ? ", and all after it" : "");
    life();
    CHECK_SIZE(failing_malloc_live(), 0);
    if (failing_malloc_failed() == 0) break;
  }
  return fail_at - 1;
}

int main(void) {
  for (int way = 0; way < 2; way++) {
    stay_short = way == 1;
    size_t planner = sweep("planner", life_of_a_planner);
    size_t arena = sweep("arena", life_of_an_arena);
    size_t buffer = sweep("buffer", life_of_a_buffer);
    size_t memory_planner = sweep("memory planner", life_of_a_memory_planner);
    printf("refused in turn: planner %zu, arena %zu, buffer %zu, memory planner %zu\n", planner, arena, buffer,
           memory_planner);
    /* The object, its list and its memory at the least: the refusals did reach the library. */
    check_no_situation();
    CHECK(planner >= 10);
    CHECK(arena >= 3);
    CHECK(buffer >= 3);
    CHECK(memory_planner >= 10);
  }
  return check_finish();
}
