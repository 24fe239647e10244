/* Garbage from the callbacks that describe a graph: errors, lists without data, wild indices, absurd
   counts and tensor arrays that cannot be. */
#include <string.h>

#include "sweep.h"

enum { TENSORS = 3, NODES = 2 };

typedef struct {
  size_t bytes;
  void *data;
  int32_t type;
} OwnTensor;

/* A sound graph x -> A -> B and what to answer instead of the truth. */
typedef struct {
  OwnTensor tensors[TENSORS];
  TfliteArenaTensorView view;
  size_t num_nodes;
  TfliteArenaNode nodes[NODES];
  TfliteArenaIntList inputs, outputs, variables;
  int32_t fails; /* which callback returns an error: 't', 'n', 'i', 'o', 'v', or none */
  size_t node_calls;
} Story;

static const int32_t ids[] = {0, 1, 2};

static void tell_the_truth(Story *story) {
  memset(story, 0, sizeof *story);
  for (size_t i = 0; i < TENSORS; i++) {
    story->tensors[i].bytes = 64;
    story->tensors[i].type = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW;
  }
  const TfliteArenaTensorView view = {story->tensors,
                                      TENSORS,
                                      sizeof(OwnTensor),
                                      offsetof(OwnTensor, bytes),
                                      offsetof(OwnTensor, type),
                                      offsetof(OwnTensor, data)};
  story->view = view;
  story->num_nodes = NODES;
  for (size_t i = 0; i < NODES; i++) {
    const TfliteArenaNode node = {{&ids[i], 1}, {&ids[i + 1], 1}, {NULL, 0}, 0};
    story->nodes[i] = node;
  }
  const TfliteArenaIntList input = {&ids[0], 1}, output = {&ids[2], 1};
  story->inputs = input;
  story->outputs = output;
}

static int32_t give_tensors(void *context, TfliteArenaTensorView *view) {
  Story *story = context;
  *view = story->view;
  return story->fails == 't' ? 1 : 0;
}

static size_t count_nodes(void *context) { return ((Story *)context)->num_nodes; }

static int32_t give_node(void *context, size_t index, TfliteArenaNode *node) {
  Story *story = context;
  story->node_calls++;
  *node = story->nodes[index < NODES ? index : NODES - 1];
  return story->fails == 'n' ? 1 : 0;
}

static int32_t give_inputs(void *context, TfliteArenaIntList *list) {
  Story *story = context;
  *list = story->inputs;
  return story->fails == 'i' ? INT32_MIN : 0;
}

static int32_t give_outputs(void *context, TfliteArenaIntList *list) {
  Story *story = context;
  *list = story->outputs;
  return story->fails == 'o' ? -1 : 0;
}

static int32_t give_variables(void *context, TfliteArenaIntList *list) {
  Story *story = context;
  *list = story->variables;
  return story->fails == 'v' ? INT32_MAX : 0;
}

static TfliteArenaGraphInfo info_of(Story *story) {
  const TfliteArenaGraphInfo info = {sizeof info, story,       give_tensors, count_nodes,
                                     give_node,   give_inputs, give_outputs, give_variables};
  return info;
}

/* The planner must be as good as new when the story is true again. */
static void check_usable(Story *story, TfliteArenaPlanner *planner) {
  tell_the_truth(story);
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, NODES - 1));
  size_t arena = 0, persistent = 0;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  CHECK_SIZE(arena, 192); /* x, A and B of 64 are alive together at node 1 */
  for (size_t i = 0; i < TENSORS; i++) CHECK(story->tensors[i].data != NULL);
}

/* Plan or Execute must refuse the story, whichever meets it first, and set no pointer. */
static void check_refuses(Story *story, TfliteArenaPlanner *planner) {
  int32_t status = tflite_arena_planner_plan_allocations(planner);
  bool refused_by_plan = status != TFLITE_ARENA_STATUS_OK;
  int32_t executed = tflite_arena_planner_execute_allocations(planner, 0, NODES - 1);
  CHECK_REFUSED(refused_by_plan ? status : executed);
  if (refused_by_plan) CHECK_REFUSED(executed); /* a runtime may ignore that the plan failed */
  CHECK(strlen(tflite_arena_planner_last_error(planner)) > 0);
  CHECK(story->node_calls < 100);
  for (size_t i = 0; i < TENSORS; i++) CHECK_POINTER(story->tensors[i].data, NULL);
}

static void sweep_story(const char *name, void (*lie)(Story *)) {
  check_situation("%s", name);
  Story story;
  tell_the_truth(&story);
  const TfliteArenaGraphInfo info = info_of(&story);
  TfliteArenaPlanner *planner = NULL;
  CHECK_OK(tflite_arena_planner_create(&info, NULL, &planner));
  lie(&story);
  check_refuses(&story, planner);
  check_usable(&story, planner);
  tflite_arena_planner_destroy(planner);
}

static const int32_t below[] = {-2}, past[] = {TENSORS}, lowest[] = {INT32_MIN}, highest[] = {INT32_MAX};
static const TfliteArenaIntList no_data = {NULL, 1}, endless = {ids, SIZE_MAX},
                                below_list = {below, 1}, past_list = {past, 1},
                                lowest_list = {lowest, 1}, highest_list = {highest, 1};

static void tensors_fail(Story *s) { s->fails = 't'; }
static void node_fails(Story *s) { s->fails = 'n'; }
static void inputs_fail(Story *s) { s->fails = 'i'; }
static void outputs_fail(Story *s) { s->fails = 'o'; }
static void variables_fail(Story *s) { s->fails = 'v'; }
static void nodes_beyond_count(Story *s) { s->num_nodes = SIZE_MAX; }
static void nodes_beyond_int(Story *s) { s->num_nodes = (size_t)INT32_MAX + 1; }
static void base_null(Story *s) { s->view.base = NULL; }
static void tensors_beyond_count(Story *s) { s->view.count = SIZE_MAX; }
static void tensors_beyond_int(Story *s) { s->view.count = (size_t)INT32_MAX + 1; }
static void stride_zero(Story *s) { s->view.stride = 0; }
static void stride_small(Story *s) { s->view.stride = sizeof(void *); }
static void stride_huge(Story *s) { s->view.stride = SIZE_MAX; }
static void bytes_outside(Story *s) { s->view.bytes_offset = sizeof(OwnTensor); }
static void type_outside(Story *s) { s->view.allocation_type_offset = SIZE_MAX; }
static void data_outside(Story *s) { s->view.data_offset = sizeof(OwnTensor) - 1; }
static void fewer_tensors(Story *s) { s->view.count = 1; }

static void sweep_lists_of_nodes(void) {
  static const TfliteArenaIntList *const bad[] = {&no_data,    &endless,     &below_list,
                                                  &past_list, &lowest_list, &highest_list};
  static const char *const names[] = {"no data", "endless", "-2", "one past", "lowest", "highest"};
  static const char *const places[] = {"inputs", "outputs", "temporaries", "graph inputs",
                                       "graph outputs", "variables"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
      check_situation("%s in %s", names[i], places[place]);
      Story story;
      tell_the_truth(&story);
      const TfliteArenaGraphInfo info = info_of(&story);
      TfliteArenaPlanner *planner = NULL;
      CHECK_OK(tflite_arena_planner_create(&info, NULL, &planner));
      TfliteArenaIntList *const lists[] = {&story.nodes[1].inputs, &story.nodes[1].outputs,
                                           &story.nodes[1].temporaries, &story.inputs,
                                           &story.outputs, &story.variables};
      *lists[place] = *bad[i];
      check_refuses(&story, planner);
      check_usable(&story, planner);
      tflite_arena_planner_destroy(planner);
    }
  }
}

/* Between Plan and Execute a graph may gain tensors, not lose them. */
static void sweep_lost_tensors(void) {
  check_situation("%s", "tensors lost between Plan and Execute");
  Story story;
  tell_the_truth(&story);
  const TfliteArenaGraphInfo info = info_of(&story);
  TfliteArenaPlanner *planner = NULL;
  CHECK_OK(tflite_arena_planner_create(&info, NULL, &planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  story.view.count = 2;
  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, 0, 1),
               TFLITE_ARENA_STATUS_GRAPH_CHANGED);
  for (size_t i = 0; i < TENSORS; i++) CHECK_POINTER(story.tensors[i].data, NULL);
  check_usable(&story, planner);
  tflite_arena_planner_destroy(planner);
}

static void count_record(void *user, const TfliteArenaTensorRecord *record) {
  (void)record;
  ++*(size_t *)user;
}

/* Visiting looks at the tensors as they are by then: none of what cannot be, and fewer where some are lost. */
static void sweep_visits(void) {
  void (*const lies[])(Story *) = {tensors_fail, base_null,   tensors_beyond_count, tensors_beyond_int, stride_zero,
                                   stride_small, stride_huge, bytes_outside,        type_outside,       data_outside};
  Story story;
  tell_the_truth(&story);
  const TfliteArenaGraphInfo info = info_of(&story);
  TfliteArenaPlanner *planner = NULL;
  CHECK_OK(tflite_arena_planner_create(&info, NULL, &planner));
  check_usable(&story, planner);
  size_t visited = 0;
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    check_situation("visiting, lie %zu", i);
    lies[i](&story);
    CHECK_STATUS(tflite_arena_planner_visit_tensors(planner, count_record, &visited),
                 TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
    tell_the_truth(&story);
  }
  CHECK_SIZE(visited, 0);
  fewer_tensors(&story);
  CHECK_OK(tflite_arena_planner_visit_tensors(planner, count_record, &visited));
  CHECK_SIZE(visited, 1);
  check_usable(&story, planner);
  tflite_arena_planner_destroy(planner);
}

static void sweep_missing_callbacks(void) {
  Story story;
  tell_the_truth(&story);
  TfliteArenaPlanner *planner = NULL;
  for (int missing = 0; missing < 6; missing++) {
    check_situation("callback %d missing", missing);
    TfliteArenaGraphInfo info = info_of(&story);
    if (missing == 0) info.tensors = NULL;
    if (missing == 1) info.num_execution_nodes = NULL;
    if (missing == 2) info.node = NULL;
    if (missing == 3) info.inputs = NULL;
    if (missing == 4) info.outputs = NULL;
    if (missing == 5) info.variables = NULL;
    CHECK_REFUSED(tflite_arena_planner_create(&info, NULL, &planner));
    CHECK_POINTER(planner, NULL);
  }
  static const size_t sizes[] = {0, sizeof(TfliteArenaGraphInfo) - 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check_situation("graph info of %zu bytes", sizes[i]);
    TfliteArenaGraphInfo info = info_of(&story);
    info.struct_size = sizes[i];
    CHECK_REFUSED(tflite_arena_planner_create(&info, NULL, &planner));
    CHECK_POINTER(planner, NULL);
  }
}

void sweep_graph_info(void) {
  sweep_missing_callbacks();
  sweep_story("tensors fail", tensors_fail);
  sweep_story("node fails", node_fails);
  sweep_story("inputs fail", inputs_fail);
  sweep_story("outputs fail", outputs_fail);
  sweep_story("variables fail", variables_fail);
  sweep_story("SIZE_MAX nodes", nodes_beyond_count);
  sweep_story("INT32_MAX + 1 nodes", nodes_beyond_int);
  sweep_story("no tensor array", base_null);
  sweep_story("SIZE_MAX tensors", tensors_beyond_count);
  sweep_story("INT32_MAX + 1 tensors", tensors_beyond_int);
  sweep_story("stride 0", stride_zero);
  sweep_story("stride smaller than the members", stride_small);
  sweep_story("stride SIZE_MAX", stride_huge);
  sweep_story("bytes outside the stride", bytes_outside);
  sweep_story("type outside the stride", type_outside);
  sweep_story("data across the stride's end", data_outside);
  sweep_story("fewer tensors than the lists name", fewer_tensors);
  sweep_lists_of_nodes();
  sweep_lost_tensors();
  sweep_visits();
}
