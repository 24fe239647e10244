/* Graphs that change after they were planned: more temporaries, other sizes, other kinds of memory. Lifetimes are worked
   out again, live tensors never overlap, and what cannot be is refused. Offsets are at alignment 64. */
#include "check.h"
#include "network.h"
#include "shadow.h"

enum { CUSTOM = TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM,
       DYNAMIC = TFLITE_ARENA_ALLOCATION_TYPE_DYNAMIC,
       RW = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW,
       PERSISTENT = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT };

static unsigned char own_memory[4096];

static void resize(Network *network, const char *name, size_t bytes) {
  network_resize(network, network_id(network, name), bytes);
}

/* The tensor becomes the application's, which brings the memory along. */
static void take_away(Network *network, const char *name, int32_t kind) {
  int32_t tensor = network_id(network, name);
  network_retype(network, tensor, kind);
  CHECK_OK(tflite_arena_graph_set_tensor_data(network->graph, tensor, own_memory));
}

static void check_clean(const Network *network, const char *places, size_t needed) {
  CHECK_PLACES(network, places);
  CHECK_SIZE(network_arena_needed(network), needed);
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));
}

/* T and P come to node 1 after the plan, with so many more that the graph's tensors move to another array.
   x 0, A [0, 1] 64, B [1, 2] 128, T [1, 1] 192, C where A was. */
static void temporaries_may_be_added_after_the_plan(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; x->A; A->B; B->C");
  network_add_temporary(&network, "T", 64, RW, 1);
  network_add_temporary(&network, "P", 100, PERSISTENT, 1);
  for (int i = 0; i < 100; i++) network_add_temporary(&network, NULL, 0, RW, 1);
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 1, 1);
  CHECK_SIZE(network_persistent_needed(&network), 100);
  check_clean(&network, "x 0, A 64, B 128, T 192, C 64, P 0", 256);

  /* One more between two executions, and without a reset: what is placed stays. S meets x, A, B and T. */
  network_add_temporary(&network, "S", 64, RW, 1);
  network_execute(&network);
  check_clean(&network, "x 0, A 64, B 128, T 192, S 256, C 64, P 0", 320);
  network_free(&network);
}

/* x 0, B [1, 2] 64, C [2, end] 128; A, the largest, is not there. */
static void what_turns_custom_or_dynamic_after_the_plan_gets_no_place(void) {
  static const int32_t kinds[] = {CUSTOM, DYNAMIC};
  for (size_t i = 0; i < 2; i++) {
    Network network = network_of("x:64 in; A:1024; B:64; C:64 out; x->A; A->B; B->C");
    take_away(&network, "A", kinds[i]);
    network_execute(&network);
    CHECK_POINTER(network_data_of(&network, "A"), own_memory);
    check_clean(&network, "x 0, A -, B 64, C 128", 192);
    network_free(&network);
  }
}

/* Planned as one place for A and B, [0, 2]. Without A: B [1, 2] 64..320, C [2, 3] 320..384, D where B was. */
static void a_view_whose_root_turns_custom_or_dynamic_gets_bytes_of_its_own(void) {
  static const int32_t kinds[] = {CUSTOM, DYNAMIC};
  for (size_t i = 0; i < 2; i++) {
    Network network = network_of("x:64 in; A,B:256; C:64; D:64 out; x->A; A->B R; B->C; C->D");
    CHECK_INTERVAL(&network, "B", 0, 2);
    take_away(&network, "A", kinds[i]);
    network_execute(&network);
    CHECK_POINTER(network_data_of(&network, "A"), own_memory);
    CHECK_INTERVAL(&network, "B", 1, 2);
    check_clean(&network, "x 0, A -, B 64, C 320, D 64", 384);
    network_free(&network);
  }
}

/* A, planned to live until its view B is read, [0, 2], has another size than B now, and goes after node 1:
   A 64..576, B 576..832, C [2, 3] and D fit where A was. With the lifetimes of the plan C would lie at 832. */
static void lifetimes_are_worked_out_again_when_a_view_is_dropped(void) {
  Network network = network_of("x:64 in; A,B,C:256; D:64 out; x->A; A->B R; B->C; C->D");
  CHECK_INTERVAL(&network, "A", 0, 2);
  resize(&network, "A", 512);
  network_execute(&network);
  CHECK_INTERVAL(&network, "A", 0, 1);
  CHECK_INTERVAL(&network, "B", 1, 2);
  check_clean(&network, "x 0, A 64, B 576, C 64, D 320", 832);
  network_free(&network);
}

/* The same when A's node has run, and lies before the range: A 64..320 stays, and goes after node 1. B 320..832, and C
   where A was. */
static void lifetimes_are_worked_out_again_also_of_what_was_placed_before(void) {
  Network network = network_of("x:64 in; A,B,C:256; D:64 out; x->A; A->B R; B->C; C->D");
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK_INTERVAL(&network, "A", 0, 2);
  resize(&network, "B", 512);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 3));
  CHECK_INTERVAL(&network, "A", 0, 1);
  check_clean(&network, "x 0, A 64, B 320, C 64, D 320", 832);
  network_free(&network);
}

/* x 0, A 64, B 128, C where A was. A grows: neither at 64, before B, nor at 128 is there room. */
static void a_tensor_that_grew_is_placed_anew_without_a_reset(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; x->A; A->B; B->C");
  network_execute(&network);
  check_clean(&network, "x 0, A 64, B 128, C 64", 192);
  resize(&network, "A", 4096);
  network_execute(&network);
  check_clean(&network, "x 0, A 192, B 128, C 64", 4288);
  resize(&network, "x", 4096); /* everything is in its way: behind A, at 4288 rounded up */
  network_execute(&network);
  check_clean(&network, "x 4288, A 192, B 128, C 64", 8384);
  network_free(&network);
}

/* Node 0 has run when A grows, and does not run again: its 64 bytes go along. */
static void a_tensor_that_grew_keeps_its_bytes_when_the_range_only_reads_it(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; x->A; A->B; B->C");
  network_execute(&network);
  pattern_write(network_data_of(&network, "x"), 64, 1);
  pattern_write(network_data_of(&network, "A"), 64, 2);
  resize(&network, "A", 4096);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
  network_check_pointers(&network);
  CHECK(network_tensor_plan(&network, "A").size >= 4096);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "x"), 64, 1), 64);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "A"), 64, 2), 64);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* P is written by node 0 and read by node 1. Q lies behind it, so P has to move. */
static void a_persistent_tensor_that_grew_keeps_its_bytes_when_the_range_only_reads_it(void) {
  Network network = network_of(
      "x:64 in; P,Q:64 persistent; A:64; B:64 out;"
      "x->P,Q; P,Q->A; A->B");
  network_execute(&network);
  CHECK_PLACES(&network, "P 0, Q 64");
  pattern_write(network_data_of(&network, "P"), 64, 1);
  pattern_write(network_data_of(&network, "Q"), 64, 2);
  resize(&network, "P", 4096);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 1, 2));
  CHECK_PLACES(&network, "P 128, Q 64");
  network_check_pointers(&network);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "P"), 64, 1), 64);
  pattern_write(network_data_of(&network, "P"), 4096, 3);
  CHECK_SIZE(pattern_compare(network_data_of(&network, "Q"), 64, 2), 64);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* It loses its pointer, and not its place: when it has bytes again they are there. */
static void a_tensor_that_turns_empty_loses_its_pointer_without_a_reset(void) {
  Network network = network_of("x:64 in; A:64; B:64 out; x->A; A->B");
  network_execute(&network);
  const void *a = network_data_of(&network, "A");
  resize(&network, "A", 0);
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "A"), NULL);
  resize(&network, "A", 32);
  network_execute(&network);
  CHECK_POINTER(network_data_of(&network, "A"), a);
  check_clean(&network, "x 0, A 64, B 128", 192);
  network_free(&network);
}

/* A leaves the ArenaRw arena, 64..320, for the other one, and comes back. */
static void a_tensor_may_change_arenas(void) {
  Network network = network_of("x:64 in; A:256; B:64 out; x->A; A->B");
  network_execute(&network);
  check_clean(&network, "x 0, A 64, B 320", 384);
  network_retype(&network, network_id(&network, "A"), PERSISTENT);
  network_execute(&network);
  CHECK_INT(network_tensor_plan(&network, "A").arena, PERSISTENT);
  CHECK_SIZE(network_persistent_needed(&network), 256);
  check_clean(&network, "x 0, A 0, B 320", 384);
  network_retype(&network, network_id(&network, "A"), RW);
  network_execute(&network);
  CHECK_SIZE(network_persistent_needed(&network), 0);
  check_clean(&network, "x 0, A 64, B 320", 384);
  network_free(&network);
}

static void a_negative_first_node_is_refused(void) {
  Network network = network_of("x:64 in; A:64; B:64 out; x->A; A->B");
  static const int32_t firsts[] = {-1, INT32_MIN};
  for (size_t i = 0; i < 2; i++) {
    CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, firsts[i], 1),
                 TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
    CHECK_CONTAINS(tflite_arena_planner_last_error(network.planner), "node -");
    CHECK_PLACES(&network, "x -, A -, B -");
    network_check_pointers(&network);
  }
  network_execute(&network);
  check_clean(&network, "x 0, A 64, B 128", 192);
  network_free(&network);
}

/* Temporaries are read when a range is executed, so that is where a wild one is noticed: 3 tensors are there. */
static void a_wild_temporary_is_refused_when_its_node_is_executed(void) {
  Network network = network_of("x:64 in; A:64; B:64 out; x->A; A->B");
  static const int32_t wild[] = {3, -2, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
    CHECK_OK(tflite_arena_graph_set_temporaries(network.graph, 1, &wild[i], 1));
    CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
    CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 1, 1),
                 TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE);
    CHECK_CONTAINS(tflite_arena_planner_last_error(network.planner), "in node 1");
    CHECK_PLACES(&network, "x 0, A 64, B -");
  }
  CHECK_OK(tflite_arena_graph_set_temporaries(network.graph, 1, NULL, 0));
  network_execute(&network);
  check_clean(&network, "x 0, A 64, B 128", 192);
  network_free(&network);
}

int main(void) {
  temporaries_may_be_added_after_the_plan();
  what_turns_custom_or_dynamic_after_the_plan_gets_no_place();
  a_view_whose_root_turns_custom_or_dynamic_gets_bytes_of_its_own();
  lifetimes_are_worked_out_again_when_a_view_is_dropped();
  lifetimes_are_worked_out_again_also_of_what_was_placed_before();
  a_tensor_that_grew_is_placed_anew_without_a_reset();
  a_tensor_that_grew_keeps_its_bytes_when_the_range_only_reads_it();
  a_persistent_tensor_that_grew_keeps_its_bytes_when_the_range_only_reads_it();
  a_tensor_that_turns_empty_loses_its_pointer_without_a_reset();
  a_tensor_may_change_arenas();
  a_negative_first_node_is_refused();
  a_wild_temporary_is_refused_when_its_node_is_executed();
  return check_finish();
}
