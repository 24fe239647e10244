/* How long planning takes with a library that can show what it does, and with one that was built without that.
   usage: inspect WITH.so WITHOUT.so COPY_OF_WITHOUT.so [--markdown] GRAPH...
   Nobody asks to be shown anything. Medians of interleaved runs, a new planner for each. The copy shows by how much two equal
   libraries differ. benches/inspect.sh builds and runs it. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "graph_file.h"
#include "median.h"

enum { kRuns = 1001, kChain = 1000, kLibraries = 3 };

/* What is measured of a library. Graphs come from one that is linked in: planners see callbacks, whoever's they are. */
typedef struct {
  TfliteArenaStatus (*create)(const TfliteArenaGraphInfo *, const TfliteArenaPlannerOptions *,
                              TfliteArenaPlanner **);
  TfliteArenaStatus (*plan)(TfliteArenaPlanner *);
  TfliteArenaStatus (*execute)(TfliteArenaPlanner *, int32_t, int32_t);
  void (*destroy)(TfliteArenaPlanner *);
} Library;

static void *must_find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "inspect: %s\n", dlerror());
    exit(2);
  }
  return symbol;
}

static Library load(const char *path) {
  void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (file == NULL) {
    fprintf(stderr, "inspect: %s\n", dlerror());
    exit(2);
  }
  Library library;
  *(void **)&library.create = must_find(file, "tflite_arena_planner_create");
  *(void **)&library.plan = must_find(file, "tflite_arena_planner_plan_allocations");
  *(void **)&library.execute = must_find(file, "tflite_arena_planner_execute_allocations");
  *(void **)&library.destroy = must_find(file, "tflite_arena_planner_destroy");
  return library;
}

static double plan(const Library *library, const Network *network) {
  TfliteArenaPlanner *planner;
  CHECK_OK(library->create(&network->info, NULL, &planner));
  double start = now();
  CHECK_OK(library->plan(planner));
  CHECK_OK(library->execute(planner, 0, INT32_MAX));
  double microseconds = now() - start;
  library->destroy(planner);
  return microseconds;
}

static void measure(const Library *libraries, Network *network, const char *name, const char *row) {
  network_build(network);
  static double times[kLibraries][kRuns];
  for (int run = 0; run < kRuns; run++) {
    for (int i = 0; i < kLibraries; i++) times[i][run] = plan(&libraries[i], network);
  }
  double with = median(times[0], kRuns), without = median(times[1], kRuns), copy = median(times[2], kRuns);
  printf(row, name, network->num_tensors, with, without, with / without, copy / without);
  network_free(network);
}

/* Each node reads what the one before it wrote; sizes in no order. */
static Network chain(int length) {
  Network network = {0};
  for (int tensor = 0; tensor <= length; tensor++) {
    size_t bytes = 64 * (1 + (uint32_t)tensor * 2654435761u % 64);
    int32_t index =
        network_add_tensor(&network, NULL, bytes, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW);
    if (tensor == 0) continue;
    NetworkNode *node = network_add_node(&network, TFLITE_ARENA_INPLACE_NONE);
    ids_add(&node->inputs, index - 1);
    ids_add(&node->outputs, index);
  }
  ids_add(&network.inputs, 0);
  ids_add(&network.outputs, length);
  return network;
}

int main(int argc, char **argv) {
  const char *heading = "%-34s %8s %10s %11s %15s %15s\n";
  const char *row = "%-34s %8zu %10.2f %11.2f %15.3f %15.3f\n";
  int first = 1 + kLibraries;
  if (argc > first && strcmp(argv[first], "--markdown") == 0) {
    heading = "| %s | %s | %s | %s | %s | %s |\n|---|--:|--:|--:|--:|--:|\n";
    row = "| %s | %zu | %.2f | %.2f | %.3f | %.3f |\n";
    first++;
  }
  if (first >= argc) {
    fprintf(stderr, "usage: inspect WITH.so WITHOUT.so COPY_OF_WITHOUT.so [--markdown] GRAPH...\n");
    return 2;
  }
  Library libraries[kLibraries];
  for (int i = 0; i < kLibraries; i++) libraries[i] = load(argv[1 + i]);
  printf(heading, "graph", "tensors", "with us", "without us", "with / without", "copy / without");
  Network long_chain = chain(kChain);
  measure(libraries, &long_chain, "chain", row);
  for (int i = first; i < argc; i++) {
    GraphFile file;
    if (!graph_file_read(argv[i], &file)) return 2;
    char name[64];
    name_of(argv[i], name, sizeof name);
    measure(libraries, &file.network, name, row);
  }
  return check_failures() == 0 ? 0 : 1;
}
