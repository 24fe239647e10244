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

int32_t CreatePlanner(const Construction& construction, tflite::GraphInfo* graph_info, TfliteArenaPlanner** planner) {
  if (TheEnvironment().bad_choice != nullptr) return TFLITE_ARENA_STATUS_INVALID_ARGUMENT;
  TfliteArenaPlannerOptions options;
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
      subgraph_index_(construction.subgraph_index),
      creation_status_(CreatePlanner(construction, graph_info_.get(), &planner_)) {
  // The context hears of a failure at the first call that can return it.
  if (planner_ != nullptr) {
    LogLine(TheEnvironment().log, "create", id_, subgraph_index_);
  } else {
    char text[kTextSize];
    Explain(creation_status_, text);
    LogError("create", creation_status_, text);
  }
}

Adapter::~Adapter() {
  {
    LogLine line(TheEnvironment().log, "destroy", id_, subgraph_index_);
    if (has_plan_info_) LogTotals(plan_info_, &line);
  }
  tflite_arena_planner_destroy(planner_);
  TellProfiler(subgraph_index_, &profiled_arena_, profiled_arena_, 0);
  TellProfiler(subgraph_index_, &profiled_persistent_, profiled_persistent_, 0);
}

// Nothing has its place yet, so there is nothing to say of places.
TfLiteStatus Adapter::PlanAllocations() {
  const uint64_t begin = Now();
  const int32_t status = tflite_arena_planner_plan_allocations(planner_);
  const uint64_t ns = Now() - begin;
  planning_ns_ += ns;
  if (status != TFLITE_ARENA_STATUS_OK) return Fail("plan", status);
  LogLine(TheEnvironment().log, "plan", id_, subgraph_index_)
      .Number("nodes", uint64_t{NumNodesOf(*graph_info_)})
      .Number("tensors", uint64_t{graph_info_->num_tensors()})
      .Number("ns", ns);
  return kTfLiteOk;
}

TfLiteStatus Adapter::ExecuteAllocations(int first_node, int last_node) {
  const uint64_t begin = Now();
  const int32_t status = tflite_arena_planner_execute_allocations(planner_, first_node, last_node);
  const uint64_t ns = Now() - begin;
  planning_ns_ += ns;
  if (status != TFLITE_ARENA_STATUS_OK) return Fail("execute", status);
  has_persistent_buffer_ = true;
  ProfileBuffers();
  has_plan_info_ = GetPlanInfo(&plan_info_);
  const Environment& environment = TheEnvironment();
  if (environment.record != nullptr) {
    // Each time, not at the end: runtimes may leave without destroying their planners, and take the graph down first.
    WriteRecording(environment.record, id_, subgraph_index_, graph_info_.get(), plan_info_.arena_needed,
                   plan_info_.persistent_needed);
  }
  LogLine line(environment.log, "execute", id_, subgraph_index_);
  line.Number("first", int64_t{first_node}).Number("last", int64_t{last_node}).Number("ns", ns);
  if (has_plan_info_) LogTotals(plan_info_, &line);
  return kTfLiteOk;
}

TfLiteStatus Adapter::ResetAllocations() { return Finish("reset", tflite_arena_planner_reset_allocations(planner_)); }

TfLiteStatus Adapter::ResetAllocationsAfter(int node) {
  const int32_t status = tflite_arena_planner_reset_allocations_after(planner_, node);
  if (status != TFLITE_ARENA_STATUS_OK) return Fail("reset_after", status);
  LogLine line(TheEnvironment().log, "reset_after", id_, subgraph_index_);
  line.Number("node", int64_t{node});
  TfliteArenaPlanInfo left;
  if (GetPlanInfo(&left)) LogTotals(left, &line);
  return kTfLiteOk;
}

TfLiteStatus Adapter::ReleaseNonPersistentMemory() {
  const int32_t status = tflite_arena_planner_release_non_persistent_memory(planner_);
  ProfileBuffers();
  return Finish("release", status);
}

TfLiteStatus Adapter::AcquireNonPersistentMemory() {
  const int32_t status = tflite_arena_planner_acquire_non_persistent_memory(planner_);
  if (status == TFLITE_ARENA_STATUS_OK) has_persistent_buffer_ = true;
  ProfileBuffers();
  return Finish("acquire", status);
}

// Runtimes up to 2.15 ask for "is the buffer larger than nothing", later ones for "was it committed". The answers agree: the
// older ones pad their buffers, so that an arena of 0 bytes has some too.
bool Adapter::HasNonPersistentMemory() {
  bool has = false;
  const int32_t status = tflite_arena_planner_has_non_persistent_memory(planner_, &has);
  if (status != TFLITE_ARENA_STATUS_OK) Fail("has", status);
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
  if (status != TFLITE_ARENA_STATUS_OK) Fail("dump", status);
}

void Adapter::GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) {
  size_t arena = 0;
  size_t persistent = 0;
  const int32_t status = tflite_arena_planner_get_alloc_info(planner_, &arena, &persistent);
  if (status != TFLITE_ARENA_STATUS_OK) Fail("alloc_info", status);
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
  if (status != TFLITE_ARENA_STATUS_OK) Fail("base_pointer", status);
  return base;
}

TfLiteStatus Adapter::Finish(const char* call, int32_t status) {
  if (status != TFLITE_ARENA_STATUS_OK) return Fail(call, status);
  LogLine(TheEnvironment().log, call, id_, subgraph_index_);
  return kTfLiteOk;
}

TfLiteStatus Adapter::Fail(const char* call, int32_t status) {
  if (planner_ == nullptr) status = creation_status_;
  char text[kTextSize];
  Explain(status, text);
  ReportError(context_, text);
  LogError(call, status, text);
  return kTfLiteError;
}

void Adapter::Explain(int32_t status, char (&text)[kTextSize]) const {
  const Environment& environment = TheEnvironment();
  if (planner_ != nullptr) {
    snprintf(text, sizeof(text), "%s", tflite_arena_planner_last_error(planner_));
  } else if (environment.bad_choice != nullptr) {
    snprintf(text, sizeof(text), "tflite-arena: no planner: %s", environment.bad_choice);
  } else {
    snprintf(text, sizeof(text), "tflite-arena: no planner: %s (strategy %s)", tflite_arena_status_text(status),
             environment.strategy_name != nullptr ? environment.strategy_name : "not chosen");
  }
}

void Adapter::LogError(const char* call, int32_t status, const char* text) const {
  LogLine(TheEnvironment().log, "error", id_, subgraph_index_)
      .Word("call", call)
      .Number("status", int64_t{status})
      .Text("text", text);
}

void Adapter::LogTotals(const TfliteArenaPlanInfo& info, LogLine* line) const {
  line->Number("nodes", uint64_t{info.num_nodes})
      .Number("tensors", uint64_t{info.num_tensors})
      .Number("placed", uint64_t{info.placed_tensors})
      .Number("naive", uint64_t{info.naive})
      .Number("arena", uint64_t{info.arena_needed})
      .Number("lower_bound", uint64_t{info.lower_bound})
      .Number("persistent", uint64_t{info.persistent_needed})
      .Number("planning_ns", planning_ns_);
}

bool Adapter::GetPlanInfo(TfliteArenaPlanInfo* info) const {
  if (TheEnvironment().log == nullptr && TheEnvironment().record == nullptr) return false;
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
