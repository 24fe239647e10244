/* The shadow run: the network's nodes run for real over the pointers that the planner set, with
   kernels that only write and demand patterns. Each value has an id; writing a tensor stamps all its
   bytes with the pattern of a fresh id, reading demands the pattern of the id that the tensor should
   hold on every byte. Kept apart from the planner: it knows the network, in-place flags and
   pointers, and nothing of intervals or offsets.

   A kernel may write whenever it likes, so inside a node temporaries and outputs are stamped before
   inputs are read. The one exception: output o over input i where the node's flags allow that pair,
   at the same address and no larger than the input; then that input slot is read first. A node that
   leaves its data unmodified gives such an output the input's own value. A node without any flag
   that reads a variable also writes it, as recurrent kernels do with their state. */
#ifndef TFLITE_ARENA_CTESTS_SHADOW_H
#define TFLITE_ARENA_CTESTS_SHADOW_H

#include "network.h"

typedef struct {
  const Network *network;
  uint32_t *values; /* id that each tensor holds, 0: none */
  size_t num_values;
  uint32_t last_value;
  size_t faults;
  char first_fault[200];
} Shadow;

Shadow shadow_create(const Network *network);
void shadow_destroy(Shadow *shadow);

/* Takes in tensors that were added to the network since. */
void shadow_grow(Shadow *shadow);

/* The application fills the graph's inputs; variables get a value when they have none yet. */
void shadow_write_inputs(Shadow *shadow);

void shadow_run_nodes(Shadow *shadow, size_t first, size_t last);

/* Demands the values of graph inputs, outputs, variables and persistent tensors. */
void shadow_check_end(Shadow *shadow);

/* The whole thing: `rounds` times inputs, all nodes, end. */
void shadow_run(Shadow *shadow, int rounds);

/* Demands that one tensor still holds its value. */
void shadow_check_tensor(Shadow *shadow, int32_t tensor);

/* Whether the network with its present pointers runs clean for two rounds; prints the first fault
   and the network when not. */
bool shadow_is_clean(const Network *network);

/* Prints the first fault and the network, if there is a fault; returns whether there is none. */
bool shadow_report(const Shadow *shadow);

/* Stamps and demands the pattern of `value` at `data`; the second returns the first wrong byte's
   position, or `bytes`. */
void pattern_write(void *data, size_t bytes, uint32_t value);
size_t pattern_compare(const void *data, size_t bytes, uint32_t value);

#endif
