// Refuses each allocation in turn, the adapter's and the C library's: every call then either works or errs, none crashes.
// Linked with --wrap for the functions below. With a folder as its argument it has planners recorded there, and looks at what
// comes of that.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "test_graph.h"

namespace {

// How many more allocations are granted, and how many are refused after these; -1: all.
int granted = -1;
int refused_then = -1;

bool Grant() {
  if (granted < 0) return true;
  if (granted > 0) {
    --granted;
    return true;
  }
  if (refused_then == 0) return true;
  if (refused_then > 0) --refused_then;
  errno = ENOMEM;
  return false;
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

namespace {

// True if planning the chain worked although only the first `allocations`, and those after the next `refused`, were granted.
bool WorksWith(int allocations, int refused) {
  test::Context context;
  std::unique_ptr<test::Graph> owned = test::Chain();
  test::Graph* graph = owned.get();
  granted = allocations;
  refused_then = refused;
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
  delete planner;
  granted = -1;
  return executed;
}

void EachAllocationIsTheLast() {
  // The first allocation is the adapter itself.
  CHECK(!WorksWith(0, -1));
  CHECK(strstr(test::Context::LastError(), "out of memory") != nullptr);
  int granted_at_first = 1;
  while (!WorksWith(granted_at_first, -1)) CHECK(++granted_at_first < 1000);
  // The planner, what it knows of the graph and the arena cannot do with less.
  CHECK(granted_at_first >= 3);
}

std::string Read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// An allocation that the recorder or the log alone needs is refused: planning works, and where something is missing a line says so.
// What is there of the recording by then is whole.
void RecordingsDoNotStandInTheWay(const std::string& folder) {
  const std::string said = folder + "/said";
  const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  CHECK(file >= 0 && dup2(file, STDERR_FILENO) >= 0);
  int complaints = 0, failures = 0;
  for (int planners = 0, allocations = 0;; ++allocations) {
    CHECK(ftruncate(file, 0) == 0);
    const bool executed = WorksWith(allocations, 1);
    const bool was_refused = refused_then == 0;
    // Where the adapter itself is refused there is no planner that could count.
    const bool has_planner = allocations > 0;
    planners += has_planner;
    const std::string name = folder + "/tflite-arena-" + std::to_string(getpid()) + "-" + std::to_string(planners) + ".json";
    const std::string recording = has_planner ? Read(name) : "", complaint = Read(said);
    if (!recording.empty()) CHECK(recording.substr(recording.size() - 3) == "}}\n");
    if (complaint.find("is recorded no further") == std::string::npos && complaint.find("is not recorded") == std::string::npos) {
      CHECK(!executed || recording.find("\"event\":\"execute\"") != std::string::npos);
    }
    if (!complaint.empty()) {
      CHECK(executed && complaint.find("out of memory\n") == complaint.size() - strlen("out of memory\n"));
      CHECK(complaint.find('\n') == complaint.size() - 1);
    }
    complaints += !complaint.empty();
    failures += !executed;
    if (!was_refused) break;
  }
  // The recorder and each part of the file; the adapter, the planner and the arena.
  CHECK(complaints >= 6 && failures >= 3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    EachAllocationIsTheLast();
  } else {
    CHECK(setenv("TFLITE_ARENA_RECORD", argv[1], 1) == 0);
    CHECK(setenv("TFLITE_ARENA_LOG", (std::string(argv[1]) + "/log").c_str(), 1) == 0);
    RecordingsDoNotStandInTheWay(argv[1]);
  }
  return 0;
}
