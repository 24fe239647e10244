#include "shadow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Eight bytes of a value's pattern; they depend on the position too, so that a value moved by a few
   bytes is another value. */
static uint64_t pattern_word(uint32_t value, size_t position) {
  uint64_t word = ((uint64_t)value << 32) + position;
  word = (word ^ (word >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
  word = (word ^ (word >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
  return word ^ (word >> 32);
}

void pattern_write(void *data, size_t bytes, uint32_t value) {
  unsigned char *to = data;
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    uint64_t word = pattern_word(value, at);
    size_t left = bytes - at;
    memcpy(to + at, &word, left < sizeof word ? left : sizeof word);
  }
}

size_t pattern_compare(const void *data, size_t bytes, uint32_t value) {
  const unsigned char *from = data;
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    uint64_t word = pattern_word(value, at);
    size_t left = bytes - at;
    size_t length = left < sizeof word ? left : sizeof word;
    if (memcmp(from + at, &word, length) == 0) continue;
    const unsigned char *expected = (const unsigned char *)&word;
    while (from[at] == *expected) {
      at++;
      expected++;
    }
    return at;
  }
  return bytes;
}

Shadow shadow_create(const Network *network) {
  Shadow shadow;
  memset(&shadow, 0, sizeof shadow);
  shadow.network = network;
  shadow_grow(&shadow);
  return shadow;
}

void shadow_grow(Shadow *shadow) {
  size_t count = shadow->network->num_tensors;
  shadow->values = realloc(shadow->values, (count + 1) * sizeof *shadow->values);
  if (shadow->values == NULL) {
    fprintf(stderr, "the test ran out of memory\n");
    exit(2);
  }
  while (shadow->num_values < count) shadow->values[shadow->num_values++] = 0;
}

void shadow_destroy(Shadow *shadow) { free(shadow->values); }

static void fault(Shadow *shadow, const char *when, int32_t tensor, const char *what, size_t byte) {
  shadow->faults++;
  if (shadow->faults > 1) return;
  snprintf(shadow->first_fault, sizeof shadow->first_fault, "%s: tensor %" PRId32 " (%s): %s %zu",
           when, tensor, shadow->network->tensors[tensor].name, what, byte);
}

static bool in_an_arena(const Network *network, int32_t tensor) {
  int32_t type = network->tensors[tensor].allocation_type;
  return type == TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW ||
         type == TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
}

/* The tensor's bytes. NULL when there is nothing to touch: absent, empty, or owned by somebody who
   gave it no memory (a constant, a dynamic tensor). A tensor of ours must have memory. */
static void *bytes_of(Shadow *shadow, const char *when, int32_t tensor) {
  if (tensor < 0 || shadow->network->tensors[tensor].bytes == 0) return NULL;
  void *data = NULL;
  tflite_arena_graph_get_tensor_data(shadow->network->graph, tensor, &data);
  if (data == NULL && in_an_arena(shadow->network, tensor)) {
    fault(shadow, when, tensor, "has no memory, bytes", shadow->network->tensors[tensor].bytes);
  }
  return data;
}

static void stamp(Shadow *shadow, const char *when, int32_t tensor, uint32_t value) {
  void *data = bytes_of(shadow, when, tensor);
  if (data == NULL) return;
  pattern_write(data, shadow->network->tensors[tensor].bytes, value);
  shadow->values[tensor] = value;
}

static void demand(Shadow *shadow, const char *when, int32_t tensor) {
  void *data = bytes_of(shadow, when, tensor);
  if (data == NULL) return;
  if (shadow->values[tensor] == 0) {
    fault(shadow, when, tensor, "is read before it was written, bytes",
          shadow->network->tensors[tensor].bytes);
    return;
  }
  size_t bytes = shadow->network->tensors[tensor].bytes;
  size_t wrong = pattern_compare(data, bytes, shadow->values[tensor]);
  if (wrong < bytes) fault(shadow, when, tensor, "lost its value at byte", wrong);
}

/* Whether the flags let output `output` take the bytes of input `input`. */
static bool flags_allow(uint64_t flags, size_t input, size_t output) {
  if (input > 2 || (flags & ((uint64_t)TFLITE_ARENA_INPLACE_INPUT0_SHARED << input)) == 0) {
    return false;
  }
  return (flags & TFLITE_ARENA_INPLACE_CORRESPONDING_OUTPUT) != 0 ? input == output : output == 0;
}

static bool writes_in_place(Shadow *shadow, const NetworkNode *node, size_t input, size_t output) {
  int32_t from = node->inputs.items[input], to = node->outputs.items[output];
  if (!flags_allow(node->flags, input, output) || from < 0 || to < 0) return false;
  if (shadow->network->tensors[to].bytes > shadow->network->tensors[from].bytes) return false;
  void *data = bytes_of(shadow, "in place", to);
  return data != NULL && data == bytes_of(shadow, "in place", from);
}

/* The first input slot that the output lawfully lies on, or the number of slots. */
static size_t slot_under(Shadow *shadow, const NetworkNode *node, size_t output) {
  size_t slot = 0;
  while (slot < node->inputs.count && !writes_in_place(shadow, node, slot, output)) slot++;
  return slot;
}

static bool slot_is_written(Shadow *shadow, const NetworkNode *node, size_t slot) {
  for (size_t output = 0; output < node->outputs.count; output++) {
    if (writes_in_place(shadow, node, slot, output)) return true;
  }
  return false;
}

static void stamp_output(Shadow *shadow, const char *when, const NetworkNode *node, size_t output,
                         size_t source) {
  uint32_t value = ++shadow->last_value;
  bool unmodified = (node->flags & TFLITE_ARENA_INPLACE_DATA_UNMODIFIED) != 0;
  if (unmodified && source < node->inputs.count) {
    int32_t from = node->inputs.items[source];
    if (from >= 0 && shadow->values[from] != 0) value = shadow->values[from];
  }
  stamp(shadow, when, node->outputs.items[output], value);
}

static void run_node(Shadow *shadow, size_t index) {
  const NetworkNode *node = &shadow->network->nodes[index];
  size_t slots = node->inputs.count;
  char when[40];
  snprintf(when, sizeof when, "node %zu", index);

  for (size_t i = 0; i < node->temporaries.count; i++) {
    int32_t tensor = node->temporaries.items[i];
    bool kept = tensor >= 0 && shadow->values[tensor] != 0 &&
                shadow->network->tensors[tensor].allocation_type ==
                    TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
    if (kept) demand(shadow, when, tensor); /* it was made to last from run to run */
    stamp(shadow, when, tensor, ++shadow->last_value);
  }
  for (size_t output = 0; output < node->outputs.count; output++) {
    /* Apart from its input, an output that leaves data unmodified is a copy: of input 0. */
    if (slot_under(shadow, node, output) == slots) stamp_output(shadow, when, node, output, 0);
  }
  for (size_t slot = 0; slot < slots; slot++) {
    if (slot_is_written(shadow, node, slot)) demand(shadow, when, node->inputs.items[slot]);
  }
  for (size_t output = 0; output < node->outputs.count; output++) {
    size_t slot = slot_under(shadow, node, output);
    if (slot < slots) stamp_output(shadow, when, node, output, slot);
  }
  for (size_t slot = 0; slot < slots; slot++) {
    if (!slot_is_written(shadow, node, slot)) demand(shadow, when, node->inputs.items[slot]);
  }
  /* What the node wrote is all there when it returns. */
  for (size_t i = 0; i < node->temporaries.count; i++) {
    demand(shadow, when, node->temporaries.items[i]);
  }
  for (size_t i = 0; i < node->outputs.count; i++) demand(shadow, when, node->outputs.items[i]);
  for (size_t slot = 0; slot < slots && node->flags == 0; slot++) {
    int32_t tensor = node->inputs.items[slot];
    if (!ids_contain(&shadow->network->variables, tensor)) continue;
    stamp(shadow, when, tensor, ++shadow->last_value);
  }
}

void shadow_write_inputs(Shadow *shadow) {
  const Network *network = shadow->network;
  for (size_t i = 0; i < network->variables.count; i++) {
    int32_t tensor = network->variables.items[i];
    if (tensor < 0 || shadow->values[tensor] != 0) continue;
    stamp(shadow, "variables", tensor, ++shadow->last_value);
  }
  for (size_t i = 0; i < network->inputs.count; i++) {
    stamp(shadow, "inputs", network->inputs.items[i], ++shadow->last_value);
  }
}

void shadow_run_nodes(Shadow *shadow, size_t first, size_t last) {
  for (size_t i = first; i <= last && i < shadow->network->num_nodes; i++) run_node(shadow, i);
}

void shadow_check_tensor(Shadow *shadow, int32_t tensor) { demand(shadow, "kept", tensor); }

void shadow_check_end(Shadow *shadow) {
  const Network *network = shadow->network;
  const Ids *const lists[] = {&network->inputs, &network->outputs, &network->variables};
  for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
    for (size_t i = 0; i < lists[list]->count; i++) {
      demand(shadow, "at the end", lists[list]->items[i]);
    }
  }
  for (size_t i = 0; i < network->num_tensors; i++) {
    bool persistent = network->tensors[i].allocation_type ==
                      TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
    if (persistent && shadow->values[i] != 0) demand(shadow, "at the end", (int32_t)i);
  }
}

void shadow_run(Shadow *shadow, int rounds) {
  for (int round = 0; round < rounds; round++) {
    shadow_write_inputs(shadow);
    if (shadow->network->num_nodes > 0) shadow_run_nodes(shadow, 0, shadow->network->num_nodes - 1);
    shadow_check_end(shadow);
  }
}

bool shadow_report(const Shadow *shadow) {
  if (shadow->faults == 0) return true;
  fprintf(stderr, "shadow run: %zu faults, the first at %s, in the network\n", shadow->faults,
          shadow->first_fault);
  network_print(shadow->network, stderr);
  return false;
}

bool shadow_is_clean(const Network *network) {
  Shadow shadow = shadow_create(network);
  shadow_run(&shadow, 2);
  bool clean = shadow_report(&shadow);
  shadow_destroy(&shadow);
  return clean;
}
