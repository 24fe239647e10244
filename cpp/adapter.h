// One planner of the C ABI at work for one tflite::ArenaPlanner.
#ifndef TFLITE_ARENA_CPP_ADAPTER_H_
#define TFLITE_ARENA_CPP_ADAPTER_H_

#include "call.h"
#include "host.h"
#include "recorder.h"
#include "runtime.h"
#include "tensor_log.h"
#include "tflite_arena.h"

namespace tflite_arena {

// Its methods are tflite::ArenaPlanner's. Every status that is not ok is reported to the context with the planner's text of
// what went wrong, and becomes kTfLiteError, the only failure that runtimes know.
class Adapter {
 public:
  // Takes the graph out of `construction`. Null when there is no memory for it. If the planner itself cannot be created the
  // adapter stands all the same, and each call reports the reason.
  static Adapter* Create(const Construction& construction);
  // Null is fine.
  static void Destroy(Adapter* adapter);

  TfLiteStatus PlanAllocations();
  TfLiteStatus ExecuteAllocations(int first_node, int last_node);
  TfLiteStatus ResetAllocations();
  TfLiteStatus ResetAllocationsAfter(int node);
  TfLiteStatus ReleaseNonPersistentMemory();
  TfLiteStatus AcquireNonPersistentMemory();
  bool HasNonPersistentMemory();
  void DumpDebugInfo(const std::vector<int>& execution_plan);
  // Zeros where it fails.
  void GetAllocInfo(size_t* arena_size, size_t* arena_persist_size);
  intptr_t BasePointer(int32_t type);

 private:
  explicit Adapter(const Construction& construction);
  ~Adapter();

  // Every call ends here: one that failed is reported to the context, and the log and the recording are told.
  TfLiteStatus Finish(Call call, int32_t status);
  static constexpr size_t kTextSize = 512;
  // Puts the status and what it means into the call; `text` is where the words are.
  void Explain(int32_t status, Call* call, char (*text)[kTextSize]) const;
  void Tell(const Call& call);
  void Log(const Call& call);
  void LogCall(const char* log, const Call& call) const;
  // Hears of buffers that grow, of which nothing else tells.
  void Listen();
  static void OnEvent(void* self, const TfliteArenaEvent* event);
  void TellGrowths();
  // The numbers of the places that are in force; they are worth their time only where someone looks at them.
  bool GetPlanInfo(TfliteArenaPlanInfo* info) const;
  // Adds them, and the time of all calls so far that planned.
  void LogTotals(const TfliteArenaPlanInfo& info, class LogLine* line) const;
  // Tells the runtime's profiler of buffers that grew or went.
  void ProfileBuffers();

  TfLiteContext* const context_;
  std::unique_ptr<tflite::GraphInfo> graph_info_;
  const int id_;  // counts the planners of this process, from 1
  const int subgraph_index_;
  TfliteArenaPlanner* planner_ = nullptr;
  Recorder* recorder_ = nullptr;  // null unless asked for
  TensorLog tensor_log_;
  // Buffers that have grown in the call that is under way: each of the two does so once at most.
  static constexpr size_t kMostGrowths = 2;
  TfliteArenaEvent growths_[kMostGrowths];
  size_t num_growths_ = 0;
  int32_t creation_status_ = TFLITE_ARENA_STATUS_OK;  // why planner_ is null, if it is
  bool has_persistent_buffer_ = false;  // made with the first buffer of the other arena, and never released

  // As the last execution left it. Kept for the end of the log: the graph may be gone by the time the planner is destroyed.
  TfliteArenaPlanInfo plan_info_ = {};
  bool has_plan_info_ = false;
  uint64_t planning_ns_ = 0;

  // The sizes that the profiler last heard.
  size_t profiled_arena_ = 0;
  size_t profiled_persistent_ = 0;
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_ADAPTER_H_
