/* B1: the dump lists every tensor that has a place, also those whose nodes lie behind, names the root of each alias and
   who had its bytes before, and draws the arena. */
#include <string.h>

#include "check.h"
#include "network.h"

enum { ROOM = 1 << 18 };

typedef struct {
  char text[ROOM];
  size_t length;
} Dump;

static void append(void *user, const char *text, size_t length) {
  Dump *dump = user;
  if (!CHECK(length < ROOM - dump->length)) return;
  memcpy(dump->text + dump->length, text, length);
  dump->length += length;
  dump->text[dump->length] = '\0';
}

static Dump *dumped(const Network *network) {
  static const int32_t plan[] = {0, 1, 2, 3, 4};
  static Dump dump;
  dump.length = 0;
  dump.text[0] = '\0';
  CHECK_OK(tflite_arena_planner_dump_debug_info(network->planner, plan, 5, append, &dump));
  return &dump;
}

/* The tensor that a line names behind these words, or -1. */
static int named(const char *line, const char *words) {
  const char *found = strstr(line, words);
  int tensor = -1;
  if (found != NULL && sscanf(found + strlen(words), "%d", &tensor) != 1) tensor = -1;
  return tensor;
}

static void keep_previous(void *user, const TfliteArenaTensorRecord *record) {
  ((int *)user)[record->tensor] = (int)record->previous;
}

/* Lines of tensors start with index, offset and bytes. Every tensor is there once, with what the planner tells of it. */
static void check_table(const Network *network) {
  enum { MOST = 2048 };
  static int previous[MOST], listed[MOST];
  memset(listed, 0, sizeof listed);
  if (!CHECK(network->num_tensors <= MOST)) return;
  CHECK_OK(tflite_arena_planner_visit_tensors(network->planner, keep_previous, previous));
  for (char *line = strtok(dumped(network)->text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    int tensor;
    size_t offset, bytes;
    if (sscanf(line, " %d %zu %zu", &tensor, &offset, &bytes) != 3) continue;
    if (!CHECK(tensor >= 0 && (size_t)tensor < network->num_tensors)) continue;
    check_situation("tensor %d", tensor);
    listed[tensor]++;
    TfliteArenaTensorPlan plan;
    CHECK_OK(tflite_arena_planner_get_tensor_plan(network->planner, tensor, &plan));
    CHECK_SIZE(bytes, network->tensors[tensor].bytes);
    CHECK_SIZE(offset, plan.offset);
    CHECK_INT(named(line, "on the bytes of "), plan.root == tensor ? -1 : plan.root);
    CHECK_INT(named(line, "after "), previous[tensor]);
  }
  for (size_t tensor = 0; tensor < network->num_tensors; tensor++) {
    check_situation("tensor %zu", tensor);
    CHECK_INT(listed[tensor], 1);
  }
  check_no_situation();
}

/* Six tensors in a chain; C (3) is a view of B (2). */
static void the_table_is_complete_after_one_batch_and_after_many_steps(void) {
  static const char chain[] =
      "x:64 in; A:128; B,C:256; D:512; E:64 out;"
      "x->A; A->B; B->C R; C->D; D->E";
  Network batch = network_of(chain);
  network_execute(&batch);
  CHECK_POINTER(network_data_of(&batch, "C"), network_data_of(&batch, "B"));
  CHECK_INT(network_tensor_plan(&batch, "C").root, network_id(&batch, "B"));
  check_table(&batch);
  network_free(&batch);

  Network stepwise = network_of(chain);
  for (int32_t node = 0; node < 5; node++) {
    CHECK_OK(tflite_arena_planner_execute_allocations(stepwise.planner, node, node));
  }
  check_table(&stepwise);
  network_free(&stepwise);
}

/* x (0) is kept to the end. A (1), the largest, lies on it, then C (3), and B (2) above both, as it is alive with C: below it
   is a hole before C begins. D (4) lies where B was, E (5) where A was. V (6) is in the other arena. */
static void the_picture_is_as_drawn_by_hand(void) {
  static const char expected[] =
      "ArenaRw: 640 bytes\n"
      "bytes a row: 64, nodes a column: 1; letters: in the table\n"
      "  576 .22..\n"
      "  512 .2244\n"
      "  448 ..33.\n"
      "  384 ..33.\n"
      "  320 ..33.\n"
      "  256 1111.\n"
      "  192 1111.\n"
      "  128 1111.\n"
      "   64 11115\n"
      "    0 00000\n"
      "nodes 0\n"
      "  tensor       offset        bytes  nodes\n"
      "       0            0           64  0-end  0\n"
      "       1           64          256  0-3  1\n"
      "       2          512          128  1-2  2\n"
      "       3          320          192  2-3  3\n"
      "       4          512           64  3-4  4  after 2\n"
      "       5           64           64  4-end  5  after 1\n"
      "ArenaRwPersistent: 32 bytes\n"
      "  tensor       offset        bytes  nodes\n"
      "       6            0           32  0-end\n"
      "bytes alive by node\n"
      "  node 0: 320\n"
      "  node 1: 448\n"
      "  node 2: 640\n"
      "  node 3: 576\n"
      "  node 4: 192\n";
  Network network = network_of(
      "x:64 in; A:256; B:128; C:192; D:64; E:64 out; V:32 persistent var;"
      "x->A; A->B; B->C; A,C->D; D->E");
  network_execute(&network);
  Dump *dump = dumped(&network);
  if (!CHECK(strcmp(dump->text, expected) == 0)) fprintf(stderr, "%s", dump->text);
  network_free(&network);
}

/* A chain of 1,000 nodes of which every tenth result is read again 50 nodes later. */
static Network long_chain(void) {
  enum { NODES = 1000 };
  Network network = network_parse("");
  for (size_t i = 0; i <= NODES; i++) {
    network_add_tensor(&network, NULL, 64 * (1 + i * 7919 % 97), TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW);
  }
  ids_add(&network.inputs, 0);
  ids_add(&network.outputs, NODES);
  for (int32_t i = 0; i < NODES; i++) {
    NetworkNode *node = network_add_node(&network, i % 3 == 1 ? TFLITE_ARENA_INPLACE_INPUT0_SHARED : 0);
    ids_add(&node->inputs, i);
    if (i >= 50 && i % 10 == 0) ids_add(&node->inputs, i - 50);
    ids_add(&node->outputs, i + 1);
  }
  return network;
}

/* Twenty rows or fewer, all as long, with a scale that goes down to 0; the axis behind them; and no line is too long. */
static void check_picture(const Network *network) {
  size_t rows = 0, length = 0, last_scale = SIZE_MAX;
  bool axis = false;
  for (char *line = strtok(dumped(network)->text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    check_situation("%s", line);
    CHECK(strlen(line) <= 80);
    size_t scale;
    char cells[81], rest;
    if (strncmp(line, "nodes ", 6) == 0) {
      CHECK_CONTAINS(line, "nodes 0         140       280       420       560       700       840       980");
      axis = true;
    } else if (!axis && sscanf(line, " %zu %80s%c", &scale, cells, &rest) == 2) {
      if (rows++ == 0) length = strlen(line);
      CHECK_SIZE(strlen(line), length);
      CHECK_SIZE(strlen(cells), 72); /* 1,000 nodes, 14 a column */
      CHECK(scale < last_scale);
      last_scale = scale;
    }
  }
  check_no_situation();
  CHECK(axis);
  CHECK(rows > 10 && rows <= 20);
  CHECK_SIZE(last_scale, 0);
}

static void a_long_run_is_drawn_in_80_columns(void) {
  Network network = long_chain();
  network_plan(&network, NULL);
  network_execute(&network);
  check_picture(&network);
  check_table(&network);
  CHECK_OK(tflite_arena_planner_reset_allocations(network.planner));
  for (int32_t node = 0; node < 1000; node++) {
    CHECK_OK(tflite_arena_planner_execute_allocations(network.planner, node, node));
  }
  check_picture(&network);
  check_table(&network);
  network_free(&network);
}

int main(void) {
  the_table_is_complete_after_one_batch_and_after_many_steps();
  the_picture_is_as_drawn_by_hand();
  a_long_run_is_drawn_in_80_columns();
  return check_finish();
}
