// Preloaded into a runtime that was built without us.
//
// Only tflite::ArenaPlanner's constructor is exported (preload.map). Runtimes reach everything else through the vtable that
// the constructor sets: ours for runtimes that we serve, their own for older ones, which stay as they are.
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "host.h"
#include "log.h"

namespace tflite_arena {
namespace {

constexpr char kConstructor[] =
#include "constructor.inc"
    ;
using Constructor = void (*)(void* self, TfLiteContext*, std::unique_ptr<tflite::GraphInfo>, bool, int, int);

// Deletes what the runtime allocated with its operator new. Null: it has none that can be found, so it used malloc.
using OperatorDelete = void (*)(void*);
std::atomic<OperatorDelete> runtime_delete{nullptr};

std::atomic<bool> planner_seen{false};

// A loaded object, the program itself included, and what it depends on.
class LoadedObject {
 public:
  explicit LoadedObject(const void* address_inside) {
    Dl_info info;
    link_map* map = nullptr;
    if (dladdr1(address_inside, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return;
    const bool is_program = map->l_name[0] == '\0';
    name_ = info.dli_fname;
    handle_ = dlopen(is_program ? nullptr : map->l_name, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~LoadedObject() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;

  const char* name() const { return name_; }
  // False: nothing that can be found says what is in it.
  bool can_be_searched() const { return handle_ != nullptr; }
  void* Find(const char* symbol) const { return handle_ == nullptr ? nullptr : dlsym(handle_, symbol); }

 private:
  const char* name_ = "?";
  void* handle_ = nullptr;
};

// Before 2.14 nodes do not say what they do in place, and the field that we would read is not there. Those runtimes
// can be told by a signature that lasted until 2.15 in the absence of a method that came with 2.14. A runtime that cannot be
// told may be one of them.
bool MayBeTooOld(const LoadedObject& runtime) {
  if (!runtime.can_be_searched()) return true;
  const bool up_to_2_15 = runtime.Find("_ZN6tflite17SimpleMemoryArena6CommitEP13TfLiteContextPb") != nullptr;
  const bool from_2_14 = runtime.Find("_ZN6tflite12ArenaPlanner22IdentifyInPlaceTensorsEv") != nullptr;
  return up_to_2_15 && !from_2_14;
}

void ConstructTheirs(const LoadedObject& runtime, const Construction& construction) {
  void* symbol = runtime.Find(kConstructor);
  if (symbol == nullptr) symbol = dlsym(RTLD_NEXT, kConstructor);
  if (symbol == nullptr) {
    // Without us this call would have found nobody either, or somebody whom we cannot see.
    Complain("%s calls a planner that cannot be found in any loaded object", runtime.name());
    abort();
  }
  reinterpret_cast<Constructor>(symbol)(construction.self, construction.context, std::move(*construction.graph_info),
                                        construction.preserve_all_tensors, construction.tensor_alignment,
                                        construction.subgraph_index);
}

// The status file tells `tflite-arena run`, which set the variable, what became of the processes that it started.
void AppendStatus(const char* kind, const char* detail) {
  const char* status_file = secure_getenv("TFLITE_ARENA_RUN_STATUS");
  if (status_file == nullptr) return;
  char line[4200];
  const int length = snprintf(line, sizeof(line), "%s %s\n", kind, detail);
  if (length > 0 && static_cast<size_t>(length) < sizeof(line)) {
    AppendToFile(status_file, line, static_cast<size_t>(length));
  }
}

bool LooksLikeTflite(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* file = slash == nullptr ? path : slash + 1;
  const bool ours = strstr(file, "tflite_arena") != nullptr || strstr(file, "tflite-arena") != nullptr;
  return !ours && (strcasestr(file, "tflite") != nullptr || strcasestr(file, "litert") != nullptr ||
                   strcasestr(file, "tensorflow") != nullptr);
}

int ReportObject(dl_phdr_info* info, size_t, void*) {
  const char* path = info->dlpi_name;
  char program[4096];
  if (path[0] == '\0') {
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (length <= 0) return 0;
    program[length] = '\0';
    path = program;
  }
  if (LooksLikeTflite(path)) AppendStatus("object", path);
  return 0;
}

__attribute__((destructor)) void ReportAtExit() {
  if (planner_seen || secure_getenv("TFLITE_ARENA_RUN_STATUS") == nullptr) return;
  dl_iterate_phdr(ReportObject, nullptr);
}

}  // namespace

bool HostConstructs(const Construction& construction) {
  const LoadedObject runtime(construction.caller);
  const bool theirs = MayBeTooOld(runtime);
  if (!planner_seen.exchange(true)) {
    char pid[32];
    snprintf(pid, sizeof(pid), "pid=%d", static_cast<int>(getpid()));
    AppendStatus(theirs ? "older" : "planner", theirs ? runtime.name() : pid);
    if (theirs) {
      Complain("%s %s: it keeps its own planner", runtime.name(),
               runtime.can_be_searched() ? "is older than TensorFlow Lite 2.14" : "cannot be looked into");
    }
  }
  if (theirs) {
    ConstructTheirs(runtime, construction);
    return true;
  }
  if (runtime_delete == nullptr) {
    // In the order in which the runtime's own call was resolved.
    void* symbol = dlsym(RTLD_DEFAULT, "_ZdlPv");
    if (symbol == nullptr) symbol = runtime.Find("_ZdlPv");
    runtime_delete = reinterpret_cast<OperatorDelete>(symbol);
  }
  return false;
}

// A program that has a dumper has linked it into its own planner, not into ours.
bool HostDumps(const TfliteArenaPlanner*, const std::vector<int>&, size_t, size_t) { return false; }

}  // namespace tflite_arena

// What libstdc++ would define, for this library alone: it must load into processes that have no C++ library.

void operator delete(void* object) noexcept {
  const tflite_arena::OperatorDelete runtime_delete = tflite_arena::runtime_delete;
  if (runtime_delete != nullptr) {
    runtime_delete(object);
  } else {
    free(object);
  }
}

// Named by vtables of abstract classes; nothing calls it.
extern "C" void __cxa_pure_virtual() { abort(); }
