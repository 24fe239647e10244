/* From which node to which each tensor's bytes are kept. Offsets are at alignment 64. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static void finish(Network *network) {
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));
  network_free(network);
}

/* x and V are there for the whole run, so first: 0 and 64. A 128, B meets A: 192, C where A was. */
static void inputs_and_variables_live_from_the_first_node_to_the_end(void) {
  Network network = network_of("x:64 in; A,B:64; C:64 out; V:64 var; x->A; A,V->B; B->C");
  network_execute(&network);
  CHECK_INTERVAL(&network, "x", 0, TO_THE_END);
  CHECK_INTERVAL(&network, "V", 0, TO_THE_END);
  CHECK_PLACES(&network, "x 0, V 64, A 128, B 192, C 128");
  CHECK_SIZE(network_arena_needed(&network), 256);
  finish(&network);
}

static Network network_with_inputs(const char *text, int32_t preserve_inputs) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.preserve_inputs = preserve_inputs;
  Network network = network_parse(text);
  network_plan(&network, &options);
  network_execute(&network);
  network_check_pointers(&network);
  return network;
}

/* Not kept: x [0, 0] at 0, B [1, end] there too, A [0, 1] behind both at 256: 320.
   Kept: x 0, B at 256, A at 512: 576. */
static void inputs_are_given_back_after_their_last_reader_where_they_need_not_be_kept(void) {
  static const char text[] = "x:256 in; A:64; B:256 out; x->A; A->B";
  Network freed = network_with_inputs(text, 0);
  CHECK_INTERVAL(&freed, "x", 0, 0);
  CHECK_PLACES(&freed, "x 0, B 0, A 256");
  CHECK_SIZE(network_arena_needed(&freed), 320);
  network_free(&freed); /* no shadow run: it demands the inputs at the end */

  Network kept = network_with_inputs(text, 1);
  CHECK_INTERVAL(&kept, "x", 0, TO_THE_END);
  CHECK_PLACES(&kept, "x 0, B 256, A 512");
  CHECK_SIZE(network_arena_needed(&kept), 576);
  finish(&kept);
}

/* x 0, A [0, 2] 64, U [1, end] 128, B [2, 3] 192, C [3, end] where A was. Had U been given back after node 1,
   B would lie at 128. */
static void a_tensor_that_nobody_reads_lives_to_the_end(void) {
  Network network = network_of("x:64 in; A,U,B:64; C:64 out; x->A; A->U; A->B; B->C");
  network_execute(&network);
  CHECK_INTERVAL(&network, "U", 1, TO_THE_END);
  CHECK_PLACES(&network, "x 0, A 64, U 128, B 192, C 64");
  CHECK_SIZE(network_arena_needed(&network), 256);
  finish(&network);
}

/* O is read for the last time by node 2. x 0, A [0, 1] 64, O [1, end] 128, B [2, 3] where A was, C behind all. */
static void a_graph_output_is_kept_though_its_last_reader_has_run(void) {
  Network network = network_of("x:64 in; A:64; O:64 out; B:64; C:64 out; x->A; A->O; O->B; B->C");
  network_execute(&network);
  CHECK_INTERVAL(&network, "O", 1, TO_THE_END);
  CHECK_PLACES(&network, "x 0, A 64, O 128, B 64, C 192");
  CHECK_SIZE(network_arena_needed(&network), 256);
  finish(&network);
}

/* A is read by nodes 2 and 4. x 0, A 64, B 128, C 192, D 256; E meets x, A and D: 128. */
static void a_tensor_lives_from_the_node_that_writes_it_to_its_last_reader(void) {
  Network network = network_of("x:64 in; A,B,C,D:64; E:64 out; x->A; x->B; A->C; B,C->D; A,D->E");
  network_execute(&network);
  CHECK_INTERVAL(&network, "A", 0, 4);
  CHECK_INTERVAL(&network, "B", 1, 3);
  CHECK_INTERVAL(&network, "C", 2, 3);
  CHECK_INTERVAL(&network, "D", 3, 4);
  CHECK_INTERVAL(&network, "E", 4, TO_THE_END);
  CHECK_PLACES(&network, "x 0, A 64, B 128, C 192, D 256, E 128");
  CHECK_SIZE(network_arena_needed(&network), 320);
  finish(&network);
}

/* x 0; from node 0 A 64 and T 128; at node 1 T is gone: B 128, S 192; C where A was. */
static void a_temporary_lives_at_its_node_only(void) {
  Network network = network_of(
      "x:64 in; A,B:64; C:64 out; T,S:64;"
      "x->A tmp T; A->B tmp S; B->C");
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 0, 0);
  CHECK_INTERVAL(&network, "S", 1, 1);
  CHECK_PLACES(&network, "x 0, A 64, T 128, B 128, S 192, C 64");
  CHECK_SIZE(network_arena_needed(&network), 256);
  finish(&network);
}

/* Upstream lets it live at the last of its nodes only. x 0, A [0, 1] 64, T [0, 2] 128, B [1, 2] 192, C where A was. */
static void a_temporary_of_two_nodes_lives_from_one_to_the_other(void) {
  Network network = network_of(
      "x:64 in; A,B:64; C:64 out; T:64;"
      "x->A tmp T; A->B; B->C tmp T");
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 0, 2);
  CHECK_PLACES(&network, "x 0, A 64, T 128, B 192, C 64");
  finish(&network);
}

/* -1 in each list. The view's operand is input 1: x 0, A with B on its bytes 64, C 128. */
static void absent_tensors_are_skipped_in_every_list(void) {
  Network network = network_parse("x:64 in; A,B:64; C:64 out; x,_->A,_; _,A->B M tmp _; B->C");
  ids_add(&network.inputs, -1);
  ids_add(&network.outputs, -1);
  network_plan(&network, NULL);
  network_execute(&network);
  CHECK_PLACES(&network, "x 0, A 64, B 64, C 128");
  CHECK_SIZE(network_arena_needed(&network), 192);
  finish(&network);
}

/* No node writes it but the one that has it for a temporary, and the application reads it at the end. */
static void a_temporary_that_is_a_graph_output_is_kept(void) {
  Network network = network_of("x:64 in; T:64 out; A:64; B:64; x->A tmp T; A->B");
  network_execute(&network);
  CHECK_INTERVAL(&network, "T", 0, TO_THE_END);
  CHECK(shadow_is_clean(&network));
  network_free(&network);
}

int main(void) {
  a_temporary_that_is_a_graph_output_is_kept();
  inputs_and_variables_live_from_the_first_node_to_the_end();
  inputs_are_given_back_after_their_last_reader_where_they_need_not_be_kept();
  a_tensor_that_nobody_reads_lives_to_the_end();
  a_graph_output_is_kept_though_its_last_reader_has_run();
  a_tensor_lives_from_the_node_that_writes_it_to_its_last_reader();
  a_temporary_lives_at_its_node_only();
  a_temporary_of_two_nodes_lives_from_one_to_the_other();
  absent_tensors_are_skipped_in_every_list();
  return check_finish();
}
