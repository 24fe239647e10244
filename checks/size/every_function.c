/* Calls every function of the C ABI, in the order in which a program comes to need them, so that the
   linker has to keep all of the library. It is linked twice: with the library, and with stubs that do
   nothing. With the library it also runs, and exits with the number of calls that went wrong. */
#include "tflite_arena.h"

static int failures;

static void ok(TfliteArenaStatus status) {
  if (status != TFLITE_ARENA_STATUS_OK) failures++;
}

/* A function of the cargo feature `inspect`, which the library may have been built without. */
static void ok_if_built_in(TfliteArenaStatus status) {
  if (status != TFLITE_ARENA_STATUS_UNSUPPORTED) ok(status);
}

static void expect(bool holds) {
  if (!holds) failures++;
}

static void count_text(void *user, const char *text, size_t length) {
  (void)text;
  *(size_t *)user += length;
}

static void count_event(void *user, const TfliteArenaEvent *event) {
  if (event->status == TFLITE_ARENA_STATUS_OK) ++*(size_t *)user;
}

static void count_tensor(void *user, const TfliteArenaTensorRecord *record) {
  if (record->root == record->tensor) ++*(size_t *)user;
}

static const int32_t execution_plan[] = {0, 1};

/* input -> hidden -> output, with a temporary at the first node and a variable at the second */
static TfliteArenaGraph *build_graph(void) {
  enum { INPUT, HIDDEN, OUTPUT, TEMPORARY, VARIABLE, NUM_TENSORS };
  static const int32_t input = INPUT, hidden[] = {HIDDEN, VARIABLE}, output = OUTPUT;
  static const int32_t temporary = TEMPORARY, variable = VARIABLE;
  TfliteArenaGraph *graph = NULL;
  int32_t index;
  ok(tflite_arena_graph_create(&graph));
  for (int32_t i = 0; i < NUM_TENSORS; i++) {
    ok(tflite_arena_graph_add_tensor(graph, 64, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &index));
  }
  ok(tflite_arena_graph_add_node(graph, &input, 1, hidden, 1, TFLITE_ARENA_INPLACE_NONE, &index));
  ok(tflite_arena_graph_add_node(graph, hidden, 2, &output, 1, TFLITE_ARENA_INPLACE_INPUT0_SHARED,
                                 &index));
  ok(tflite_arena_graph_set_temporaries(graph, 0, &temporary, 1));
  ok(tflite_arena_graph_set_inputs(graph, &input, 1));
  ok(tflite_arena_graph_set_outputs(graph, &output, 1));
  ok(tflite_arena_graph_set_variables(graph, &variable, 1));
  ok(tflite_arena_graph_set_tensor_allocation_type(graph, VARIABLE,
                                                   TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT));
  ok(tflite_arena_graph_set_tensor_bytes(graph, HIDDEN, 256));
  ok(tflite_arena_graph_set_tensor_data(graph, HIDDEN, NULL));
  return graph;
}

static void use_planner(void) {
  TfliteArenaGraph *graph = build_graph();
  TfliteArenaGraphInfo graph_info;
  TfliteArenaPlannerOptions options;
  TfliteArenaPlanner *planner = NULL;
  ok(tflite_arena_graph_get_info(graph, &graph_info));
  ok(tflite_arena_planner_options_init(&options));
  ok(tflite_arena_planner_create(&graph_info, &options, &planner));
  size_t events = 0, owners = 0;
  TfliteArenaStatus listening = tflite_arena_planner_set_event_callback(planner, count_event, &events);
  ok_if_built_in(listening);
  ok(tflite_arena_planner_plan_allocations(planner));
  ok(tflite_arena_planner_execute_allocations(planner, 0, 0));
  ok(tflite_arena_planner_execute_allocations(planner, 1, 1));

  TfliteArenaPlanInfo plan_info;
  TfliteArenaTensorPlan tensor_plan;
  size_t arena_size, persistent_size, written = 0;
  ptrdiff_t base;
  void *data = NULL;
  ok(tflite_arena_planner_get_plan_info(planner, &plan_info));
  ok(tflite_arena_planner_get_tensor_plan(planner, 0, &tensor_plan));
  ok(tflite_arena_planner_get_alloc_info(planner, &arena_size, &persistent_size));
  ok(tflite_arena_planner_base_pointer(planner, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &base));
  ok(tflite_arena_planner_dump_debug_info(planner, execution_plan, 2, count_text, &written));
  ok_if_built_in(tflite_arena_planner_visit_tensors(planner, count_tensor, &owners));
  ok(tflite_arena_graph_get_tensor_data(graph, 0, &data));
  expect(data != NULL && written > 0);
  /* Planned, executed twice, and two buffers have grown at the least; tensors that share with none are all but one. */
  expect(listening == TFLITE_ARENA_STATUS_OK ? events >= 5 && owners >= 4 : events == 0 && owners == 0);

  bool has_memory = false;
  ok(tflite_arena_planner_reset_allocations_after(planner, 0));
  ok(tflite_arena_planner_reset_allocations(planner));
  ok(tflite_arena_planner_execute_allocations(planner, 0, 1));
  ok(tflite_arena_planner_release_non_persistent_memory(planner));
  ok(tflite_arena_planner_acquire_non_persistent_memory(planner));
  ok(tflite_arena_planner_has_non_persistent_memory(planner, &has_memory));
  expect(has_memory);
  expect(tflite_arena_planner_last_error(planner) != NULL);
  expect(tflite_arena_graph_last_error(graph) != NULL);
  tflite_arena_planner_destroy(planner);
  tflite_arena_graph_destroy(graph);
}

static void use_simple_memory_arena(void) {
  TfliteArenaSimpleMemoryArena *arena = NULL;
  TfliteArenaAllocWithUsageInterval alloc;
  bool moved = false;
  size_t size, written = 0;
  ptrdiff_t base;
  void *data = NULL;
  ok(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  ok(tflite_simple_memory_arena_allocate(arena, 64, 100, 0, 0, 1, &alloc));
  ok(tflite_simple_memory_arena_get_active_alloc(arena, 0, &alloc));
  ok(tflite_simple_memory_arena_commit(arena, &moved));
  ok(tflite_simple_memory_arena_resolve_alloc(arena, &alloc, &data));
  ok(tflite_simple_memory_arena_base_pointer(arena, &base));
  ok(tflite_simple_memory_arena_get_buffer_size(arena, &size));
  ok(tflite_simple_memory_arena_get_high_water_mark(arena, &size));
  ok(tflite_simple_memory_arena_dump_debug_info(arena, "arena", execution_plan, 2, count_text,
                                                &written));
  expect(moved && data != NULL && written > 0);

  ok(tflite_simple_memory_arena_calculate_active_allocs(arena, &alloc, 1, 0));
  ok(tflite_simple_memory_arena_purge_active_allocs(arena, 0));
  ok(tflite_simple_memory_arena_purge_after(arena, 0));
  ok(tflite_simple_memory_arena_deallocate(arena, &alloc));
  ok(tflite_simple_memory_arena_reset_allocs(arena));
  TfliteArenaAlloc in_order;
  ok(tflite_simple_memory_arena_allocate_in_order(arena, 64, 100, &in_order));
  ok(tflite_simple_memory_arena_deallocate_in_order(arena, &in_order));
  ok(tflite_simple_memory_arena_required_buffer_size(arena, &size));
  ok(tflite_simple_memory_arena_clear(arena));
  ok(tflite_simple_memory_arena_clear_plan(arena));
  ok(tflite_simple_memory_arena_release_buffer(arena));
  expect(tflite_simple_memory_arena_last_error(arena) != NULL);
  tflite_simple_memory_arena_destroy(arena);
}

static void use_buffer(void) {
  TfliteArenaResizableAlignedBuffer *buffer = NULL;
  bool moved = false;
  void *data = NULL;
  size_t size = 0, alignment = 0;
  ok(tflite_resizable_aligned_buffer_create(64, 0, NULL, &buffer));
  ok(tflite_resizable_aligned_buffer_resize(buffer, 100, &moved));
  ok(tflite_resizable_aligned_buffer_get_ptr(buffer, &data));
  ok(tflite_resizable_aligned_buffer_get_size(buffer, &size));
  ok(tflite_resizable_aligned_buffer_get_alignment(buffer, &alignment));
  expect(moved && data != NULL && size == 100 && alignment == 64);
  ok(tflite_resizable_aligned_buffer_release(buffer));
  expect(tflite_resizable_aligned_buffer_last_error(buffer) != NULL);
  tflite_resizable_aligned_buffer_destroy(buffer);
}

static int32_t first_come(void *user, const TfliteArenaMemoryBuffer *buffers, size_t count, int32_t *order) {
  (void)user;
  (void)buffers;
  for (size_t i = 0; i < count; i++) order[i] = (int32_t)i;
  return 0;
}

static void use_memory_planner(void) {
  TfliteArenaMemoryPlanner *planner = NULL;
  TfliteArenaMemoryPlannerOptions options;
  int32_t handle;
  size_t offset = 0, size = 0, lower_bound = 0;
  ok(tflite_memory_planner_create(&planner));
  ok(tflite_memory_planner_add_buffer(planner, 100, 0, 0, 1, &handle));
  ok(tflite_memory_planner_add_fixed_buffer(planner, 64, 64, 1, 2, 128, &handle));
  ok(tflite_memory_planner_plan(planner, NULL));
  ok(tflite_memory_planner_options_init(&options));
  options.order = first_come;
  ok(tflite_memory_planner_plan(planner, &options));
  ok(tflite_memory_planner_get_buffer_handle(planner, 1, &handle));
  ok(tflite_memory_planner_get_offset(planner, handle, &offset));
  ok(tflite_memory_planner_arena_size(planner, &size));
  ok(tflite_memory_planner_lower_bound(planner, &lower_bound));
  expect(offset == 128 && size == 192 && lower_bound > 0);
  expect(tflite_memory_planner_last_error(planner) != NULL);
  tflite_memory_planner_destroy(planner);
}

int main(void) {
  expect(tflite_arena_version() != NULL);
  expect(tflite_arena_status_text(TFLITE_ARENA_STATUS_OK) != NULL);
  use_planner();
  use_simple_memory_arena();
  use_buffer();
  use_memory_planner();
  return failures;
}
