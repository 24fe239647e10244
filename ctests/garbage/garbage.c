/* Runs the sweep, then demands that it called every function of the list in EXPORTED_SYMBOLS, a path
   that the build gives. */
#include <stdio.h>
#include <string.h>

#include "sweep.h"

const int32_t wild_indices[NUM_WILD_INDICES] = {INT32_MIN, -1, 3, INT32_MAX}; /* graphs here have 3 */
const size_t bad_alignments[NUM_BAD_ALIGNMENTS] = {0, 3, 48, SIZE_MAX};

enum { MOST_FUNCTIONS = 256 };
static const char *called[MOST_FUNCTIONS];
static size_t num_called;

static bool is_called(const char *function) {
  for (size_t i = 0; i < num_called; i++) {
    if (strcmp(called[i], function) == 0) return true;
  }
  return false;
}

void sweep_note(const char *function) {
  if (is_called(function)) return;
  if (CHECK(num_called < MOST_FUNCTIONS)) called[num_called++] = function;
}

static void check_all_called(const char *path) {
  FILE *list = fopen(path, "r");
  if (!CHECK(list != NULL)) return;
  char line[256];
  size_t listed = 0;
  while (fgets(line, sizeof line, list) != NULL) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') continue;
    listed++;
    check_situation("%s is swept", line);
    CHECK(is_called(line));
  }
  fclose(list);
  check_situation("%s", path);
  CHECK_SIZE(num_called, listed);
}

int main(void) {
  sweep_library();
  sweep_graph();
  sweep_graph_info();
  sweep_options();
  sweep_planner();
  sweep_simple_memory_arena();
  sweep_resizable_aligned_buffer();
  sweep_memory_planner();
  check_all_called(EXPORTED_SYMBOLS);
  return check_finish();
}
