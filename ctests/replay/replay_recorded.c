/* Plans and executes graphs that were recorded from real models, runs them with byte patterns, and
   prints what came.
   usage: replay_recorded GRAPH...
   Exit status: 0 when every graph's bytes stayed intact and its sizes are as its file expects, 1 when
   not, 2 for a file that cannot be read. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <string.h>
#include <time.h>

#include "check.h"
#include "graph_file.h"
#include "shadow.h"

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Plans and places; the time it took. */
static double plan_and_execute(Network *network) {
  network_build(network);
  double start = microseconds();
  CHECK_OK(tflite_arena_planner_create(&network->info, NULL, &network->planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(network->planner));
  if (network->num_nodes > 0) network_execute(network);
  return microseconds() - start;
}

/* The file's name without folder and ending. */
static void print_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  const char *dot = strrchr(name, '.');
  int length = (int)(dot == NULL ? strlen(name) : (size_t)(dot - name));
  printf("%-34.*s", length, name);
}

static bool replay(const char *path, GraphFile *file) {
  size_t failures = check_failures();
  check_situation("%s", path);
  Network *network = &file->network;
  double took = plan_and_execute(network);

  TfliteArenaPlanInfo info = {0, 0, 0, 0, 0, 0, 0, 0};
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &info));
  CHECK(info.lower_bound <= info.arena_needed && info.arena_needed <= info.naive);
  network_check_pointers(network);

  Shadow shadow = shadow_create(network);
  shadow_run(&shadow, 2);
  bool intact = CHECK_SIZE(shadow.faults, 0);
  if (!intact) fprintf(stderr, "%s: %s\n", path, shadow.first_fault);
  shadow_destroy(&shadow);

  print_name(path);
  printf(" %6zu %7zu %12zu %12zu %12zu %12zu %9.0f  %s\n", info.num_nodes, info.num_tensors,
         info.naive, info.arena_needed, info.lower_bound, info.persistent_needed, took,
         intact ? "yes" : "NO");
  if (file->expects_arena) CHECK_SIZE(info.arena_needed, file->arena);
  if (file->expects_persistent) CHECK_SIZE(info.persistent_needed, file->persistent);
  return check_failures() == failures;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: replay_recorded GRAPH...\n");
    return 2;
  }
  printf("%-34s %6s %7s %12s %12s %12s %12s %9s  %s\n", "graph", "nodes", "tensors", "naive",
         "arena", "lower bound", "persistent", "plan us", "bytes intact");
  int good = 0;
  for (int i = 1; i < argc; i++) {
    GraphFile file;
    if (!graph_file_read(argv[i], &file)) return 2;
    if (replay(argv[i], &file)) good++;
    network_free(&file.network);
  }
  printf("%d of %d recorded graphs: sizes as expected, bytes intact\n", good, argc - 1);
  return good == argc - 1 ? 0 : 1;
}
