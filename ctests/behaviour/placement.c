/* In which order tensors get their places, and which gap each takes. Offsets are at alignment 64. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void finish(Network *network) {
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));
  network_free(network);
}

/* A is the largest, but x and y are there for the whole run: x 0, y 64..320, A 320..1344, B behind. */
static void what_lives_for_the_whole_run_comes_first_by_index(void) {
  Network network = network_of("x:64 in; A:1024; y:256 in; B:64 out; x,y->A; A->B");
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, y 64, A 320, B 1344");
  CHECK_SIZE(network_arena_needed(&network), 1408);
  finish(&network);
}

/* B [1, 2] at 64..320, then A [0, 1] and C [2, end], which never meet, both at 320. */
static void then_come_the_largest(void) {
  Network network = network_of("x:64 in; A:64; B:256; C:64 out; x->A; A->B; B->C");
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 320, B 64, C 320");
  CHECK_SIZE(network_arena_needed(&network), 384);
  finish(&network);
}

/* A and B both begin at node 0; the node names B first. Then C, which begins at node 1. All meet: 64, 128, 192.
   D meets x, B and C. */
static void equal_sizes_go_by_first_node_and_then_by_index(void) {
  Network network = network_of("x:64 in; C,A,B:64; D:64 out; x->B,A; A->C; B,C->D");
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 192, D 64");
  CHECK_SIZE(network_arena_needed(&network), 256);
  finish(&network);
}

/* Nodes 0 and 1: x 0..64, G 64..320, P 320..520, H 576..704, R 704..768, Q 768..832. Nobody needs G and H at
   node 2, where T is placed, before the smaller E. So there are two gaps: 256 bytes at 64 and, from the first aligned
   byte, 128 bytes at 576. */
static size_t offset_of_a_tensor_between_two_gaps(size_t bytes) {
  Network network = network_of(
      "x:64 in; G:256; P:200; H:128; R,Q,T:64; E:64 out;"
      "x->G,P,H,R; G,H->Q; x->T; P,R,Q,T->E");
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 1));
  CHECK_PLACES(&network, "x 0, G 64, P 320, H 576, R 704, Q 768");
  network_resize(&network, network_id(&network, "T"), bytes);
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 2, 3));
  size_t offset = network_offset_of(&network, "T");
  finish(&network);
  return offset;
}

static void the_smallest_gap_that_fits_is_taken_or_else_the_end(void) {
  CHECK_SIZE(offset_of_a_tensor_between_two_gaps(65), 576);
  CHECK_SIZE(offset_of_a_tensor_between_two_gaps(128), 576);
  CHECK_SIZE(offset_of_a_tensor_between_two_gaps(129), 64);
  CHECK_SIZE(offset_of_a_tensor_between_two_gaps(256), 64);
  CHECK_SIZE(offset_of_a_tensor_between_two_gaps(257), 832);
}

/* Two gaps that begin at 8 and at 196, and end at 192 and at 384. From the first aligned byte both have 128 bytes, at
   64 and at 256; from where they begin they have 184 and 188.
     [0, 8)  ...  [192, 196)  ...  [384, 448) */
static TfliteArenaSimpleMemoryArena *arena_with_two_gaps(void) {
  static const size_t sizes[] = {8, 128, 4, 128, 64}, offsets[] = {0, 64, 192, 256, 384};
  TfliteArenaSimpleMemoryArena *arena = NULL;
  TfliteArenaAlloc allocs[5];
  CHECK_OK(tflite_simple_memory_arena_create(64, 0, NULL, &arena));
  for (size_t i = 0; i < 5; i++) {
    CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, sizes[i], &allocs[i]));
    CHECK_SIZE(allocs[i].offset, offsets[i]);
  }
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[1]));
  CHECK_OK(tflite_simple_memory_arena_deallocate_in_order(arena, &allocs[3]));
  return arena;
}

/* From 2.2 on the second gap's 128 are less than the first one's 184, which is what is remembered of it. */
static void a_gap_is_compared_from_its_aligned_byte_and_remembered_from_its_begin(void) {
  TfliteArenaSimpleMemoryArena *arena = arena_with_two_gaps();
  TfliteArenaAllocWithUsageInterval alloc;
  CHECK_OK(tflite_simple_memory_arena_allocate(arena, 64, 100, 0, 0, 1, &alloc));
  CHECK_SIZE(alloc.offset, 256);
  tflite_simple_memory_arena_destroy(arena);
}

/* Up to 2.1: 184 are less than 188. */
static void in_order_a_gap_is_measured_from_its_begin(void) {
  TfliteArenaSimpleMemoryArena *arena = arena_with_two_gaps();
  TfliteArenaAlloc alloc;
  CHECK_OK(tflite_simple_memory_arena_allocate_in_order(arena, 64, 100, &alloc));
  CHECK_SIZE(alloc.offset, 64);
  tflite_simple_memory_arena_destroy(arena);
}

/* x 0, A 64, B behind both at 128, C where A was. The largest first would put B at 64. */
static void in_order_tensors_are_placed_as_the_nodes_run(void) {
  Network network = network_planned_by(TFLITE_ARENA_STRATEGY_IN_ORDER,
                                       "x:64 in; A:64; B:256; C:64 out; x->A; A->B; B->C");
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 64");
  CHECK_SIZE(network_arena_needed(&network), 384);
  finish(&network);
}

/* What a runtime up to 2.1 does when node 2 turns out to write more than was thought: it plans and executes
   everything again, and runs on from node 2. In order: C behind B at 384. The largest first: C at 64, B behind it. */
static void plan_again_in_mid_run(int32_t strategy, const char *before, const char *after, bool keeps_places) {
  Network network = network_planned_by(strategy, "x:64 in; A:64; B:256; C:64 out; x->A; A->B; B->C");
  network_execute(&network);
  CHECK_PLACES(&network, before);
  Shadow shadow = shadow_create(&network);
  shadow_write_inputs(&shadow);
  shadow_run_nodes(&shadow, 0, 1);
  network_resize(&network, network_id(&network, "C"), 4096);
  CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
  network_execute(&network);
  CHECK_PLACES(&network, after);
  if (keeps_places) {
    shadow_run_nodes(&shadow, 2, 2);
    shadow_check_end(&shadow);
    CHECK(shadow_report(&shadow));
  }
  shadow_destroy(&shadow);
  finish(&network);
}

static void in_order_unchanged_first_nodes_keep_their_places(void) {
  plan_again_in_mid_run(TFLITE_ARENA_STRATEGY_IN_ORDER, "x 0, A 64, B 128, C 64",
                        "x 0, A 64, B 128, C 384", true);
  plan_again_in_mid_run(TFLITE_ARENA_STRATEGY_GREEDY, "x 0, A 320, B 64, C 320",
                        "x 0, A 64, B 4160, C 64", false);
}

int main(void) {
  what_lives_for_the_whole_run_comes_first_by_index();
  then_come_the_largest();
  equal_sizes_go_by_first_node_and_then_by_index();
  the_smallest_gap_that_fits_is_taken_or_else_the_end();
  a_gap_is_compared_from_its_aligned_byte_and_remembered_from_its_begin();
  in_order_a_gap_is_measured_from_its_begin();
  in_order_tensors_are_placed_as_the_nodes_run();
  in_order_unchanged_first_nodes_keep_their_places();
  return check_finish();
}
