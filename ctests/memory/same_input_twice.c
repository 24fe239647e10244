/* B9: the same input twice. The second run gives the same addresses and the same answer, and asks for no memory of any
   kind. What is counted are malloc, calloc, realloc, aligned_alloc and posix_memalign. */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_malloc.h"
#include "network.h"

/* Views, writes in place, temporaries, a persistent tensor that is not carried over. */
static const char text[] =
    "x:256 in; A,B,C,D:256; E:64; F:128 out; T,U:512; P:64 persistent; G:100 out;"
    "x->A tmp T; A->B R; B->C S; C,x->D M tmp P; D->E; E,x->F,G tmp U";

enum { TENSORS = 11, ANSWER = 228 };

typedef struct {
  void *data[TENSORS];
  unsigned char answer[ANSWER];
} Outcome;

static unsigned char byte_of(const Network *network, int32_t tensor, size_t at) {
  const unsigned char *data = network_data(network, tensor);
  return data[at % network->tensors[tensor].bytes];
}

/* Byte by byte, as an operator that works in place does. A node that leaves data unmodified copies. */
static void run_node(const Network *network, size_t index) {
  const NetworkNode *node = &network->nodes[index];
  for (size_t i = 0; i < node->temporaries.count; i++) {
    int32_t tensor = node->temporaries.items[i];
    memset(network_data(network, tensor), (int)index, network->tensors[tensor].bytes);
  }
  for (size_t o = 0; o < node->outputs.count; o++) {
    int32_t output = node->outputs.items[o];
    unsigned char *to = network_data(network, output);
    for (size_t at = 0; at < network->tensors[output].bytes; at++) {
      unsigned value = (node->flags & 1) != 0 ? 0 : 7 * (unsigned)index + (unsigned)o;
      for (size_t i = 0; i < node->inputs.count; i++) {
        value = 31 * value + byte_of(network, node->inputs.items[i], at);
      }
      to[at] = (unsigned char)value;
    }
  }
}

/* How the runtime has the nodes placed; each way ends with everything in place. */
typedef enum { ONE_BATCH, NODE_BY_NODE, WITH_REWINDS, WITH_A_RESET, NUM_WAYS } Way;

static void execute(const Network *network, Way way) {
  int32_t last = (int32_t)network->num_nodes - 1;
  if (way == WITH_A_RESET) CHECK_OK(tflite_arena_planner_reset_allocations(network->planner));
  for (int32_t node = 0; node <= last; node++) {
    bool batch = way == ONE_BATCH || way == WITH_A_RESET;
    if (batch && node > 0) break;
    if (way == WITH_REWINDS) CHECK_OK(tflite_arena_planner_reset_allocations_after(network->planner, node - 1));
    CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, node, batch ? last : node));
  }
}

static void run(const Network *network, Way way, Outcome *outcome) {
  execute(network, way);
  unsigned char *x = network_data_of(network, "x");
  for (size_t at = 0; at < 256; at++) x[at] = (unsigned char)(at * at + 3);
  for (size_t node = 0; node < network->num_nodes; node++) run_node(network, node);
  for (int32_t tensor = 0; tensor < TENSORS; tensor++) outcome->data[tensor] = network_data(network, tensor);
  memcpy(outcome->answer, network_data_of(network, "F"), 128);
  memcpy(outcome->answer + 128, network_data_of(network, "G"), 100);
}

/* The control: all five are counted where this program calls them, and what the library calls is seen below. */
static void every_kind_of_allocation_is_counted(void) {
  failing_malloc_arm(0, false);
  void *volatile blocks[5] = {malloc(8), calloc(1, 8), realloc(NULL, 8), aligned_alloc(64, 64), NULL};
  void *aligned = NULL;
  int refused = posix_memalign(&aligned, 64, 64);
  blocks[4] = aligned;
  size_t seen = failing_malloc_seen();
  for (size_t i = 0; i < 5; i++) free(blocks[i]);
  failing_malloc_disarm();
  CHECK_INT(refused, 0);
  CHECK_SIZE(seen, 5);
}

static void the_second_run_has_the_same_addresses_and_answer_and_asks_for_no_memory(Way way) {
  Network network = network_of(text);
  CHECK_SIZE(network.num_tensors, TENSORS);
  Outcome first, second;
  failing_malloc_arm(0, false);
  run(&network, way, &first);
  CHECK(failing_malloc_seen() > 0); /* the library's calls are counted */
  failing_malloc_arm(0, false);
  run(&network, way, &second);
  CHECK_SIZE(failing_malloc_seen(), 0);
  failing_malloc_disarm();
  for (size_t tensor = 0; tensor < TENSORS; tensor++) CHECK_POINTER(second.data[tensor], first.data[tensor]);
  CHECK(memcmp(first.answer, second.answer, ANSWER) == 0);

  /* Not for another input size. */
  network_resize(&network, network_id(&network, "x"), 1 << 20);
  failing_malloc_arm(0, false);
  execute(&network, way);
  CHECK(failing_malloc_seen() > 0);
  failing_malloc_disarm();
  network_free(&network);
}

/* All four ways compute the same, and so does a planner that shares and reuses nothing. */
static void the_answer_does_not_depend_on_the_places(void) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.preserve_all_tensors = 1;
  Network kept = network_parse(text);
  network_plan(&kept, &options);
  Outcome reference, outcome;
  run(&kept, ONE_BATCH, &reference);
  network_free(&kept);
  for (Way way = ONE_BATCH; way < NUM_WAYS; way++) {
    Network network = network_of(text);
    run(&network, way, &outcome);
    CHECK(memcmp(outcome.answer, reference.answer, ANSWER) == 0);
    network_free(&network);
  }
}

int main(void) {
  every_kind_of_allocation_is_counted();
  for (Way way = ONE_BATCH; way < NUM_WAYS; way++) {
    check_situation("way %d", (int)way);
    the_second_run_has_the_same_addresses_and_answer_and_asks_for_no_memory(way);
  }
  the_answer_does_not_depend_on_the_places();
  return check_finish();
}
