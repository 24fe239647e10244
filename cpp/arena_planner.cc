// tflite::ArenaPlanner as the runtime calls it: each call goes to the adapter, or errs where there is none.
#include "adapter.h"
#include "host.h"
#include "report.h"
#include "runtime.h"

// A static library is looked into only for what is missing by then, and linked first nobody has asked for a planner yet. The linker
// is told to miss this name (--undefined), and so takes this file, and leaves the runtime's own planner where it is.
extern "C" {
extern const char tflite_arena_cpp_link_first;
const char tflite_arena_cpp_link_first = 1;
}

namespace tflite {
namespace {

TfLiteStatus NoAdapter(TfLiteContext* context) {
  tflite_arena::ReportError(context, "tflite-arena: out of memory: the planner could not be created");
  return kTfLiteError;
}

}  // namespace

// The return address is asked for in each constructor itself, as it tells the host who has called.

ArenaPlanner::ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_inputs,
                           tflite_arena::UpTo26<MemoryPlanner, bool> preserve_all_tensors, int tensor_alignment)
    : context_(context), adapter_(nullptr) {
  Construct({this, __builtin_return_address(0), context, &graph_info, preserve_inputs, preserve_all_tensors != 0,
             tensor_alignment, 0, nullptr});
}

ArenaPlanner::ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
                           tflite_arena::From27<MemoryPlanner, int> tensor_alignment)
    : context_(context), adapter_(nullptr) {
  Construct({this, __builtin_return_address(0), context, &graph_info, true, preserve_all_tensors, tensor_alignment, 0,
             nullptr});
}

ArenaPlanner::ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
                           tflite_arena::From27<MemoryPlanner, int> tensor_alignment, int subgraph_index)
    : context_(context), adapter_(nullptr) {
  Construct({this, __builtin_return_address(0), context, &graph_info, true, preserve_all_tensors, tensor_alignment,
             subgraph_index, nullptr});
}

ArenaPlanner::ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
                           tflite_arena::From27<MemoryPlanner, int> tensor_alignment, int subgraph_index,
                           TfLiteAllocator* allocator)
    : context_(context), adapter_(nullptr) {
  Construct({this, __builtin_return_address(0), context, &graph_info, true, preserve_all_tensors, tensor_alignment,
             subgraph_index, allocator});
}

void ArenaPlanner::Construct(const tflite_arena::Construction& construction) {
  // Where this is true the object is the runtime's own from here on, vtable and all: nothing may be written to it.
  if (tflite_arena::HostConstructs(construction)) return;
  adapter_ = tflite_arena::Adapter::Create(construction);
}

ArenaPlanner::~ArenaPlanner() { tflite_arena::Adapter::Destroy(adapter_); }

TfLiteStatus ArenaPlanner::PlanAllocations() {
  return adapter_ ? adapter_->PlanAllocations() : NoAdapter(context_);
}

TfLiteStatus ArenaPlanner::ExecuteAllocations(int first_node, int last_node) {
  return adapter_ ? adapter_->ExecuteAllocations(first_node, last_node) : NoAdapter(context_);
}

TfLiteStatus ArenaPlanner::ResetAllocations() {
  return adapter_ ? adapter_->ResetAllocations() : NoAdapter(context_);
}

TfLiteStatus ArenaPlanner::ResetAllocationsAfter(int node) {
  return adapter_ ? adapter_->ResetAllocationsAfter(node) : NoAdapter(context_);
}

TfLiteStatus ArenaPlanner::ReleaseNonPersistentMemory() {
  return adapter_ ? adapter_->ReleaseNonPersistentMemory() : NoAdapter(context_);
}

TfLiteStatus ArenaPlanner::AcquireNonPersistentMemory() {
  return adapter_ ? adapter_->AcquireNonPersistentMemory() : NoAdapter(context_);
}

bool ArenaPlanner::HasNonPersistentMemory() {
  if (adapter_) return adapter_->HasNonPersistentMemory();
  NoAdapter(context_);
  return false;
}

void ArenaPlanner::DumpDebugInfo(const std::vector<int>& execution_plan) const {
  if (adapter_) {
    adapter_->DumpDebugInfo(execution_plan);
  } else {
    NoAdapter(context_);
  }
}

void ArenaPlanner::GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const {
  if (adapter_) {
    adapter_->GetAllocInfo(arena_size, arena_persist_size);
  } else {
    NoAdapter(context_);
  }
}

tflite_arena::Address<MemoryPlanner> ArenaPlanner::BasePointer(TfLiteAllocationType type) {
  if (adapter_) return adapter_->BasePointer(type);
  NoAdapter(context_);
  return 0;
}

}  // namespace tflite
