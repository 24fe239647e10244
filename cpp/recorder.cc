#include "recorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "environment.h"
#include "generations.h"
#include "graph_view.h"
#include "log.h"
#include "names.h"
#include "whole_file.h"

namespace tflite_arena {
namespace {

constexpr int32_t kFormatVersion = 1;

// So many calls are each written at once. Later the file grows by a sixteenth, so that writing it costs little more per call,
// however many there are.
constexpr uint64_t kPromptCalls = 64;
constexpr uint64_t kPart = 16;

void AddList(JsonText* json, const char* key, const TfliteArenaIntList& list) {
  json->Key(key).Numbers(list.data, list.size);
}

// 0 where the tensors cannot be reached.
size_t NumTensorsOf(tflite::GraphInfo* graph_info) {
  return TensorsOf(graph_info) == nullptr ? 0 : graph_info->num_tensors();
}

// Lists of a negative size are written as if they were empty: no plan was made from them.
TfliteArenaNode ReadableNodeOf(const tflite::GraphInfo& graph_info, size_t index) {
  TfliteArenaNode node = {};
  NodeOf(graph_info, index, &node);
  return node;
}

void AddPlace(JsonText* json, const TfliteArenaTensorPlan& place) {
  json->Key("place").Open('{');
  json->Key("arena").Number(place.arena);
  json->Key("offset").Number(uint64_t{place.offset});
  json->Key("size").Number(uint64_t{place.size});
  json->Key("first").Number(place.first_node);
  json->Key("last");
  if (place.last_node == INT32_MAX) {
    json->Null();
  } else {
    json->Number(place.last_node);
  }
  json->Key("root").Number(place.root);
  json->Close('}');
}

void AddTensor(JsonText* json, const TfLiteTensor& tensor) {
  json->Key("name").String(tensor.name);
  json->Key("type").Number(NumberOf(tensor.type));
  TfliteArenaIntList shape;
  if (tensor.dims != nullptr && ListOf(tensor.dims, &shape)) AddList(json, "shape", shape);
  json->Key("bytes").Number(uint64_t{tensor.bytes});
  json->Key("allocation_type").Number(NumberOf(tensor.allocation_type));
}

}  // namespace

// malloc rather than new, for the adapter's reasons.
Recorder* Recorder::Create(const char* directory, int planner, int subgraph, const TfliteArenaPlannerOptions& options) {
  void* room = malloc(sizeof(Recorder));
  return room == nullptr ? nullptr : new (room) Recorder(directory, planner, subgraph, options);
}

void Recorder::Destroy(Recorder* recorder) {
  if (recorder == nullptr) return;
  if (!recorder->stopped_ && recorder->written_calls_ < recorder->calls_) recorder->Write();
  recorder->~Recorder();
  free(recorder);
}

Recorder::Recorder(const char* directory, int planner, int subgraph, const TfliteArenaPlannerOptions& options)
    : directory_(directory), planner_(planner), subgraph_(subgraph) {
  options_.Open('{');
  options_.Key("strategy").String(NameOfStrategy(options.strategy));
  options_.Key("alignment").Number(uint64_t{options.tensor_alignment});
  options_.Key("preserve_all_tensors").Bool(options.preserve_all_tensors != 0);
  options_.Key("preserve_inputs").Bool(options.preserve_inputs != 0);
  options_.Key("replace_range").Bool(options.replace_range != 0);
  options_.Close('}');
  // Nothing is planned yet.
  tensors_.Open('[').Close(']');
  nodes_.Key("nodes").Open('[').Close(']');
  for (const char* list : {"inputs", "outputs", "variables"}) AddList(&nodes_, list, TfliteArenaIntList());
  SetTotals(TfliteArenaPlanInfo());
}

bool Recorder::Add(const Call& call, const TfliteArenaPlanner& planner, tflite::GraphInfo* graph_info) {
  ++calls_;
  if (call.kind == Call::kPlan) {
    planned_ = !call.failed();
    history_before_plan_ = history_.size();
    since_plan_.Clear();
  }
  tflite_arena_planner_get_alloc_info(&planner, &arena_, &persistent_);
  for (JsonText* events : {&history_, &since_plan_}) BeginCall(events, call);
  if (planned_ && call.kind == Call::kPlan) AddSizes(graph_info);
  if (planned_ && call.kind == Call::kExecute) AddChanges(graph_info);
  for (JsonText* events : {&history_, &since_plan_}) events->Close('}');
  if (call.plans()) {
    ReadTensors(planner, graph_info);
    ReadNodes(*graph_info);
    ReadTotals(planner);
  }
  if (!HasAll()) return Stop("out of memory");
  return !IsDue() || Write();
}

void Recorder::AddGrowth(const TfliteArenaEvent& growth) {
  arena_ = growth.arena_size;
  persistent_ = growth.arena_persist_size;
  for (JsonText* events : {&history_, &since_plan_}) {
    BeginEvent(events, "grow");
    events->Key("of").Number(growth.arena);
    events->Key("before").Number(uint64_t{growth.before});
    events->Key("after").Number(uint64_t{growth.after});
    events->Close('}');
  }
}

void Recorder::BeginEvent(JsonText* events, const char* name) const {
  events->Line().Open('{').Key("event").String(name);
  events->Key("arena").Number(uint64_t{arena_});
  events->Key("persistent").Number(uint64_t{persistent_});
}

void Recorder::BeginCall(JsonText* events, const Call& call) const {
  BeginEvent(events, call.failed() ? "error" : call.name);
  if (call.failed()) {
    events->Key("call").String(call.name);
    events->Key("status").Number(call.status);
    events->Key("text").String(call.text);
  }
  if (call.plans()) events->Key("ns").Number(call.ns);
  if (call.kind == Call::kExecute) {
    events->Key("first").Number(call.first_node);
    events->Key("last").Number(call.last_node);
  }
  if (call.kind == Call::kResetAfter) events->Key("node").Number(call.first_node);
}

void Recorder::AddSizes(tflite::GraphInfo* graph_info) {
  sizes_.Clear();
  temporaries_.ends.Clear();
  temporaries_.values.Clear();
  const TfLiteTensor* tensors = TensorsOf(graph_info);
  const size_t count = NumTensorsOf(graph_info);
  since_plan_.Key("sizes").Open('[');
  for (size_t i = 0; i < count; ++i) {
    const Size size = {tensors[i].bytes, NumberOf(tensors[i].allocation_type)};
    sizes_.Add(size);
    since_plan_.Open('[').Number(size.bytes).Number(size.allocation_type).Close(']');
  }
  since_plan_.Close(']');
}

void Recorder::AddChanges(tflite::GraphInfo* graph_info) {
  const TfLiteTensor* tensors = TensorsOf(graph_info);
  const size_t count = NumTensorsOf(graph_info);
  Array<Size> now;
  since_plan_.Key("changed").Open('[');
  for (size_t i = 0; i < count; ++i) {
    const Size size = {tensors[i].bytes, NumberOf(tensors[i].allocation_type)};
    now.Add(size);
    if (i < sizes_.size() && size.bytes == sizes_[i].bytes && size.allocation_type == sizes_[i].allocation_type) continue;
    since_plan_.Open('[').Number(uint64_t{i}).Number(size.bytes).Number(size.allocation_type).Close(']');
  }
  since_plan_.Close(']');
  sizes_.Swap(&now);
  AddChangedTemporaries(*graph_info);
}

void Recorder::AddChangedTemporaries(const tflite::GraphInfo& graph_info) {
  const size_t count = NumNodesOf(graph_info);
  Lists now;
  since_plan_.Key("temporaries").Open('[');
  for (size_t i = 0, begin = 0; i < count; ++i) {
    const TfliteArenaIntList list = ReadableNodeOf(graph_info, i).temporaries;
    now.values.Add(list.data, list.size);
    now.ends.Add(now.values.size());
    const size_t end = i < temporaries_.ends.size() ? temporaries_.ends[i] : begin;
    const bool same = list.size == end - begin &&
                      (list.size == 0 || memcmp(list.data, &temporaries_.values[begin], list.size * sizeof(int32_t)) == 0);
    begin = end;
    if (!same) since_plan_.Open('[').Number(uint64_t{i}).Numbers(list.data, list.size).Close(']');
  }
  since_plan_.Close(']');
  temporaries_.ends.Swap(&now.ends);
  temporaries_.values.Swap(&now.values);
}

void Recorder::ReadTensors(const TfliteArenaPlanner& planner, tflite::GraphInfo* graph_info) {
  const TfLiteTensor* tensors = TensorsOf(graph_info);
  const size_t count = NumTensorsOf(graph_info);
  tensors_.Clear();
  tensors_.Open('[');
  for (size_t i = 0; i < count; ++i) {
    tensors_.Line().Open('{');
    AddTensor(&tensors_, tensors[i]);
    TfliteArenaTensorPlan place;
    const int32_t status = tflite_arena_planner_get_tensor_plan(&planner, static_cast<int32_t>(i), &place);
    if (status == TFLITE_ARENA_STATUS_OK && place.arena != TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE) AddPlace(&tensors_, place);
    tensors_.Close('}');
  }
  tensors_.Close(']');
}

void Recorder::ReadNodes(const tflite::GraphInfo& graph_info) {
  const size_t count = NumNodesOf(graph_info);
  nodes_.Clear();
  nodes_.Key("nodes").Open('[');
  for (size_t i = 0; i < count; ++i) {
    const TfliteArenaNode node = ReadableNodeOf(graph_info, i);
    const Operator op = OperatorOf(graph_info, i);
    nodes_.Line().Open('{').Key("op").String(op.known ? NameOfOperator(op.builtin_code).text : "");
    if (op.custom_name != nullptr) nodes_.Key("custom").String(op.custom_name);
    nodes_.Key("inplace").Number(node.inplace_operator);
    AddList(&nodes_, "inputs", node.inputs);
    AddList(&nodes_, "outputs", node.outputs);
    AddList(&nodes_, "temporaries", node.temporaries);
    nodes_.Close('}');
  }
  nodes_.Close(']').Line();
  AddList(&nodes_, "inputs", ListOf(graph_info.inputs()));
  AddList(&nodes_, "outputs", ListOf(graph_info.outputs()));
  AddList(&nodes_, "variables", ListOf(graph_info.variables()));
}

void Recorder::ReadTotals(const TfliteArenaPlanner& planner) {
  TfliteArenaPlanInfo info = {};
  tflite_arena_planner_get_plan_info(&planner, &info);
  SetTotals(info);
}

void Recorder::SetTotals(const TfliteArenaPlanInfo& info) {
  totals_.Clear();
  totals_.Open('{');
  totals_.Key("naive").Number(uint64_t{info.naive});
  totals_.Key("arena").Number(uint64_t{info.arena_needed});
  totals_.Key("lower_bound").Number(uint64_t{info.lower_bound});
  totals_.Key("persistent").Number(uint64_t{info.persistent_needed});
  totals_.Key("padding").Number(uint64_t{info.padding});
  totals_.Key("placed").Number(uint64_t{info.placed_tensors});
  totals_.Close('}');
}

bool Recorder::HasAll() const {
  return options_.whole() && tensors_.whole() && nodes_.whole() && totals_.whole() && history_.whole() &&
         since_plan_.whole() && !sizes_.refused() && !temporaries_.ends.refused() && !temporaries_.values.refused();
}

bool Recorder::IsDue() const {
  return calls_ <= kPromptCalls || calls_ - written_calls_ >= written_calls_ / kPart;
}

bool Recorder::Write() {
  JsonText file;
  file.Open('{').Key("tflite_arena_recording").Number(kFormatVersion);
  file.Key("library").String(tflite_arena_version());
  // The process that writes need not be the one in which the planner was made.
  const int pid = static_cast<int>(getpid());
  file.Key("pid").Number(pid).Key("planner").Number(planner_).Key("subgraph").Number(subgraph_);
  file.Key("options").Append(options_.data(), options_.size());
  file.Line().Key("tensors").Append(tensors_.data(), tensors_.size());
  file.Line().Append(nodes_.data(), nodes_.size());
  file.Line().Key("events").Open('[');
  file.Append(history_.data(), history_before_plan_).Append(since_plan_.data(), since_plan_.size());
  file.Close(']').Line().Key("totals").Append(totals_.data(), totals_.size()).Close('}');
  if (!file.whole()) return Stop("out of memory");

  char name[64];
  snprintf(name, sizeof(name), "tflite-arena-%d-%d.json", pid, planner_);
  WholeFile target(directory_, name);
  target.Put(file.data(), file.size());
  target.Put("\n", 1);
  const int failure = target.Commit();
  if (failure != 0) return Stop(strerror(failure));
  written_calls_ = calls_;
  return true;
}

bool Recorder::Stop(const char* reason) {
  stopped_ = true;
  Complain("planner %d is recorded no further in %s: %s", planner_, directory_, reason);
  return false;
}

}  // namespace tflite_arena
