/* A small network as the tests write it, the library's graph built from it, and a planner for it.
   The description stays beside the graph, so that the shadow run judges the planner by what the
   test asked for, not by what the library remembers. */
#ifndef TFLITE_ARENA_CTESTS_NETWORK_H
#define TFLITE_ARENA_CTESTS_NETWORK_H

#include <stdio.h>

#include "tflite_arena.h"

typedef struct {
  int32_t *items;
  size_t count;
} Ids;

typedef struct {
  char name[16];
  size_t bytes;
  int32_t allocation_type;
} NetworkTensor;

typedef struct {
  Ids inputs; /* -1: optional and absent */
  Ids outputs;
  Ids temporaries;
  uint64_t flags;
} NetworkNode;

typedef struct {
  NetworkTensor *tensors;
  size_t num_tensors;
  NetworkNode *nodes;
  size_t num_nodes;
  Ids inputs, outputs, variables;
  TfliteArenaGraph *graph;
  TfliteArenaGraphInfo info; /* of `graph` */
  TfliteArenaPlanner *planner;
} Network;

/* The notation of the tests, statements separated by ';' or line ends:
     A,B:256            tensors and their bytes; then any of: in out var persistent custom const dynamic
     x,_->A             a node; '_' is an absent optional tensor. Then any of:
       R S M 12           in-place flags: R = 5 (input 0, data unmodified), S = 4 (input 0),
                          M = 12 (inputs 0 and 1), or the number itself
       tmp P,Q            temporaries
   Tensors are numbered in the order of their statements, and so are nodes. Bad text ends the test. */
Network network_parse(const char *text);

/* Prints the network in that notation. */
void network_print(const Network *network, FILE *file);

/* The same by hand. `name` may be NULL. The tensor's index, the node until the next one is added. */
int32_t network_add_tensor(Network *network, const char *name, size_t bytes,
                           int32_t allocation_type);
NetworkNode *network_add_node(Network *network, uint64_t flags);
void ids_add(Ids *ids, int32_t id);
bool ids_contain(const Ids *ids, int32_t id);

/* Builds the library's graph; every step is checked to be ok. */
void network_build(Network *network);

/* network_build, then a planner with `options` (NULL: the defaults), then PlanAllocations. */
void network_plan(Network *network, const TfliteArenaPlannerOptions *options);

/* network_parse and network_plan with the default options. */
Network network_of(const char *text);

/* The same by a strategy, a TfliteArenaStrategy. */
Network network_planned_by(int32_t strategy, const char *text);

/* ExecuteAllocations over all nodes, checked to be ok. */
void network_execute(Network *network);

void network_free(Network *network);

/* The index of a tensor that the text named; ends the test when there is none. */
int32_t network_id(const Network *network, const char *name);

/* Both the description's size and the graph's. */
void network_resize(Network *network, int32_t tensor, size_t bytes);
void network_retype(Network *network, int32_t tensor, int32_t allocation_type);

/* What the planner wrote into the tensor's data field. */
void *network_data(const Network *network, int32_t tensor);
void *network_data_of(const Network *network, const char *name);

/* The offset of a placed tensor, and the bytes that the present plan needs. */
size_t network_offset_of(const Network *network, const char *name);
size_t network_arena_needed(const Network *network);
size_t network_persistent_needed(const Network *network);

TfliteArenaTensorPlan network_tensor_plan(const Network *network, const char *name);

/* Checks the offsets of tensors, written as "x 0, A 64, B -": '-' is a tensor without a place. */
#define CHECK_PLACES(network, places) network_check_places(__FILE__, __LINE__, (network), (places))
void network_check_places(const char *file, int line, const Network *network, const char *places);

/* Checks from which node to which a tensor's bytes are kept. TO_THE_END: they are never given back. */
#define TO_THE_END INT32_MAX
#define CHECK_INTERVAL(network, name, first_node, last_node) \
  network_check_interval(__FILE__, __LINE__, (network), (name), (first_node), (last_node))
void network_check_interval(const char *file, int line, const Network *network, const char *name,
                            int32_t first_node, int32_t last_node);

/* Adds a tensor to the graph as it is now, and to the temporaries of a node; the planner is not told. */
int32_t network_add_temporary(Network *network, const char *name, size_t bytes,
                              int32_t allocation_type, size_t node);

/* Checks that each placed tensor's pointer is its arena's base plus its offset, and that tensors
   without bytes or without a place have none. */
void network_check_pointers(const Network *network);

#endif
