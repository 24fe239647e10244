/* U8: giving the ArenaRw memory back and taking it again. */
#include "check.h"
#include "network.h"
#include "shadow.h"

static bool has_memory(const Network *network) {
  bool has = false;
  CHECK_OK(tflite_arena_planner_has_non_persistent_memory(network->planner, &has));
  return has;
}

static size_t arena_capacity(const Network *network) {
  size_t arena = SIZE_MAX, persistent = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_get_alloc_info(network->planner, &arena, &persistent));
  return arena;
}

/* x [0, end] 0..64, A [0, 1] 64..320, B [1, end] 320..384; V alone in the persistent arena; K is the
   application's own. */
static void check_placed(const Network *network) {
  CHECK(has_memory(network));
  CHECK_SIZE(network_arena_needed(network), 384);
  CHECK_SIZE(network_persistent_needed(network), 128);
  CHECK_SIZE(arena_capacity(network), 384);
  CHECK_SIZE(network_offset_of(network, "x"), 0);
  CHECK_SIZE(network_offset_of(network, "A"), 64);
  CHECK_SIZE(network_offset_of(network, "B"), 320);
  network_check_pointers(network);
  CHECK(shadow_is_clean(network));
}

static void check_released(const Network *network, const void *v, const void *k) {
  CHECK(!has_memory(network));
  CHECK_SIZE(arena_capacity(network), 0);
  CHECK_POINTER(network_data_of(network, "x"), NULL);
  CHECK_POINTER(network_data_of(network, "A"), NULL);
  CHECK_POINTER(network_data_of(network, "B"), NULL);
  CHECK_POINTER(network_data_of(network, "V"), v);
  CHECK_POINTER(network_data_of(network, "K"), k);
}

static void release_and_acquire(void) {
  Network network = network_of(
      "x:64 in; A:256; B:64 out; V:128 persistent var; K:32 custom;"
      "x,V->A; A->B,K");
  TfliteArenaPlanner *planner = network.planner;
  unsigned char own[32];
  CHECK_OK(tflite_arena_graph_set_tensor_data(network.graph, network_id(&network, "K"), own));

  check_situation("%s", "before Execute");
  CHECK(!has_memory(&network));

  check_situation("%s", "after Execute");
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  check_placed(&network);
  void *v = network_data_of(&network, "V");
  pattern_write(v, 128, 77);

  check_situation("%s", "after Release");
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  check_released(&network, v, own);
  CHECK_SIZE(pattern_compare(v, 128, 77), 128);

  check_situation("%s", "after Release twice");
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  check_released(&network, v, own);

  check_situation("%s", "after Acquire");
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(planner));
  CHECK_SIZE(pattern_compare(v, 128, 77), 128);
  CHECK_POINTER(network_data_of(&network, "V"), v);
  check_placed(&network);

  check_situation("%s", "Release, Plan, Execute");
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  check_placed(&network);
  CHECK_POINTER(network_data_of(&network, "K"), own);
  network_free(&network);
}

static void zero_bytes(void) {
  check_situation("%s", "a graph of zero bytes");
  Network network = network_of("x:0 in; A:0 out; x->A");
  CHECK(!has_memory(&network));
  CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 0, 0));
  CHECK(has_memory(&network));
  CHECK_SIZE(network_arena_needed(&network), 0);
  CHECK_POINTER(network_data_of(&network, "x"), NULL);
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(network.planner));
  CHECK(!has_memory(&network));
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(network.planner));
  CHECK(has_memory(&network));
  network_free(&network);
}

int main(void) {
  release_and_acquire();
  zero_bytes();
  return check_finish();
}
