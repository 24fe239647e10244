/* The strategies that share and pack beyond upstream, best and exact, beside greedy: arenas worked out by hand. */
#include "check.h"
#include "network.h"
#include "shadow.h"

/* The arena that the network needs by a strategy; no byte of it is lost when it runs. */
static size_t arena_by(int32_t strategy, const char *text) {
  Network network = network_planned_by(strategy, text);
  network_execute(&network);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  size_t arena = network_arena_needed(&network);
  network_free(&network);
  return arena;
}

/* What greedy needs, and what both that search do. */
static void check_arenas(const char *text, size_t greedy, size_t searching) {
  check_situation("%s", text);
  CHECK_SIZE(arena_by(TFLITE_ARENA_STRATEGY_GREEDY, text), greedy);
  CHECK_SIZE(arena_by(TFLITE_ARENA_STRATEGY_BEST, text), searching);
  CHECK_SIZE(arena_by(TFLITE_ARENA_STRATEGY_EXACT, text), searching);
}

/* D on A's bytes: x, A, u and E, which begins where u ends, are alive at once at most. Its twin: u reads A after D is
   written, so that A must stay. */
static void the_last_reader_may_write_in_place(void) {
  check_arenas("x:64 in; A:4096; u:64; D:4096; E:64 out; x->A; A->u; A->D S; D,u->E", 8320, 4288);
  check_arenas("x:64 in; A:4096; D:4096; u:64; E:64 out; x->A; A->D S; A->u; D,u->E", 8320, 8320);
}

/* Inputs 0 and 1 go with outputs 0 and 1. Upstream's rule gives C the bytes of A only. Then V, a view of A, comes first but is
   not fit, as A is read again: D takes over B. */
static void any_operand_that_is_fit_is_taken_over(void) {
  check_arenas("x:64 in; A,B,C,D:256; E:64 out; x->A; x->B; A,B->C,D 14; C,D->E", 64 + 3 * 256,
               64 + 2 * 256 + 64);
  check_arenas("x:64 in; A,V,B,D:256; E:64 out; x->A; A->V R; x->B; V,B->D M; A,D->E", 64 + 3 * 256,
               64 + 2 * 256 + 64);
}

/* W is never read. Kept to the end, it stands beside B. */
static void an_output_that_nobody_reads_lives_at_its_node(void) {
  check_arenas("x:64 in; A:1024; W:256; B:1024; E:64 out; x->A,W; A->B; B->E", 64 + 1024 + 1024 + 256,
               64 + 1024 + 1024);
}

/* d is alive at the last node only, with c; a and b before that, with c. Greedy: d at 64, c on it at 256, a below c, but b
   on c. With c on a and b: 64 and 128 for each of them. */
static void a_hole_is_closed(void) {
  check_arenas("x:64 in; c:128; a:128; b:128; e:0; d:192 out; x->c; c->a,b; a,b->e; e,c->d", 64 + 64 + 3 * 128,
               64 + 3 * 128);
}

/* Where greedy is at the lower bound, as here at node 1 with 64 + 256 + 65, its very plan is kept. */
static void greedy_s_own_plan_is_kept_unless_it_is_higher(void) {
  for (int32_t strategy = TFLITE_ARENA_STRATEGY_GREEDY; strategy <= TFLITE_ARENA_STRATEGY_EXACT; strategy++) {
    if (strategy == TFLITE_ARENA_STRATEGY_IN_ORDER) continue;
    Network network =
        network_planned_by(strategy, "x:64 in; A:256; B:65; C:256; D:64 out; x->A; A->B; B->C; C->D");
    network_execute(&network);
    CHECK_PLACES(&network, "x 0, A 64, B 320, C 64, D 320");
    network_free(&network);
  }
}

/* The application changes a size and back. The plans are found once each, and are the same again. */
static void plans_are_the_same_when_they_come_again(void) {
  Network network = network_planned_by(TFLITE_ARENA_STRATEGY_BEST,
                                       "x:64 in; c:128; a:128; b:128; e:0; d:192 out; x->c; c->a,b; a,b->e; e,c->d");
  size_t arenas[2] = {0, 0};
  for (int round = 0; round < 6; round++) {
    network_resize(&network, network_id(&network, "d"), round % 2 == 0 ? 192 : 1024);
    CHECK_OK(tflite_arena_planner_plan_allocations(network.planner));
    network_execute(&network);
    size_t *arena = &arenas[round % 2];
    if (round >= 2) CHECK_SIZE(network_arena_needed(&network), *arena);
    *arena = network_arena_needed(&network);
    CHECK(shadow_is_clean(&network));
  }
  CHECK_SIZE(arenas[0], 64 + 3 * 128);
  CHECK_SIZE(arenas[1], 64 + 128 + 1024);
  network_free(&network);
}

int main(void) {
  the_last_reader_may_write_in_place();
  any_operand_that_is_fit_is_taken_over();
  an_output_that_nobody_reads_lives_at_its_node();
  a_hole_is_closed();
  greedy_s_own_plan_is_kept_unless_it_is_higher();
  plans_are_the_same_when_they_come_again();
  return check_finish();
}
