#include "adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>
#include <new>
#include <utility>

#include "environment.h"
#include "generations.h"
#include "graph_view.h"
#include "log.h"
#include "profiler.h"
#include "recorder.h"
#include "report.h"

namespace tflite_arena {
namespace {

std::atomic<int> planners_created{0};
std::atomic<bool> missed_the_feature{false};

uint64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

int32_t ChosenStrategy() {
  const Environment& environment = TheEnvironment();
  if (environment.strategy_name != nullptr) return environment.strategy;
  return kPlansAgainInMidRun ? TFLITE_ARENA_STRATEGY_IN_ORDER : TFLITE_ARENA_STRATEGY_BEST;
}

// How it plans is in `options`.
int32_t CreatePlanner(const Construction& construction, tflite::GraphInfo* graph_info, TfliteArenaPlanner** planner,
                      TfliteArenaPlannerOptions* planner_options) {
  if (TheEnvironment().bad_choice != nullptr) return TFLITE_ARENA_STATUS_INVALID_ARGUMENT;
  TfliteArenaPlannerOptions& options = *planner_options;
  int32_t status = tflite_arena_planner_options_init(&options);
  if (status != TFLITE_ARENA_STATUS_OK) return status;
  options.preserve_inputs = construction.preserve_inputs;
  options.replace_range = kPlacesRangesAnew;
  options.preserve_all_tensors = construction.preserve_all_tensors;
  options.strategy = ChosenStrategy();
  // A negative alignment becomes a size that is no power of two, which is refused.
  options.tensor_alignment = static_cast<size_t>(construction.tensor_alignment);
  options.subgraph_index = construction.subgraph_index;
  TfliteArenaAllocator room;
  options.allocator = AllocatorOf(construction.allocator, &room);
  const TfliteArenaGraphInfo view = ViewOf(graph_info);
  status = tflite_arena_planner_create(&view, &options, planner);
  if (status == TFLITE_ARENA_STATUS_UNSUPPORTED && TheEnvironment().strategy_name == nullptr) {
    // Nobody asked for what a small build leaves out.
    options.strategy = TFLITE_ARENA_STRATEGY_GREEDY;
    status = tflite_arena_planner_create(&view, &options, planner);
  }
  return status;
}

}  // namespace

// malloc rather than new: there are no exceptions to tell that memory is out, and in the preload library no libstdc++.
Adapter* Adapter::Create(const Construction& construction) {
  void* room = malloc(sizeof(Adapter));
  return room == nullptr ? nullptr : new (room) Adapter(construction);
}

void Adapter::Destroy(Adapter* adapter) {
  if (adapter == nullptr) return;
  adapter->~Adapter();
  free(adapter);
}

Adapter::Adapter(const Construction& construction)
    : context_(construction.context),
      graph_info_(std::move(*construction.graph_info)),
      id_(++planners_created),
      subgraph_index_(construction.subgraph_index) {
  TfliteArenaPlannerOptions options;
  creation_status_ = CreatePlanner(construction, graph_info_.get(), &planner_, &options);
  const char* const directory = TheEnvironment().record;
  if (planner_ != nullptr && directory != nullptr) {
    recorder_ = Recorder::Create(directory, id_, subgraph_index_, options);
    if (recorder_ == nullptr) Complain("planner %d is not recorded: out of memory", id_);
  }
  if (planner_ != nullptr && (directory != nullptr || TheEnvironment().log != nullptr)) Listen();
  // The context hears of a failure at the first call that can return it.
  Call call(Call::kCreate, "create");
  char text[kTextSize];
  if (planner_ == nullptr) Explain(creation_status_, &call, &text);
  Tell(call);
}

Adapter::~Adapter() {
  {
    LogLine line(TheEnvironment().log, "destroy", id_, subgraph_index_);
    if (has_plan_info_) LogTotals(plan_info_, &line);
  }
  Recorder::Destroy(recorder_);
  tflite_arena_planner_destroy(planner_);
  TellProfiler(subgraph_index_, &profiled_arena_, profiled_arena_, 0);
  TellProfiler(subgraph_index_, &profiled_persistent_, profiled_persistent_, 0);
}

TfLiteStatus Adapter::PlanAllocations() {
  Call call(Call::kPlan, "plan");
  const uint64_t begin = Now();
  const int32_t status = tflite_arena_planner_plan_allocations(planner_);
  call.ns = Now() - begin;
  planning_ns_ += call.ns;
  return Finish(call, status);
}

TfLiteStatus Adapter::ExecuteAllocations(int first_node, int last_node) {
  Call call = Call::Execute(first_node, last_node);
  const uint64_t begin = Now();
  const int32_t status = tflite_arena_planner_execute_allocations(planner_, first_node, last_node);
  call.ns = Now() - begin;
  planning_ns_ += call.ns;
  if (status == TFLITE_ARENA_STATUS_OK) {
    has_persistent_buffer_ = true;
    ProfileBuffers();
    has_plan_info_ = GetPlanInfo(&plan_info_);
  }
  return Finish(call, status);
}

TfLiteStatus Adapter::ResetAllocations() {
  return Finish({Call::kReset, "reset"}, tflite_arena_planner_reset_allocations(planner_));
}

TfLiteStatus Adapter::ResetAllocationsAfter(int node) {
  return Finish(Call::ResetAfter(node), tflite_arena_planner_reset_allocations_after(planner_, node));
}

TfLiteStatus Adapter::ReleaseNonPersistentMemory() {
  const int32_t status = tflite_arena_planner_release_non_persistent_memory(planner_);
  ProfileBuffers();
  return Finish({Call::kRelease, "release"}, status);
}

TfLiteStatus Adapter::AcquireNonPersistentMemory() {
  const int32_t status = tflite_arena_planner_acquire_non_persistent_memory(planner_);
  if (status == TFLITE_ARENA_STATUS_OK) has_persistent_buffer_ = true;
  ProfileBuffers();
  return Finish({Call::kAcquire, "acquire"}, status);
}

// Runtimes up to 2.15 ask for "is the buffer larger than nothing", later ones for "was it committed". The answers agree: the
// older ones pad their buffers, so that an arena of 0 bytes has some too.
bool Adapter::HasNonPersistentMemory() {
  bool has = false;
  const int32_t status = tflite_arena_planner_has_non_persistent_memory(planner_, &has);
  if (status != TFLITE_ARENA_STATUS_OK) Finish({Call::kQuestion, "has"}, status);
  return has;
}

void Adapter::DumpDebugInfo(const std::vector<int>& execution_plan) {
  if (planner_ != nullptr) {
    size_t arena_size, arena_persist_size;
    GetAllocInfo(&arena_size, &arena_persist_size);
    if (HostDumps(planner_, execution_plan, arena_size, arena_persist_size)) return;
  }
  const int32_t status = tflite_arena_planner_dump_debug_info(planner_, execution_plan.data(), execution_plan.size(),
                                                              PrintText, nullptr);
  if (status != TFLITE_ARENA_STATUS_OK) Finish({Call::kQuestion, "dump"}, status);
}

void Adapter::GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) {
  size_t arena = 0;
  size_t persistent = 0;
  const int32_t status = tflite_arena_planner_get_alloc_info(planner_, &arena, &persistent);
  if (status != TFLITE_ARENA_STATUS_OK) Finish({Call::kQuestion, "alloc_info"}, status);
  bool has_buffer = false;
  tflite_arena_planner_has_non_persistent_memory(planner_, &has_buffer);
  if (has_buffer) arena += ReportedPadding(tflite::kDefaultArenaAlignment);
  if (has_persistent_buffer_) persistent += ReportedPadding(tflite::kDefaultArenaAlignment);
  if (arena_size != nullptr) *arena_size = arena;
  if (arena_persist_size != nullptr) *arena_persist_size = persistent;
}

intptr_t Adapter::BasePointer(int32_t type) {
  intptr_t base = 0;
  const int32_t status = tflite_arena_planner_base_pointer(planner_, type, &base);
  if (status != TFLITE_ARENA_STATUS_OK) Finish({Call::kQuestion, "base_pointer"}, status);
  return base;
}

TfLiteStatus Adapter::Finish(Call call, int32_t status) {
  char text[kTextSize];
  if (status != TFLITE_ARENA_STATUS_OK) {
    Explain(planner_ == nullptr ? creation_status_ : status, &call, &text);
    ReportError(context_, text);
  }
  Tell(call);
  return call.failed() ? kTfLiteError : kTfLiteOk;
}

void Adapter::Explain(int32_t status, Call* call, char (*text)[kTextSize]) const {
  const Environment& environment = TheEnvironment();
  if (planner_ != nullptr) {
    snprintf(*text, sizeof(*text), "%s", tflite_arena_planner_last_error(planner_));
  } else if (environment.bad_choice != nullptr) {
    snprintf(*text, sizeof(*text), "tflite-arena: no planner: %s", environment.bad_choice);
  } else {
    snprintf(*text, sizeof(*text), "tflite-arena: no planner: %s (strategy %s)", tflite_arena_status_text(status),
             environment.strategy_name != nullptr ? environment.strategy_name : "not chosen");
  }
  call->status = status;
  call->text = *text;
}

void Adapter::Tell(const Call& call) {
  TellGrowths();
  Log(call);
  if (recorder_ != nullptr && !recorder_->Add(call, *planner_, graph_info_.get())) {
    Recorder::Destroy(recorder_);
    recorder_ = nullptr;
  }
}

void Adapter::Listen() {
  const int32_t status = tflite_arena_planner_set_event_callback(planner_, OnEvent, this);
  if (status == TFLITE_ARENA_STATUS_UNSUPPORTED && !missed_the_feature.exchange(true)) {
    Complain("built without the feature inspect: neither growing buffers nor, in the log, tensors are told of");
  }
}

// Told of later: this is in the midst of a call whose time is taken.
void Adapter::OnEvent(void* self, const TfliteArenaEvent* event) {
  Adapter& adapter = *static_cast<Adapter*>(self);
  if (event->kind != TFLITE_ARENA_EVENT_KIND_GROW || adapter.num_growths_ == kMostGrowths) return;
  adapter.growths_[adapter.num_growths_++] = *event;
}

void Adapter::TellGrowths() {
  for (size_t i = 0; i < num_growths_; ++i) {
    const TfliteArenaEvent& growth = growths_[i];
    LogLine(TheEnvironment().log, "grow", id_, subgraph_index_)
        .Word("arena", NameOfArena(growth.arena))
        .Number("before", uint64_t{growth.before})
        .Number("after", uint64_t{growth.after});
    if (recorder_ != nullptr) recorder_->AddGrowth(growth);
  }
  num_growths_ = 0;
}

void Adapter::Log(const Call& call) {
  const char* const log = TheEnvironment().log;
  if (log == nullptr) return;
  if (call.failed()) {
    LogLine(log, "error", id_, subgraph_index_)
        .Word("call", call.name)
        .Number("status", int64_t{call.status})
        .Text("text", call.text);
    return;
  }
  LogCall(log, call);
  if (call.kind == Call::kPlan) tensor_log_.Forget();
  if (call.kind == Call::kExecute) tensor_log_.Tell(log, id_, subgraph_index_, *planner_, graph_info_.get());
}

void Adapter::LogCall(const char* log, const Call& call) const {
  LogLine line(log, call.name, id_, subgraph_index_);
  if (call.kind == Call::kPlan) {
    // Nothing has its place yet, so there is nothing to say of places.
    line.Number("nodes", uint64_t{NumNodesOf(*graph_info_)})
        .Number("tensors", uint64_t{graph_info_->num_tensors()})
        .Number("ns", call.ns);
  } else if (call.kind == Call::kExecute) {
    line.Number("first", int64_t{call.first_node}).Number("last", int64_t{call.last_node}).Number("ns", call.ns);
    if (has_plan_info_) LogTotals(plan_info_, &line);
  } else if (call.kind == Call::kResetAfter) {
    line.Number("node", int64_t{call.first_node});
    TfliteArenaPlanInfo left;
    if (GetPlanInfo(&left)) LogTotals(left, &line);
  }
}

void Adapter::LogTotals(const TfliteArenaPlanInfo& info, LogLine* line) const {
  line->Number("nodes", uint64_t{info.num_nodes})
      .Number("tensors", uint64_t{info.num_tensors})
      .Number("placed", uint64_t{info.placed_tensors})
      .Number("naive", uint64_t{info.naive})
      .Number("arena", uint64_t{info.arena_needed})
      .Number("lower_bound", uint64_t{info.lower_bound})
      .Number("persistent", uint64_t{info.persistent_needed})
      .Number("padding", uint64_t{info.padding})
      .Number("planning_ns", planning_ns_);
}

bool Adapter::GetPlanInfo(TfliteArenaPlanInfo* info) const {
  if (TheEnvironment().log == nullptr) return false;
  return tflite_arena_planner_get_plan_info(planner_, info) == TFLITE_ARENA_STATUS_OK;
}

void Adapter::ProfileBuffers() {
  if (!kHasProfiler) return;
  size_t arena, persistent;
  if (tflite_arena_planner_get_alloc_info(planner_, &arena, &persistent) != TFLITE_ARENA_STATUS_OK) return;
  TellProfiler(subgraph_index_, &profiled_arena_, profiled_arena_, arena);
  TellProfiler(subgraph_index_, &profiled_persistent_, profiled_persistent_, persistent);
  profiled_arena_ = arena;
  profiled_persistent_ = persistent;
}

}  // namespace tflite_arena
