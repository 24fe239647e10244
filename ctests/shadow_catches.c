/* The shadow run itself: plans made by hand with one fault each must be caught, and their lawful
   twins must pass. No planner takes part; pointers are set into a pool of the test's own. */
#include "check.h"
#include "network.h"
#include "shadow.h"

enum { POOL = 1024, UNPLACED = -1 };

static Network placed_by_hand(const char *text, const int *offsets) {
  static unsigned char pool[POOL];
  Network network = network_parse(text);
  network_build(&network);
  for (size_t i = 0; i < network.num_tensors; i++) {
    if (offsets[i] == UNPLACED) continue;
    CHECK_OK(
        tflite_arena_graph_set_tensor_data(network.graph, (int32_t)i, pool + offsets[i]));
  }
  return network;
}

static size_t faults_of(const char *text, const int *offsets, char *first_fault, size_t room) {
  Network network = placed_by_hand(text, offsets);
  Shadow shadow = shadow_create(&network);
  shadow_run(&shadow, 2);
  size_t faults = shadow.faults;
  snprintf(first_fault, room, "%s", shadow.first_fault);
  shadow_destroy(&shadow);
  network_free(&network);
  return faults;
}

static void caught(const char *kind, const char *text, const int *offsets, const char *where) {
  check_situation("%s", kind);
  char first_fault[200];
  CHECK(faults_of(text, offsets, first_fault, sizeof first_fault) > 0);
  CHECK_CONTAINS(first_fault, where);
}

static void passes(const char *kind, const char *text, const int *offsets) {
  check_situation("%s", kind);
  char first_fault[200];
  if (!CHECK_SIZE(faults_of(text, offsets, first_fault, sizeof first_fault), 0)) {
    fprintf(stderr, "  %s\n", first_fault);
  }
}

#define AT(...) ((const int[]){__VA_ARGS__})

int main(void) {
  passes("disjoint", "x:64 in; A:64; B:64 out; x->A; A->B", AT(0, 64, 128));
  passes("reuse after the last reader", "x:64 in; A,B:64; C:64 out; x->A; A->B; B->C",
         AT(0, 64, 128, 64));

  /* Output over its input. */
  caught("without a flag", "x:64 in; A:64; B:64 out; x->A; A->B", AT(0, 64, 64), "node 1");
  passes("with the flag", "x:64 in; A:64; B:64 out; x->A; A->B S", AT(0, 64, 64));
  caught("with the other slot's flag", "x:64 in; A:64; B:64 out; x->A; x,A->B S", AT(0, 64, 64),
         "node 1");
  caught("shifted by eight bytes", "x:64 in; A:64; B:64 out; x->A; A->B S", AT(0, 64, 72),
         "node 1");
  caught("larger than the input", "x:64 in; A:64; B:65 out; x->A; A->B S", AT(0, 64, 64),
         "node 1");
  caught("flag 2, another output", "x:64 in; A,B:64; C:64 out; x->A; x,A->B,C 10",
         AT(0, 64, 64, 128), "node 1");
  passes("flag 2, its own output", "x:64 in; A,B:64; C:64 out; x->A; x,A->B,C 10",
         AT(0, 64, 128, 64));

  /* The operand again: slot 1 reads what the node has overwritten. */
  caught("operand twice", "x:64 in; A:64; B:64 out; x->A; A,A->B S", AT(0, 64, 64), "node 1");
  caught("operand and its alias", "x:64 in; A,B:64; C:64 out; x->A; A->B R; A,B->C S",
         AT(0, 64, 64, 64), "node 2");

  /* Late reads: of the operand, of its root, of an alias of an alias. */
  caught("operand read later", "x:64 in; A,B:64; C:64 out; x->A; A->B S; A,B->C",
         AT(0, 64, 64, 128), "node 2");
  caught("root read later", "x:64 in; A,B,C:64; D:64 out; x->A; A->B R; B->C S; A,C->D",
         AT(0, 64, 64, 64, 128), "node 3");
  caught("alias of an alias",
         "x:64 in; A,B,C,D:64; E:64 out; x->A; A->B R; B->C R; C->D S; B,D->E M",
         AT(0, 64, 64, 64, 64, 128), "node 4");
  passes("alias of an alias, D apart",
         "x:64 in; A,B,C,D:64; E:64 out; x->A; A->B R; B->C R; C->D S; B,D->E M",
         AT(0, 64, 64, 64, 128, 192));
  caught("freed too early", "x:64 in; A,B:64; C:64 out; x->A; x->B; A,B->C", AT(0, 64, 64, 128),
         "node 2");

  /* Temporaries. */
  caught("temporary over input", "x:64 in; A:64; B:64 out; T:64; x->A; A->B tmp T",
         AT(0, 64, 128, 64), "node 1");
  caught("temporary over output", "x:64 in; A:64; B:64 out; T:64; x->A; A->B tmp T",
         AT(0, 64, 128, 180), "node 1");
  passes("temporary in a gap", "x:64 in; A:64; B:64 out; T:64; x->A; A->B tmp T",
         AT(0, 64, 128, 192));
  caught("persistent temporary overwritten",
         "x:64 in; A:64; B:64 out; P:64 persistent; x->A tmp P; A->B", AT(0, 64, 128, 128),
         "lost its value");

  /* What has to last to the end. */
  caught("graph input reused", "x:64 in; A,B:64; C:64 out; x->A; A->B; B->C", AT(0, 64, 128, 0),
         "at the end");
  caught("graph output reused", "x:64 in; A:64 out; B:64; C:64; x->A; A->B; B->C",
         AT(0, 64, 128, 64), "at the end");
  caught("variable reused", "x:64 in; V:64 var; A:64; B:64 out; x,V->A; A->B", AT(0, 64, 128, 64),
         "at the end");
  caught("alias of a variable that a later node writes",
         "x:64 in; V:64 var; A:64; B:64; C:64 out; V->A R; x,V->B; A,B->C", AT(0, 64, 64, 128, 192),
         "node 2");
  caught("no memory", "x:64 in; A:64; B:64 out; x->A; A->B", AT(0, UNPLACED, 128), "no memory");
  caught("no writer", "x:64; A:64 out; x->A", AT(0, 64), "before it was written");
  return check_finish();
}
