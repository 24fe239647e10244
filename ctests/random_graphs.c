/* Random networks through the C boundary: planned, executed in one batch, node by node or range by
   range with rewinds, and run by the shadow run, which must be clean always.
   usage: random_graphs [COUNT [FIRST_SEED]] */
#include <stdlib.h>

#include "check.h"
#include "network.h"
#include "random.h"
#include "shadow.h"

enum { RW = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW,
       PERSISTENT = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT,
       CONSTANT = TFLITE_ARENA_ALLOCATION_TYPE_MMAP_RO,
       CUSTOM = TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM };

enum { LARGEST = 4096, OWN_ROOM = 64 };

/* Memory that the application gives to custom tensors. */
static unsigned char own_memory[OWN_ROOM][LARGEST];

/* What kind of network: a mixture of everything, or one made of views and in-place ops over tensors of
   one size, where alias groups grow large and nearly every choice is between sharing and a fault. */
typedef struct {
  bool views;
  uint32_t empty_percent, like_input_percent, most_inputs;
} Style;

static Style random_style(Random *random) {
  const Style mixture = {false, 4, 70, 4}, views = {true, 1, 95, 2};
  return random_percent(random, 50) ? mixture : views;
}

static size_t random_bytes(Random *random, const Style *style) {
  static const size_t usual[] = {1, 4, 5, 16, 36, 64, 64, 100, 256, 256, 1000, LARGEST};
  if (random_percent(random, style->empty_percent)) return 0;
  if (style->views) return 64;
  return usual[random_below(random, sizeof usual / sizeof *usual)];
}

static uint64_t random_flags(Random *random, const Style *style) {
  static const uint64_t usual[] = {0, 0, 4, 4, 5, 5, 12, 12, 8, 9, 13, 16, 28, 6, 10, 14, 30, 7};
  static const uint64_t sharing[] = {5, 5, 5, 5, 4, 4, 12, 12, 8, 10, 14, 0};
  if (random_percent(random, 5)) return random_below(random, 64);
  return style->views ? sharing[random_below(random, sizeof sharing / sizeof *sharing)]
                      : usual[random_below(random, sizeof usual / sizeof *usual)];
}

static int32_t random_id(Random *random, const Ids *ids) {
  return ids->items[random_below(random, (uint32_t)ids->count)];
}

/* The younger a tensor, the more likely it is read, as in real networks. */
static int32_t random_operand(Random *random, const Ids *readable) {
  if (random_percent(random, 50)) return random_id(random, readable);
  uint32_t newest = readable->count < 3 ? (uint32_t)readable->count : 3;
  return readable->items[readable->count - 1 - random_below(random, newest)];
}

static void add_node(Random *random, Network *network, const Style *style, Ids *readable) {
  NetworkNode *node = network_add_node(network, random_flags(random, style));
  Ids *inputs = &node->inputs, *outputs = &node->outputs;

  for (uint32_t i = 1 + random_below(random, style->most_inputs); i > 0; i--) {
    ids_add(inputs, random_percent(random, 5) ? -1 : random_operand(random, readable));
  }
  for (uint32_t i = random_percent(random, 75) ? 1 : 1 + random_below(random, 3); i > 0; i--) {
    int32_t like = random_id(random, inputs);
    bool same_size = like >= 0 && random_percent(random, style->like_input_percent);
    size_t bytes = same_size ? network->tensors[like].bytes : random_bytes(random, style);
    int32_t type = random_percent(random, 4) ? PERSISTENT : random_percent(random, 3) ? CUSTOM : RW;
    int32_t output = network_add_tensor(network, NULL, bytes, type);
    ids_add(outputs, random_percent(random, 3) ? -1 : output);
  }
  for (uint32_t i = random_percent(random, 30) ? 1 + random_below(random, 2) : 0; i > 0; i--) {
    int32_t type = random_percent(random, 25) ? PERSISTENT : RW;
    ids_add(&node->temporaries, network_add_tensor(network, NULL, random_bytes(random, style), type));
  }
  for (size_t i = 0; i < outputs->count; i++) {
    if (outputs->items[i] >= 0) ids_add(readable, outputs->items[i]);
  }
}

static Network random_network(Random *random, const Style *style) {
  Network network = network_parse("");
  Ids readable = {NULL, 0};
  for (uint32_t i = 1 + random_below(random, 3); i > 0; i--) {
    ids_add(&network.inputs, network_add_tensor(&network, NULL, random_bytes(random, style), RW));
  }
  for (uint32_t i = random_percent(random, 40) ? 1 + random_below(random, 2) : 0; i > 0; i--) {
    int32_t type = random_percent(random, 70) ? PERSISTENT : RW;
    ids_add(&network.variables, network_add_tensor(&network, NULL, random_bytes(random, style), type));
  }
  for (uint32_t i = random_below(random, 3); i > 0; i--) {
    network_add_tensor(&network, NULL, random_bytes(random, style), CONSTANT);
  }
  for (size_t i = 0; i < network.num_tensors; i++) ids_add(&readable, (int32_t)i);
  for (uint32_t i = 1 + random_below(random, 20); i > 0; i--) {
    add_node(random, &network, style, &readable);
  }

  for (uint32_t i = 1 + random_below(random, 3); i > 0; i--) {
    ids_add(&network.outputs, random_operand(random, &readable));
  }
  if (random_percent(random, 5)) ids_add(&network.inputs, -1);
  if (random_percent(random, 5)) ids_add(&network.outputs, -1);
  free(readable.items);
  return network;
}

static void give_own_memory(Network *network, int32_t tensor) {
  if (tensor < OWN_ROOM) {
    CHECK_OK(tflite_arena_graph_set_tensor_data(network->graph, tensor, own_memory[tensor]));
  }
}

/* Returns whether all tensors are to be preserved. */
static bool plan(Random *random, Network *network) {
  static const size_t alignments[] = {64, 64, 64, 4, 16, 256, 1};
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.preserve_all_tensors = random_percent(random, 10);
  options.tensor_alignment = alignments[random_below(random, sizeof alignments / sizeof *alignments)];
  network_plan(network, &options);
  for (size_t i = 0; i < network->num_tensors; i++) {
    if (network->tensors[i].allocation_type == CUSTOM) give_own_memory(network, (int32_t)i);
  }
  return options.preserve_all_tensors == 1;
}

static void execute(Network *network, size_t first, size_t last) {
  CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, (int32_t)first,
                                                    (int32_t)last));
}

static bool used_by(const NetworkNode *node, int32_t tensor) {
  return ids_contain(&node->inputs, tensor) || ids_contain(&node->outputs, tensor) ||
         ids_contain(&node->temporaries, tensor);
}

/* Whether nothing up to `node` touches the tensor, so that its size is still open. */
static bool is_open_after(const Network *network, int32_t tensor, size_t node) {
  if (ids_contain(&network->inputs, tensor) || ids_contain(&network->variables, tensor)) return false;
  for (size_t i = 0; i <= node; i++) {
    if (used_by(&network->nodes[i], tensor)) return false;
  }
  return true;
}

static void change_open_tensors(Random *random, Network *network, const Style *style,
                                size_t node) {
  for (size_t i = 0; i < network->num_tensors; i++) {
    int32_t tensor = (int32_t)i;
    if (!random_percent(random, 20) || !is_open_after(network, tensor, node)) continue;
    network_resize(network, tensor, random_bytes(random, style));
    if (network->tensors[i].allocation_type == RW && i < OWN_ROOM && random_percent(random, 10)) {
      network_retype(network, tensor, CUSTOM);
      give_own_memory(network, tensor);
    }
  }
}

/* A kernel's Prepare may ask for a temporary that did not exist when the graph was planned. */
static void add_late_temporary(Random *random, Network *network, const Style *style,
                               Shadow *shadow, size_t node) {
  size_t bytes = random_bytes(random, style);
  int32_t type = random_percent(random, 25) ? PERSISTENT : RW;
  network_add_temporary(network, NULL, bytes, type, node);
  shadow_grow(shadow);
}

static void check_bounds(const Network *network) {
  TfliteArenaPlanInfo info;
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &info));
  CHECK(info.lower_bound <= info.arena_needed);
  CHECK(info.arena_needed <= info.naive);
  CHECK_SIZE(info.num_nodes, network->num_nodes);
  CHECK_SIZE(info.num_tensors, network->num_tensors);
}

static void in_one_batch(Random *random, Network *network, const Style *style) {
  plan(random, network);
  network_execute(network);
  check_bounds(network);
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));

  /* Asked again for the same, nothing moves. */
  void *before = network_data(network, network->inputs.items[0]);
  network_execute(network);
  CHECK_POINTER(network_data(network, network->inputs.items[0]), before);
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));

  if (random_percent(random, 50)) {
    CHECK_OK(tflite_arena_planner_release_non_persistent_memory(network->planner));
    CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(network->planner));
    network_check_pointers(network);
    CHECK(shadow_is_clean(network));
  }
  for (size_t i = 0; i < network->num_tensors; i++) {
    if (random_percent(random, 20)) network_resize(network, (int32_t)i, random_bytes(random, style));
  }
  CHECK_OK(tflite_arena_planner_reset_allocations(network->planner));
  if (random_percent(random, 50)) CHECK_OK(tflite_arena_planner_plan_allocations(network->planner));
  network_execute(network);
  check_bounds(network);
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));
}

static void node_by_node(Random *random, Network *network, const Style *style) {
  (void)style;
  bool preserved = plan(random, network);
  Shadow shadow = shadow_create(network);
  for (size_t node = 0; node < network->num_nodes; node++) {
    execute(network, node, node);
    if (node == 0) shadow_write_inputs(&shadow);
    shadow_run_nodes(&shadow, node, node);
  }
  shadow_check_end(&shadow);
  for (size_t i = 0; preserved && i < network->num_tensors; i++) {
    if (shadow.values[i] != 0) shadow_check_tensor(&shadow, (int32_t)i);
  }
  network_check_pointers(network);
  shadow_run(&shadow, 1);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
}

/* Ranges are executed ahead of the run; in between part of what lies ahead is taken back, changed
   and executed again. What the nodes behind have written must survive all that. */
static void with_rewinds(Random *random, Network *network, const Style *style) {
  plan(random, network);
  Shadow shadow = shadow_create(network);
  size_t nodes = network->num_nodes, ran = 0, executed = 0;
  int rewinds = 6;
  execute(network, 0, 0);
  shadow_write_inputs(&shadow);
  executed = 1;
  while (ran < nodes) {
    if (executed == ran) {
      size_t last = ran + random_below(random, (uint32_t)(nodes - ran));
      execute(network, ran, last);
      executed = last + 1;
    }
    size_t until = ran + 1 + random_below(random, (uint32_t)(executed - ran));
    shadow_run_nodes(&shadow, ran, until - 1);
    ran = until;
    if (rewinds == 0 || ran == nodes || random_percent(random, 40)) continue;
    rewinds--;
    if (random_percent(random, 30)) add_late_temporary(random, network, style, &shadow, ran);
    CHECK_OK(tflite_arena_planner_reset_allocations_after(network->planner, (int32_t)ran - 1));
    change_open_tensors(random, network, style, ran - 1);
    size_t first = random_percent(random, 30) ? random_below(random, (uint32_t)ran + 1) : ran;
    size_t last = ran + random_below(random, (uint32_t)(nodes - ran));
    execute(network, first, last);
    executed = last + 1;
  }
  shadow_check_end(&shadow);
  network_check_pointers(network);
  shadow_run(&shadow, 1);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
}

/* Tensors that lie on the bytes of another. */
static size_t count_shared(const Network *network) {
  size_t shared = 0;
  for (size_t i = 0; i < network->num_tensors; i++) {
    TfliteArenaTensorPlan plan;
    CHECK_OK(tflite_arena_planner_get_tensor_plan(network->planner, (int32_t)i, &plan));
    if (plan.root != (int32_t)i) shared++;
  }
  return shared;
}

int main(int argc, char **argv) {
  unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
  unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  static void (*const ways[])(Random *, Network *, const Style *) = {in_one_batch, node_by_node, with_rewinds};
  size_t shared = 0;
  for (unsigned long end = seed + count; seed < end; seed++) {
    check_situation("seed %lu", seed);
    size_t failures = check_failures();
    Random random = {seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
    const Style style = random_style(&random);
    Network network = random_network(&random, &style);
    ways[seed % 3](&random, &network, &style);
    shared += count_shared(&network);
    if (check_failures() != failures) {
      fprintf(stderr, "the network of seed %lu:\n", seed);
      network_print(&network, stderr);
    }
    network_free(&network);
    if (check_failures() > 20) break;
  }
  check_no_situation();
  printf("%lu networks, %zu tensors on another's bytes\n", count, shared);
  CHECK(shared >= count); /* fewer, and the networks are not worth running */
  return check_finish();
}
