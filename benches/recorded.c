/* How long planning takes by the strategy `best` against `greedy`, on graphs that were recorded from real models.
   usage: recorded [--markdown] GRAPH...
   A planner is new each time; medians of interleaved runs. benches/recorded.sh builds and runs it. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "graph_file.h"
#include "median.h"

enum { kRuns = 301 };

typedef struct {
  double microseconds;
  TfliteArenaPlanInfo info;
} Planned;

static Planned plan(Network *network, int32_t strategy) {
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.strategy = strategy;
  CHECK_OK(tflite_arena_planner_create(&network->info, &options, &network->planner));
  Planned planned;
  double start = now();
  CHECK_OK(tflite_arena_planner_plan_allocations(network->planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(network->planner, 0, INT32_MAX));
  planned.microseconds = now() - start;
  CHECK_OK(tflite_arena_planner_get_plan_info(network->planner, &planned.info));
  tflite_arena_planner_destroy(network->planner);
  network->planner = NULL;
  return planned;
}

static void measure(const char *path, const char *row) {
  GraphFile file;
  if (!graph_file_read(path, &file)) exit(2);
  network_build(&file.network);
  static double greedy_times[kRuns], best_times[kRuns];
  Planned greedy, best;
  for (int run = 0; run < kRuns; run++) {
    greedy = plan(&file.network, TFLITE_ARENA_STRATEGY_GREEDY);
    best = plan(&file.network, TFLITE_ARENA_STRATEGY_BEST);
    greedy_times[run] = greedy.microseconds;
    best_times[run] = best.microseconds;
  }
  char name[64];
  name_of(path, name, sizeof name);
  double greedy_time = median(greedy_times, kRuns), best_time = median(best_times, kRuns);
  printf(row, name, greedy.info.arena_needed, best.info.arena_needed, greedy.info.lower_bound, greedy_time, best_time,
         best_time / greedy_time);
  network_free(&file.network);
}

int main(int argc, char **argv) {
  const char *heading = "%-34s %12s %12s %12s %10s %10s %14s\n";
  const char *row = "%-34s %12zu %12zu %12zu %10.1f %10.1f %14.2f\n";
  int first = 1;
  if (argc > 1 && strcmp(argv[1], "--markdown") == 0) {
    heading = "| %s | %s | %s | %s | %s | %s | %s |\n|---|--:|--:|--:|--:|--:|--:|\n";
    row = "| %s | %zu | %zu | %zu | %.1f | %.1f | %.2f |\n";
    first = 2;
  }
  if (first >= argc) {
    fprintf(stderr, "usage: recorded [--markdown] GRAPH...\n");
    return 2;
  }
  printf(heading, "model", "greedy", "best", "lower bound", "greedy us", "best us", "best / greedy");
  for (int i = first; i < argc; i++) measure(argv[i], row);
  return check_failures() == 0 ? 0 : 1;
}
