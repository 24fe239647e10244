/* Whatever happens, each tensor's pointer lies in memory that is alive, or is null. */
#include "check.h"
#include "ledger.h"
#include "network.h"
#include "shadow.h"

static unsigned char own_memory[256];

static bool lies_in_a_block(const Ledger *ledger, const void *data, size_t bytes) {
  for (size_t i = 0; i < LEDGER_BLOCKS; i++) {
    const LedgerBlock *lent = &ledger->blocks[i];
    uintptr_t begin = (uintptr_t)lent->block, at = (uintptr_t)data;
    if (lent->block != NULL && at >= begin && at - begin <= lent->bytes && bytes <= lent->bytes - (at - begin)) {
      return true;
    }
  }
  return false;
}

/* Not only pointers that the planner would still set: any that was left behind, whatever became of its tensor. */
static void check_nothing_dangles(const Network *network, const Ledger *ledger) {
  for (size_t i = 0; i < network->num_tensors; i++) {
    const void *data = network_data(network, (int32_t)i);
    if (data == NULL || data == own_memory) continue;
    if (!CHECK(lies_in_a_block(ledger, data, network->tensors[i].bytes))) {
      fprintf(stderr, "  tensor %s of %zu bytes\n", network->tensors[i].name, network->tensors[i].bytes);
    }
  }
}

static Network network_in(const TfliteArenaAllocator *allocator, const char *text) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.allocator = allocator;
  Network network = network_parse(text);
  network_plan(&network, &options);
  return network;
}

/* B is a view of A, P and V lie in the other arena, K is the application's. */
static const char everything[] =
    "x:64 in; A,B:256; C,D:64; E:64 out; T:64; V:64 persistent var; P:64 persistent; K:64 custom;"
    "x,V->A tmp T; A->B R; B->C,K; C->D tmp P; D->E";

static void grow_both_buffers(Network *network) {
  static size_t bytes;
  bytes += 4096;
  network_resize(network, network_id(network, "E"), bytes);
  network_resize(network, network_id(network, "P"), bytes);
}

/* After each change only the last two nodes are executed, so that most tensors are none of theirs; both buffers grow, and
   the ledger's blocks always move. */
static void no_pointer_dangles_after_a_buffer_moved(void) {
  Ledger ledger;
  ledger_init(&ledger);
  for (int with_reallocate = 0; with_reallocate < 2; with_reallocate++) {
    const TfliteArenaAllocator allocator =
        with_reallocate ? ledger_allocator(&ledger) : ledger_allocator_without_reallocate(&ledger);
    Network network = network_in(&allocator, everything);
    CHECK_OK(tflite_arena_graph_set_tensor_data(network.graph, network_id(&network, "K"), own_memory));
    network_execute(&network);
    check_nothing_dangles(&network, &ledger);
    const struct {
      const char *tensor;
      int32_t type;
      size_t bytes;
    } changes[] = {
        {"A", TFLITE_ARENA_ALLOCATION_TYPE_DYNAMIC, 256},    /* the root of a view */
        {"B", TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM, 256},     /* a view */
        {"T", TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE, 64},    /* a temporary */
        {"x", TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 640},   /* has grown, and no node of the range uses it */
        {"C", TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT, 64},
        {"V", TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 64},    /* out of the other arena */
        {"D", TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 0},
        {"K", TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, 64},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
      check_situation("%s changes, %s reallocate", changes[i].tensor, with_reallocate ? "with" : "without");
      int32_t tensor = network_id(&network, changes[i].tensor);
      network_resize(&network, tensor, changes[i].bytes);
      network_retype(&network, tensor, changes[i].type);
      grow_both_buffers(&network);
      CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, 3, 4));
      CHECK(network_data_of(&network, "E") != NULL && network_data_of(&network, "P") != NULL);
      check_nothing_dangles(&network, &ledger);
    }
    network_execute(&network);
    check_nothing_dangles(&network, &ledger);
    network_check_pointers(&network);
    network_free(&network);
  }
  ledger_check_settled(&ledger);
}

/* Kinds of memory change, and then the buffer goes altogether, or is refused when it is to come back. */
static void no_pointer_dangles_after_a_release(void) {
  check_situation("%s", "release");
  Ledger ledger;
  ledger_init(&ledger);
  const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
  Network network = network_in(&allocator, everything);
  CHECK_OK(tflite_arena_graph_set_tensor_data(network.graph, network_id(&network, "K"), own_memory));
  network_execute(&network);
  network_retype(&network, network_id(&network, "A"), TFLITE_ARENA_ALLOCATION_TYPE_DYNAMIC);
  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(network.planner));
  check_nothing_dangles(&network, &ledger);
  ledger.quota = ledger.out;
  CHECK_STATUS(tflite_arena_planner_acquire_non_persistent_memory(network.planner),
               TFLITE_ARENA_STATUS_OUT_OF_MEMORY);
  CHECK_POINTER(network_data_of(&network, "x"), NULL);
  CHECK(network_data_of(&network, "V") != NULL);
  ledger.quota = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(network.planner));
  network_execute(&network);
  check_nothing_dangles(&network, &ledger);
  network_check_pointers(&network);
  network_free(&network);
  ledger_check_settled(&ledger);
}

enum { MOST_TENSORS = 16 };

typedef struct {
  TfliteArenaTensorPlan plans[MOST_TENSORS];
  void *data[MOST_TENSORS];
  TfliteArenaPlanInfo info;
} Everything;

static Everything remember(const Network *network) {
  Everything all;
  for (size_t i = 0; i < network->num_tensors; i++) {
    CHECK_OK(tflite_arena_planner_get_tensor_plan(network->planner, (int32_t)i, &all.plans[i]));
    all.data[i] = network_data(network, (int32_t)i);
  }
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &all.info));
  return all;
}

static void check_all_as_before(const Network *network, const Everything *before) {
  Everything now = remember(network);
  CHECK_SIZE(now.info.arena_needed, before->info.arena_needed);
  CHECK_SIZE(now.info.persistent_needed, before->info.persistent_needed);
  for (size_t i = 0; i < network->num_tensors; i++) {
    CHECK_INT(now.plans[i].root, before->plans[i].root);
    CHECK_INT(now.plans[i].arena, before->plans[i].arena);
    CHECK_SIZE(now.plans[i].offset, before->plans[i].offset);
    CHECK_SIZE(now.plans[i].size, before->plans[i].size);
    CHECK_INT(now.plans[i].first_node, before->plans[i].first_node);
    CHECK_INT(now.plans[i].last_node, before->plans[i].last_node);
    CHECK_POINTER(now.data[i], before->data[i]);
  }
}

/* B and C are views of A, D is one of C; all four groups would have to be formed anew, as A and C have other sizes and B is
   the application's. What is wrong with the last node makes it fail when that has been done. */
static void a_failed_execution_puts_back_places_alias_groups_and_pointers(void) {
  static const int32_t wild = 99;
  static const struct {
    const char *what;
    int32_t status;
  } failures[] = {{"memory is refused", TFLITE_ARENA_STATUS_OUT_OF_MEMORY},
                  {"no address space", TFLITE_ARENA_STATUS_OVERFLOW},
                  {"a wild temporary", TFLITE_ARENA_STATUS_INDEX_OUT_OF_RANGE}};
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    check_situation("%s", failures[i].what);
    Ledger ledger;
    ledger_init(&ledger);
    const TfliteArenaAllocator allocator = ledger_allocator(&ledger);
    Network network = network_in(&allocator,
                                 "x:64 in; A,B,C,D:256; E:64; F:64 out; P:64 persistent; T:64;"
                                 "x->A tmp P; A->B R; B->C R; C->D R; D->E; E->F tmp T");
    network_execute(&network);
    CHECK_INT(network_tensor_plan(&network, "D").root, network_id(&network, "A"));
    const Everything before = remember(&network);

    network_resize(&network, network_id(&network, "A"), 300);
    network_retype(&network, network_id(&network, "B"), TFLITE_ARENA_ALLOCATION_TYPE_CUSTOM);
    network_resize(&network, network_id(&network, "C"), 200);
    network_resize(&network, network_id(&network, "P"), 1000);
    network_resize(&network, network_id(&network, "F"), i == 1 ? SIZE_MAX - 100 : 4096);
    if (i == 0) ledger.quota = ledger.out;
    if (i == 2) CHECK_OK(tflite_arena_graph_set_temporaries(network.graph, 5, &wild, 1));
    CHECK_STATUS(tflite_arena_planner_execute_allocations(network.planner, 0, 5), failures[i].status);
    check_all_as_before(&network, &before);

    /* With what it had before nothing has to move. */
    ledger.quota = ledger.out;
    network_resize(&network, network_id(&network, "A"), 256);
    network_retype(&network, network_id(&network, "B"), TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW);
    network_resize(&network, network_id(&network, "C"), 256);
    network_resize(&network, network_id(&network, "P"), 64);
    network_resize(&network, network_id(&network, "F"), 64);
    const int32_t t = network_id(&network, "T");
    CHECK_OK(tflite_arena_graph_set_temporaries(network.graph, 5, &t, 1));
    network_execute(&network);
    check_all_as_before(&network, &before);
    CHECK(shadow_is_clean(&network));
    network_free(&network);
    ledger_check_settled(&ledger);
  }
}

int main(void) {
  no_pointer_dangles_after_a_buffer_moved();
  no_pointer_dangles_after_a_release();
  a_failed_execution_puts_back_places_alias_groups_and_pointers();
  return check_finish();
}
