/* U1: an op may write on its operand's bytes only when no alias of them is read later, and aliases
   of aliases count too. All offsets are at alignment 64; the strategy is the default, greedy. */
#include "check.h"
#include "network.h"
#include "shadow.h"

/* B and C are views of A. D must not take their bytes: B is read by the last node.
     nodes   0: x->A   1: A->B   2: B->C   3: C->D   4: B,D->E
     x [0, end]  0..256     in, never freed
     A [0, 4]  256..512     with B and C, so until B's last reader
     D [3, 4]  512..768     A is alive
     E [4, end] 768..1024   a graph output takes over nobody's bytes; A and D are alive at node 4
   Equal sizes go by first node, so these are the offsets and 1024 is the sum. */
static void alias_read_after_a_write_to_its_alias(void) {
  check_situation("%s", "alias of an alias");
  Network network = network_of(
      "x:256 in; A,B,C,D:256; E:256 out;"
      "x->A; A->B R; B->C R; C->D S; B,D->E M");
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 1024);
  CHECK_SIZE(network_offset_of(&network, "x"), 0);
  CHECK_SIZE(network_offset_of(&network, "A"), 256);
  CHECK_SIZE(network_offset_of(&network, "D"), 512);
  CHECK_SIZE(network_offset_of(&network, "E"), 768);
  CHECK_POINTER(network_data_of(&network, "B"), network_data_of(&network, "A"));
  CHECK_POINTER(network_data_of(&network, "C"), network_data_of(&network, "A"));
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* Two views of one view. D must not take their bytes: C2 is read by the last node.
     x 0..256, A with B, C1, C2 256..512, D 512..768, E 768..832. */
static void two_views_of_one_view(void) {
  check_situation("%s", "two views of one view");
  Network network = network_of(
      "x:256 in; A,B,C1,C2,D:256; E:64 out;"
      "x->A; A->B R; B->C1 R; B->C2 R; C1->D S; C2,D->E");
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 832);
  CHECK_POINTER(network_data_of(&network, "C1"), network_data_of(&network, "A"));
  CHECK_POINTER(network_data_of(&network, "C2"), network_data_of(&network, "A"));
  CHECK(network_data_of(&network, "D") != network_data_of(&network, "A"));
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* The control, one view less: the root itself is read late, which simple counting sees too.
     x 0..256, A with C 256..512, D 512..768, E 768..1024. */
static void root_read_after_a_write_to_its_alias(void) {
  check_situation("%s", "control");
  Network network = network_of(
      "x:256 in; A,C,D:256; E:256 out;"
      "x->A; A->C R; C->D S; A,D->E M");
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 1024);
  CHECK_POINTER(network_data_of(&network, "C"), network_data_of(&network, "A"));
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* A graph output cannot take over bytes, but it can be the root of a view.
     x [0, end] 0..64, A [0, end] 64..320, C [2, end] 320..384. */
static void view_of_a_graph_output(void) {
  check_situation("%s", "view of a graph output");
  Network network = network_of(
      "x:64 in; A:256 out; B:256; C:64;"
      "x->A; A->B R; B->C");
  network_execute(&network);
  CHECK_SIZE(network_arena_needed(&network), 384);
  CHECK_POINTER(network_data_of(&network, "B"), network_data_of(&network, "A"));
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

/* U10's two graphs under greedy, which shares only what has a single reader: D beside A.
     x 0..64, A [0, 2] 64..4160, D [2, 3] 4160..8256, u [1, 3] 8256..8320 and E:
   E [3, end] meets x, D and u; A's 4096 are free again, so E lies at 64. 8320 is the top. */
static void last_reader_and_first_reader(void) {
  check_situation("%s", "write by the last reader");
  Network last = network_of(
      "x:64 in; A:4096; u:64; D:4096; E:64 out;"
      "x->A; A->u; A->D S; D,u->E");
  network_execute(&last);
  CHECK_SIZE(network_arena_needed(&last), 8320);
  CHECK(shadow_is_clean(&last));
  network_free(&last);

  /* With the write first A is read afterwards: sharing would be wrong in every strategy. A [0, 2]
     and D [1, 3] need 8192 side by side; u [2, 3] meets both. */
  check_situation("%s", "write before the last reader");
  Network first = network_of(
      "x:64 in; A:4096; D:4096; u:64; E:64 out;"
      "x->A; A->D S; A->u; D,u->E");
  network_execute(&first);
  CHECK_SIZE(network_arena_needed(&first), 8320);
  CHECK(network_data_of(&first, "D") != network_data_of(&first, "A"));
  CHECK(shadow_is_clean(&first));
  network_free(&first);
}

int main(void) {
  alias_read_after_a_write_to_its_alias();
  two_views_of_one_view();
  root_read_after_a_write_to_its_alias();
  view_of_a_graph_output();
  last_reader_and_first_reader();
  return check_finish();
}
