/* Which operator may write or leave its output on which input's bytes. */
#include "check.h"
#include "network.h"
#include "shadow.h"

/* The tensor whose bytes `name` uses after the network has been executed in one batch, and run. */
static const char *root_of(const char *text, const char *name) {
  static char root[16];
  Network network = network_of(text);
  network_execute(&network);
  network_check_pointers(&network);
  CHECK(shadow_is_clean(&network));
  int32_t index = network_tensor_plan(&network, name).root;
  snprintf(root, sizeof root, "%s", network.tensors[index].name);
  network_free(&network);
  return root;
}

#define CHECK_ROOT(text, name, root) \
  (check_situation("%s", (text)), CHECK_CONTAINS(root_of((text), (name)), (root)))

/* Both inputs pass: the first is taken. With flag 8 alone: the second. */
static void the_first_input_in_flag_order_is_taken(void) {
  CHECK_ROOT("x:64 in; A,B,C:256; D:64 out; x->A; x->B; A,B->C 12; C->D", "C", "A");
  CHECK_ROOT("x:64 in; A,B,C:256; D:64 out; x->A; x->B; A,B->C 8; C->D", "C", "B");
  CHECK_ROOT("x:64 in; A,B,K,C:256; D:64 out; x->A; x->B; x->K; A,B,K->C 16; C->D", "C", "K");
  CHECK_ROOT("x:64 in; A,B,C:256; D:64 out; x->A; x->B; A,B->C; C->D", "C", "C");
}

/* Input 0 is of another size, a graph input, read again later, absent: input 1 is. */
static void an_input_that_does_not_pass_is_passed_over(void) {
  CHECK_ROOT("x:64 in; A:128; B,C:256; D:64 out; x->A; x->B; A,B->C M; C->D", "C", "B");
  CHECK_ROOT("x:256 in; B,C:256; D:64 out; x->B; x,B->C M; C->D", "C", "B");
  CHECK_ROOT("x:64 in; A,B,C:256; D:64 out; x->A; x->B; A,B->C M; A,C->D", "C", "B");
  CHECK_ROOT("x:64 in; B,C:256; D:64 out; x->B; _,B->C M; C->D", "C", "B");
}

/* C is a view of A, which another node reads, later or before, or the application at the end. B, which would pass, is not
   tried. */
static void where_the_root_has_more_readers_the_node_shares_nothing(void) {
  CHECK_ROOT("x:64 in; A,C,B,D:256; E:64 out; x->A; A->C R; x->B; C,B->D M; A,D->E", "D", "D");
  CHECK_ROOT("x:64 in; A,C,B,D:256; U:64; E:64 out; x->A; A->C R; A->U; x->B; C,B->D M; U,D->E", "D", "D");
  CHECK_ROOT("x:64 in; A:256 out; C,B,D:256; E:64 out; x->A; A->C R; x->B; C,B->D M; D->E", "D", "D");
}

static void nothing_lies_on_a_graph_input(void) {
  CHECK_ROOT("x:256 in; A:256; B:64 out; x->A R; A->B", "A", "A");
  CHECK_ROOT("x:256 in; A:256; B:64 out; x->A S; A->B", "A", "A");
}

static void a_graph_output_takes_over_no_bytes(void) {
  CHECK_ROOT("x:64 in; A:256; B:256 out; x->A; A->B R", "B", "B");
  CHECK_ROOT("x:64 in; A:256; B:256 out; x->A; A->B S", "B", "B");
}

static void only_tensors_of_the_ArenaRw_arena_share(void) {
  CHECK_ROOT("x:64 in; A:256; B:256; C:64 out; x->A; A->B R; B->C", "B", "A");
  CHECK_ROOT("x:64 in; A:256 const; B:256; C:64 out; A,x->B R; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:256 persistent; B:256; C:64 out; x->A; A->B R; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:256; B:256 persistent; C:64 out; x->A; A->B R; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:256 custom; B:256; C:64 out; x->A; A->B R; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:256; B:256 dynamic; C:64 out; x->A; A->B R; B->C", "B", "B");
}

/* A size of up to 4 bytes often stands for "not known yet". A view may be that small. */
static void a_write_needs_equal_sizes_above_4_bytes(void) {
  CHECK_ROOT("x:64 in; A:256; B:128; C:64 out; x->A; A->B S; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:4; B:4; C:64 out; x->A; A->B S; B->C", "B", "B");
  CHECK_ROOT("x:64 in; A:5; B:5; C:64 out; x->A; A->B S; B->C", "B", "A");
  CHECK_ROOT("x:64 in; A:4; B:4; C:64 out; x->A; A->B R; B->C", "B", "A");
}

static void a_write_needs_a_single_reader_and_a_view_does_not(void) {
  CHECK_ROOT("x:64 in; A,B:256; C:64 out; x->A; A->B S; A,B->C", "B", "B");
  CHECK_ROOT("x:64 in; A,B:256; C:64 out; x->A; A->B R; A,B->C", "B", "A");
}

/* B and C are views of A. Counted one by one each has one reader, but the node reads B beside C. */
static void an_operand_that_the_node_reads_under_another_name_is_not_written(void) {
  CHECK_ROOT("x:64 in; A,B,C,D:256; E:64 out; x->A; A->B R; B->C R; C,B->D S; D->E", "D", "D");
  CHECK_ROOT("x:64 in; A,B,D:256; E:64 out; x->A; A->B R; B,B->D S; D->E", "D", "D");
}

/* Whoever reads a variable may write it. */
static void a_variable_is_not_aliased_while_later_nodes_read_it(void) {
  CHECK_ROOT("x:64 in; V:256 var; B:256; C:64; D:64 out; V->B R; V,x->C; B,C->D", "B", "B");
  CHECK_ROOT("x:64 in; V:256 var; B:256; C:64; D:64 out; V,x->C; V->B R; B,C->D", "B", "V");
}

/* "Data unmodified" speaks of input 0. Over input 1 it is a write, and B is read again later. */
static void data_unmodified_is_true_of_input_0_alone(void) {
  CHECK_ROOT("x:64 in; A:64; B,C:256; D:64 out; x->A; x->B; A,B->C 9; B,C->D", "C", "C");
  CHECK_ROOT("x:64 in; A:64; B,C:256; D:64 out; x->A; x->B; A,B->C 9; C->D", "C", "B");
}

int main(void) {
  the_first_input_in_flag_order_is_taken();
  an_input_that_does_not_pass_is_passed_over();
  where_the_root_has_more_readers_the_node_shares_nothing();
  nothing_lies_on_a_graph_input();
  a_graph_output_takes_over_no_bytes();
  only_tensors_of_the_ArenaRw_arena_share();
  a_write_needs_equal_sizes_above_4_bytes();
  a_write_needs_a_single_reader_and_a_view_does_not();
  an_operand_that_the_node_reads_under_another_name_is_not_written();
  a_variable_is_not_aliased_while_later_nodes_read_it();
  data_unmodified_is_true_of_input_0_alone();
  return check_finish();
}
