/* What a planner tells of itself: its tensors one by one, and its events as they come. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "network.h"

enum { MOST = 16 };

typedef struct {
  TfliteArenaTensorRecord records[MOST];
  size_t count;
} Records;

static void keep_record(void *user, const TfliteArenaTensorRecord *record) {
  Records *records = user;
  if (CHECK(records->count < MOST)) records->records[records->count++] = *record;
}

static Records visited(const Network *network) {
  Records records = {.count = 0};
  CHECK_OK(tflite_arena_planner_visit_tensors(network->planner, keep_record, &records));
  return records;
}

/* All tensors of the graph in order of index, each as the graph has it now and as get_tensor_plan tells. */
static void check_records(const Network *network, const Records *records) {
  CHECK_SIZE(records->count, network->num_tensors);
  for (size_t i = 0; i < records->count; i++) {
    const TfliteArenaTensorRecord *record = &records->records[i];
    const NetworkTensor *tensor = &network->tensors[i];
    check_situation("tensor %s", tensor->name);
    CHECK_INT(record->tensor, (int32_t)i);
    CHECK_INT(record->allocation_type, tensor->allocation_type);
    CHECK_SIZE(record->bytes, tensor->bytes);
    TfliteArenaTensorPlan plan = network_tensor_plan(network, tensor->name);
    CHECK_INT(record->arena, plan.arena);
    CHECK_INT(record->root, plan.root);
    CHECK_SIZE(record->offset, plan.offset);
    CHECK_SIZE(record->size, plan.size);
    CHECK_INT(record->first_node, plan.first_node);
    CHECK_INT(record->last_node, plan.last_node);
  }
  check_no_situation();
}

/* Checks who had the bytes before, written as "x -, A x": A has bytes that x had. */
static void check_previous(const Network *network, const Records *records, const char *previous) {
  char name[16], before[16];
  int length;
  for (; sscanf(previous, " %15s %15[^, ]%n", name, before, &length) == 2; previous += length) {
    check_situation("who had the bytes before %s", name);
    int32_t expected = strcmp(before, "-") == 0 ? -1 : network_id(network, before);
    CHECK_INT(records->records[network_id(network, name)].previous, expected);
    length += previous[length] == ',';
  }
  CHECK_SIZE(strlen(previous), 0); /* all of it was understood */
  check_no_situation();
}

static const char chain[] =
    "x:64 in; A:128; B,C:256; D:128; E:64 out; k:32 const; P:64 persistent; u:64;"
    "x->A; A->B; B->C R; C->D tmp P; D->E";

static void tensors_are_told_with_who_had_the_bytes_before(void) {
  Network network = network_of(chain);
  network_execute(&network);
  /* The largest first: B, and C with it, behind x; A behind B, and D where A was; E where B was, which is over by then. */
  CHECK_PLACES(&network, "x 0, A 320, B 64, C 64, D 320, E 64, k -, P 0, u -");
  Records records = visited(&network);
  check_records(&network, &records);
  check_previous(&network, &records, "x -, A -, B -, C -, D A, E B, k -, P -, u -");
  network_free(&network);

  network = network_of(chain);
  for (int32_t node = 0; node < 5; node++) {
    CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, node, node));
  }
  /* Each goes where it fits as its node comes: B behind A, D before B, and E behind D. */
  CHECK_PLACES(&network, "x 0, A 64, B 192, C 192, D 64, E 192, k -, P 0, u -");
  records = visited(&network);
  check_records(&network, &records);
  check_previous(&network, &records, "x -, A -, B -, C -, D A, E B, k -, P -, u -");
  network_free(&network);
}

static void tensors_are_told_before_there_is_a_plan_and_when_there_are_more_than_planned(void) {
  Network network = network_parse("x:64 in; A:64; B:64 out; x->A; A->B");
  network_build(&network);
  CHECK_OK(tflite_arena_planner_create(&network.info, NULL, &network.planner));
  for (int planned = 0; planned < 2; planned++) {
    Records records = visited(&network);
    CHECK_SIZE(records.count, network.num_tensors);
    for (size_t i = 0; i < records.count; i++) {
      check_situation("tensor %zu, planned: %d", i, planned);
      CHECK_INT(records.records[i].arena, TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE);
      CHECK_INT(records.records[i].root, (int32_t)i);
      CHECK_SIZE(records.records[i].bytes, 64);
      CHECK_INT(records.records[i].previous, -1);
    }
    check_no_situation();
    CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
    network_add_temporary(&network, "T", 64, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 0);
  }
  network_free(&network);
}

typedef struct {
  TfliteArenaEvent events[MOST];
  char texts[MOST][192];
  size_t count;
} Events;

static void keep_event(void *user, const TfliteArenaEvent *event) {
  Events *events = user;
  if (!CHECK(events->count < MOST)) return;
  CHECK_SIZE(event->struct_size, sizeof *event);
  CHECK(event->text != NULL);
  snprintf(events->texts[events->count], sizeof *events->texts, "%s", event->text);
  events->events[events->count++] = *event;
}

/* The events since the last check, as "KIND STATUS FIRST..LAST arena:before->after" and both buffers' sizes, in lines. */
#define CHECK_EVENTS(events, expected) check_events(__LINE__, (events), (expected))
static void check_events(int line, Events *events, const char *expected) {
  static const char *const kinds[] = {"plan", "execute", "grow", "release", "acquire", "reset", "reset_after"};
  char told[2048] = "";
  size_t length = 0;
  for (size_t i = 0; i < events->count; i++) {
    const TfliteArenaEvent *event = &events->events[i];
    if (!CHECK(event->kind >= 0 && event->kind <= TFLITE_ARENA_EVENT_KIND_RESET_AFTER)) continue;
    length += (size_t)snprintf(told + length, sizeof told - length, "%s %d %d..%d %d:%zu->%zu (%zu %zu)\n",
                               kinds[event->kind], (int)event->status, (int)event->first_node, (int)event->last_node,
                               (int)event->arena, event->before, event->after, event->arena_size,
                               event->arena_persist_size);
    CHECK_INT(events->texts[i][0] != '\0', event->status != TFLITE_ARENA_STATUS_OK);
  }
  events->count = 0;
  if (strcmp(told, expected) != 0) {
    fprintf(stderr, "line %d expects\n%sand was told\n%s", line, expected, told);
    CHECK(false);
  }
}

static void every_call_is_an_event_and_growth_comes_before_it(void) {
  Events events = {.count = 0};
  Network network = network_of("x:64 in; A:128; B:64 out; P:32 persistent; x->A tmp P; A->B");
  TfliteArenaPlanner *planner = network.planner;
  CHECK_OK(tflite_arena_planner_set_event_callback(planner, keep_event, &events));
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  CHECK_EVENTS(&events, "plan 0 -1..-1 0:0->0 (0 0)\n");
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 0));
  CHECK_EVENTS(&events,
               "grow 0 -1..-1 2:0->192 (192 32)\n"
               "grow 0 -1..-1 3:0->32 (192 32)\n"
               "execute 0 0..0 0:0->0 (192 32)\n");
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 1, 7));
  CHECK_EVENTS(&events,
               "grow 0 -1..-1 2:192->256 (256 32)\n"
               "execute 0 1..7 0:0->0 (256 32)\n");
  CHECK_OK(tflite_arena_planner_reset_allocations_after(planner, 0));
  CHECK_OK(tflite_arena_planner_reset_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  CHECK_EVENTS(&events,
               "reset_after 0 0..-1 0:0->0 (256 32)\n"
               "reset 0 -1..-1 0:0->0 (256 32)\n"
               "execute 0 0..1 0:0->0 (256 32)\n");
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(planner));
  CHECK_EVENTS(&events,
               "release 0 -1..-1 2:256->0 (0 32)\n"
               "grow 0 -1..-1 2:0->256 (256 32)\n"
               "acquire 0 -1..-1 0:0->0 (256 32)\n");

  /* Those that only tell are no events, and without a callback there are none. */
  size_t arena, persistent;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena, &persistent));
  Records records = visited(&network);
  CHECK_SIZE(records.count, 4);
  CHECK_OK(tflite_arena_planner_set_event_callback(planner, NULL, NULL));
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  CHECK_EVENTS(&events, "");
  network_free(&network);
}

static void a_failed_call_is_an_event_with_its_status_and_text(void) {
  Events events = {.count = 0};
  Network network = network_of("x:64 in; A:128; B:64 out; x->A; A->B");
  TfliteArenaPlanner *planner = network.planner;
  CHECK_OK(tflite_arena_planner_set_event_callback(planner, keep_event, &events));
  network_resize(&network, 1, SIZE_MAX - 32);
  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, 0, 1), TFLITE_ARENA_STATUS_OVERFLOW);
  CHECK_CONTAINS(events.texts[0], "tensor 1 of 18446744073709551583 bytes does not fit");
  CHECK_EVENTS(&events, "execute 104 0..1 0:0->0 (0 0)\n");
  static const int32_t wild = 99;
  CHECK_OK(tflite_arena_graph_set_temporaries(network.graph, 0, &wild, 1));
  CHECK_STATUS(tflite_arena_planner_execute_allocations(planner, -3, 1), TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
  CHECK_CONTAINS(events.texts[0], "node -3 is not in the execution plan");
  CHECK_EVENTS(&events, "execute 102 -3..1 0:0->0 (0 0)\n");
  network_free(&network);
}

/* A memory that has so many bytes left, of which it gives none back. */
typedef struct {
  size_t left;
} Quota;

static void *allocate(void *data, size_t bytes, size_t alignment) {
  Quota *quota = data;
  if (bytes > quota->left) return NULL;
  quota->left -= bytes;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void deallocate(void *data, void *memory, size_t bytes, size_t alignment) {
  (void)data;
  (void)bytes;
  (void)alignment;
  free(memory);
}

static void a_buffer_that_grew_in_a_failed_call_is_told(void) {
  Events events = {.count = 0};
  Quota quota = {200};
  TfliteArenaAllocator allocator = {&quota, allocate, NULL, deallocate};
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.allocator = &allocator;
  Network network = network_parse("x:64 in; A:128 out; P:64 persistent; x->A tmp P");
  network_plan(&network, &options);
  CHECK_OK(tflite_arena_planner_set_event_callback(network.planner, keep_event, &events));
  CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 0, 0), TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK_EVENTS(&events,
               "grow 0 -1..-1 2:0->192 (192 0)\n"
               "execute 105 0..0 0:0->0 (192 0)\n");
  network_free(&network);
}

static void padding_is_what_alignment_costs_the_lower_bound(void) {
  static const struct {
    size_t alignment, lower_bound, padding;
  } cases[] = {{1, 30, 0}, {4, 34, 4}, {64, 138, 108}, {256, 522, 492}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_situation("alignment %zu", cases[i].alignment);
    TfliteArenaPlannerOptions options;
    CHECK_OK(tflite_arena_planner_options_init(&options));
    options.tensor_alignment = cases[i].alignment;
    Network network = network_parse("x,A:10 in; B:10 out; x,A->B");
    network_plan(&network, &options);
    network_execute(&network);
    TfliteArenaPlanInfo info;
    CHECK_OK(tflite_arena_planner_get_plan_info(network.planner, &info));
    CHECK_SIZE(info.lower_bound, cases[i].lower_bound);
    CHECK_SIZE(info.padding, cases[i].padding);
    network_free(&network);
  }
  check_no_situation();
}

int main(void) {
  tensors_are_told_with_who_had_the_bytes_before();
  tensors_are_told_before_there_is_a_plan_and_when_there_are_more_than_planned();
  every_call_is_an_event_and_growth_comes_before_it();
  a_failed_call_is_an_event_with_its_status_and_text();
  a_buffer_that_grew_in_a_failed_call_is_told();
  padding_is_what_alignment_costs_the_lower_bound();
  return check_finish();
}
