/* U2: with preserve_all_tensors nothing is freed and nothing is shared. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static Network planned_to_keep(const char *text) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.preserve_all_tensors = 1;
  Network network = network_parse(text);
  network_plan(&network, &options);
  network_execute(&network);
  return network;
}

/* After a run every tensor still holds its own value, so no two share a byte. */
static void check_all_kept(const Network *network) {
  Shadow shadow = shadow_create(network);
  shadow_run(&shadow, 2);
  for (size_t i = 0; i < network->num_tensors; i++) shadow_check_tensor(&shadow, (int32_t)i);
  CHECK(shadow_report(&shadow));
  shadow_destroy(&shadow);
}

int main(void) {
  /* Six tensors of 256: 6 * 256 = 1536. */
  Network plain = planned_to_keep(
      "x:256 in; A,B,C,D:256; E:256 out;"
      "x->A; A->B R; B->C R; C->D S; B,D->E M");
  CHECK_SIZE(network_arena_needed(&plain), 1536);
  for (size_t i = 0; i < plain.num_tensors; i++) {
    for (size_t j = 0; j < i; j++) {
      CHECK(network_data(&plain, (int32_t)i) != network_data(&plain, (int32_t)j));
    }
  }
  network_check_pointers(&plain);
  check_all_kept(&plain);
  network_free(&plain);

  /* Temporaries are kept too: 1536 and two of 64 that could share without the option, 1664. */
  Network with_temporaries = planned_to_keep(
      "x:256 in; A,B,C,D:256; E:256 out; S1,S2:64;"
      "x->A tmp S1; A->B R; B->C R; C->D S tmp S2; B,D->E M");
  CHECK_SIZE(network_arena_needed(&with_temporaries), 1664);
  check_all_kept(&with_temporaries);
  network_free(&with_temporaries);
  return check_finish();
}
