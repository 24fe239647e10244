// Refuses each allocation in turn, the adapter's and the C library's: every call then either works or errs, none crashes.
// Linked with --wrap for the functions below.
#include <errno.h>

#include "test_graph.h"

namespace {

// How many more allocations are granted; -1: all.
int granted = -1;

bool Grant() {
  if (granted < 0) return true;
  if (granted == 0) {
    errno = ENOMEM;
    return false;
  }
  --granted;
  return true;
}

}  // namespace

extern "C" {

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* pointer, size_t size);
int __real_posix_memalign(void** pointer, size_t alignment, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size) { return Grant() ? __real_malloc(size) : nullptr; }
void* __wrap_calloc(size_t count, size_t size) { return Grant() ? __real_calloc(count, size) : nullptr; }
void* __wrap_realloc(void* pointer, size_t size) { return Grant() ? __real_realloc(pointer, size) : nullptr; }
int __wrap_posix_memalign(void** pointer, size_t alignment, size_t size) {
  return Grant() ? __real_posix_memalign(pointer, alignment, size) : ENOMEM;
}
void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  return Grant() ? __real_aligned_alloc(alignment, size) : nullptr;
}

}  // extern "C"

// True if planning the chain worked although only the first `allocations` were granted.
static bool WorksWith(int allocations) {
  test::Context context;
  std::unique_ptr<test::Graph> owned = test::Chain();
  test::Graph* graph = owned.get();
  granted = allocations;
  tflite::ArenaPlanner* planner = new tflite::ArenaPlanner(context.get(), std::move(owned), false, 64);
  const bool planned = planner->PlanAllocations() == kTfLiteOk;
  if (!planned) CHECK(test::Context::LastError()[0] != '\0');
  // Runtimes go on after a plan that failed.
  const bool executed = planner->ExecuteAllocations(0, 1) == kTfLiteOk;
  if (!planned) CHECK(!executed);
  if (executed) {
    CHECK(graph->tensor(1)->data != nullptr);
  } else {
    CHECK(test::Context::LastError()[0] != '\0');
  }
  granted = -1;
  delete planner;
  return executed;
}

int main() {
  // The first allocation is the adapter itself.
  CHECK(!WorksWith(0));
  CHECK(strstr(test::Context::LastError(), "out of memory") != nullptr);
  int refused = 1;
  while (!WorksWith(refused)) CHECK(++refused < 1000);
  // The planner, what it knows of the graph and the arena cannot do with less.
  CHECK(refused >= 3);
  return 0;
}
