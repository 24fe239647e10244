/* B1: the dump lists every tensor that has a place, also those whose nodes lie behind, and names the
   root of each alias. */
#include <string.h>

#include "check.h"
#include "network.h"

enum { ROOM = 8192, TENSORS = 6 };

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

/* The tensor that an alias' line names behind "tensor ", or -1. */
static int named_root(const char *line) {
  const char *words = strstr(line, "tensor ");
  int root = -1;
  if (words != NULL && sscanf(words, "tensor %d", &root) != 1) root = -1;
  return root;
}

/* Six tensors in a chain; C (3) is a view of B (2). Lines of tensors start with index, offset, bytes. */
static void check_dump(const Network *network) {
  static const int roots[TENSORS] = {-1, -1, -1, 2, -1, -1};
  static const int32_t plan[] = {0, 1, 2, 3, 4};
  Dump dump = {"", 0};
  CHECK_OK(tflite_arena_planner_dump_debug_info(network->planner, plan, 5, append, &dump));

  int listed[TENSORS] = {0};
  for (char *line = strtok(dump.text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    int tensor;
    size_t offset, bytes;
    if (sscanf(line, " %d %zu %zu", &tensor, &offset, &bytes) != 3) continue;
    if (!CHECK(tensor >= 0 && tensor < TENSORS)) continue;
    listed[tensor]++;
    CHECK_SIZE(bytes, network->tensors[tensor].bytes);
    CHECK_SIZE(offset, network_offset_of(network, network->tensors[tensor].name));
    CHECK_INT(named_root(line), roots[tensor]);
  }
  for (int tensor = 0; tensor < TENSORS; tensor++) {
    check_situation("tensor %d", tensor);
    CHECK_INT(listed[tensor], 1);
  }
  check_no_situation();
}

int main(void) {
  static const char chain[] =
      "x:64 in; A:128; B,C:256; D:512; E:64 out;"
      "x->A; A->B; B->C R; C->D; D->E";
  Network batch = network_of(chain);
  network_execute(&batch);
  CHECK_POINTER(network_data_of(&batch, "C"), network_data_of(&batch, "B"));
  check_dump(&batch);
  network_free(&batch);

  Network stepwise = network_of(chain);
  for (int32_t node = 0; node < 5; node++) {
    CHECK_OK(tflite_arena_planner_execute_allocations(stepwise.planner, node, node));
  }
  check_dump(&stepwise);
  network_free(&stepwise);
  return check_finish();
}
