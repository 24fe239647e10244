#include "network.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *grow(void *items, size_t count, size_t item_size) {
  if ((count & (count - 1)) != 0) return items; /* room for the next power of two is there */
  size_t room = count == 0 ? 1 : 2 * count;
  void *grown = realloc(items, room * item_size);
  if (grown == NULL) {
    fprintf(stderr, "the test ran out of memory\n");
    exit(2);
  }
  return grown;
}

void ids_add(Ids *ids, int32_t id) {
  ids->items = grow(ids->items, ids->count, sizeof *ids->items);
  ids->items[ids->count++] = id;
}

bool ids_contain(const Ids *ids, int32_t id) {
  for (size_t i = 0; i < ids->count; i++) {
    if (ids->items[i] == id) return true;
  }
  return false;
}

int32_t network_add_tensor(Network *network, const char *name, size_t bytes,
                           int32_t allocation_type) {
  size_t index = network->num_tensors++;
  network->tensors = grow(network->tensors, index, sizeof *network->tensors);
  NetworkTensor *tensor = &network->tensors[index];
  if (name != NULL) {
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
  } else {
    snprintf(tensor->name, sizeof tensor->name, "t%zu", index);
  }
  tensor->bytes = bytes;
  tensor->allocation_type = allocation_type;
  return (int32_t)index;
}

NetworkNode *network_add_node(Network *network, uint64_t flags) {
  network->nodes = grow(network->nodes, network->num_nodes, sizeof *network->nodes);
  NetworkNode *node = &network->nodes[network->num_nodes++];
  memset(node, 0, sizeof *node);
  node->flags = flags;
  return node;
}

void network_build(Network *network) {
  CHECK_OK(tflite_arena_graph_create(&network->graph));
  TfliteArenaGraph *graph = network->graph;
  for (size_t i = 0; i < network->num_tensors; i++) {
    const NetworkTensor *tensor = &network->tensors[i];
    int32_t index = -1;
    CHECK_OK(
        tflite_arena_graph_add_tensor(graph, tensor->bytes, tensor->allocation_type, &index));
    CHECK_INT(index, (int64_t)i);
  }
  for (size_t i = 0; i < network->num_nodes; i++) {
    const NetworkNode *node = &network->nodes[i];
    int32_t index = -1;
    CHECK_OK(tflite_arena_graph_add_node(graph, node->inputs.items, node->inputs.count,
                                         node->outputs.items, node->outputs.count, node->flags,
                                         &index));
    CHECK_INT(index, (int64_t)i);
    if (node->temporaries.count == 0) continue;
    CHECK_OK(tflite_arena_graph_set_temporaries(graph, index, node->temporaries.items,
                                                node->temporaries.count));
  }
  CHECK_OK(tflite_arena_graph_set_inputs(graph, network->inputs.items, network->inputs.count));
  CHECK_OK(tflite_arena_graph_set_outputs(graph, network->outputs.items, network->outputs.count));
  CHECK_OK(
      tflite_arena_graph_set_variables(graph, network->variables.items, network->variables.count));
  CHECK_OK(tflite_arena_graph_get_info(graph, &network->info));
}

void network_plan(Network *network, const TfliteArenaPlannerOptions *options) {
  network_build(network);
  CHECK_OK(tflite_arena_planner_create(&network->info, options, &network->planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(network->planner));
}

Network network_of(const char *text) {
  Network network = network_parse(text);
  network_plan(&network, NULL);
  return network;
}

Network network_planned_by(int32_t strategy, const char *text) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.strategy = strategy;
  Network network = network_parse(text);
  network_plan(&network, &options);
  return network;
}

void network_execute(Network *network) {
  CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, 0,
                                                    (int32_t)network->num_nodes - 1));
}

void network_free(Network *network) {
  tflite_arena_planner_destroy(network->planner);
  tflite_arena_graph_destroy(network->graph);
  for (size_t i = 0; i < network->num_nodes; i++) {
    free(network->nodes[i].inputs.items);
    free(network->nodes[i].outputs.items);
    free(network->nodes[i].temporaries.items);
  }
  free(network->nodes);
  free(network->tensors);
  free(network->inputs.items);
  free(network->outputs.items);
  free(network->variables.items);
  memset(network, 0, sizeof *network);
}

int32_t network_id(const Network *network, const char *name) {
  for (size_t i = 0; i < network->num_tensors; i++) {
    if (strcmp(network->tensors[i].name, name) == 0) return (int32_t)i;
  }
  fprintf(stderr, "the test has no tensor named \"%s\"\n", name);
  exit(2);
}

void network_resize(Network *network, int32_t tensor, size_t bytes) {
  network->tensors[tensor].bytes = bytes;
  CHECK_OK(tflite_arena_graph_set_tensor_bytes(network->graph, tensor, bytes));
}

void network_retype(Network *network, int32_t tensor, int32_t allocation_type) {
  network->tensors[tensor].allocation_type = allocation_type;
  CHECK_OK(
      tflite_arena_graph_set_tensor_allocation_type(network->graph, tensor, allocation_type));
}

void *network_data(const Network *network, int32_t tensor) {
  void *data = NULL;
  CHECK_OK(tflite_arena_graph_get_tensor_data(network->graph, tensor, &data));
  return data;
}

void *network_data_of(const Network *network, const char *name) {
  return network_data(network, network_id(network, name));
}

TfliteArenaTensorPlan network_tensor_plan(const Network *network, const char *name) {
  TfliteArenaTensorPlan plan = {0, 0, SIZE_MAX, 0, 0, 0};
  CHECK_OK(tflite_arena_planner_get_tensor_plan(network->planner, network_id(network, name),
                                                &plan));
  return plan;
}

size_t network_offset_of(const Network *network, const char *name) {
  return network_tensor_plan(network, name).offset;
}

void network_check_places(const char *file, int line, const Network *network, const char *places) {
  char name[16], offset[24];
  int length;
  for (; sscanf(places, " %15s %23[^, ]%n", name, offset, &length) == 2; places += length) {
    TfliteArenaTensorPlan plan = network_tensor_plan(network, name);
    bool has_place = plan.arena != TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE;
    if (strcmp(offset, "-") == 0) {
      check_true(file, line, name, !has_place);
    } else if (check_true(file, line, name, has_place)) {
      check_size(file, line, name, plan.offset, (size_t)strtoull(offset, NULL, 10));
    }
    length += places[length] == ',';
  }
  check_size(file, line, places, strlen(places), 0); /* all of it was understood */
}

void network_check_interval(const char *file, int line, const Network *network, const char *name,
                            int32_t first_node, int32_t last_node) {
  TfliteArenaTensorPlan plan = network_tensor_plan(network, name);
  check_int(file, line, name, plan.first_node, first_node);
  check_int(file, line, name, plan.last_node, last_node);
}

int32_t network_add_temporary(Network *network, const char *name, size_t bytes,
                              int32_t allocation_type, size_t node) {
  int32_t tensor = network_add_tensor(network, name, bytes, allocation_type), index = -1;
  CHECK_OK(tflite_arena_graph_add_tensor(network->graph, bytes, allocation_type, &index));
  CHECK_INT(index, tensor);
  Ids *temporaries = &network->nodes[node].temporaries;
  ids_add(temporaries, tensor);
  CHECK_OK(tflite_arena_graph_set_temporaries(network->graph, (int32_t)node, temporaries->items,
                                              temporaries->count));
  return tensor;
}

size_t network_arena_needed(const Network *network) {
  TfliteArenaPlanInfo info = {0, 0, 0, SIZE_MAX, SIZE_MAX, 0, 0, 0};
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &info));
  return info.arena_needed;
}

size_t network_persistent_needed(const Network *network) {
  TfliteArenaPlanInfo info = {0, 0, 0, SIZE_MAX, SIZE_MAX, 0, 0, 0};
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &info));
  return info.persistent_needed;
}

void network_check_pointers(const Network *network) {
  for (size_t i = 0; i < network->num_tensors; i++) {
    const NetworkTensor *tensor = &network->tensors[i];
    TfliteArenaTensorPlan plan;
    int32_t status = tflite_arena_planner_get_tensor_plan(network->planner, (int32_t)i, &plan);
    if (!CHECK_OK(status)) continue;
    void *data = network_data(network, (int32_t)i);
    bool ours = tensor->allocation_type == TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW ||
                tensor->allocation_type == TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
    if (!ours) continue; /* whatever the owner of such a tensor put there */
    if (plan.arena == TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE || tensor->bytes == 0) {
      CHECK_POINTER(data, NULL);
      continue;
    }
    intptr_t base = 0;
    CHECK_OK(tflite_arena_planner_base_pointer(network->planner, plan.arena, &base));
    CHECK_POINTER(data, (const void *)(base + (intptr_t)plan.offset));
    CHECK(plan.size >= tensor->bytes); /* one that shrank may keep its place */
  }
}
