// tflite::SimpleMemoryArena over the C ABI.
#include "arena_dumper.h"
#include "generations.h"
#include "log.h"
#include "profiler.h"
#include "report.h"
#include "runtime.h"
#include "tflite_arena.h"

namespace tflite {
namespace {

size_t CommittedSize(const TfliteArenaSimpleMemoryArena* arena) {
  size_t size = 0;
  tflite_simple_memory_arena_get_buffer_size(arena, &size);
  return size;
}

void Copy(const TfliteArenaAllocWithUsageInterval& from, ArenaAllocWithUsageInterval* to) {
  to->offset = from.offset;
  to->size = from.size;
  to->tensor = from.tensor;
  to->first_node = from.first_node;
  to->last_node = from.last_node;
}

TfliteArenaAllocWithUsageInterval ToC(const ArenaAllocWithUsageInterval& alloc) {
  return {alloc.offset, alloc.size, alloc.tensor, alloc.first_node, alloc.last_node};
}

// `list` as the C function takes it: the struct of ours in front has the same layout.
const TfliteArenaAllocWithUsageInterval* ToC(const std::vector<ArenaAllocWithUsageInterval>& list) {
  using Ours = ArenaAllocWithUsageInterval;
  using Cs = TfliteArenaAllocWithUsageInterval;
  static_assert(sizeof(Ours) == sizeof(Cs) && offsetof(Ours, offset) == offsetof(Cs, offset) &&
                    offsetof(Ours, size) == offsetof(Cs, size) && offsetof(Ours, tensor) == offsetof(Cs, tensor) &&
                    offsetof(Ours, first_node) == offsetof(Cs, first_node) &&
                    offsetof(Ours, last_node) == offsetof(Cs, last_node),
                "both are the same to the C library");
  return reinterpret_cast<const Cs*>(list.data());
}

}  // namespace

SimpleMemoryArena::SimpleMemoryArena(size_t arena_alignment, int subgraph_index, TfLiteAllocator* allocator)
    : arena_(nullptr), alignment_(arena_alignment), subgraph_index_(subgraph_index), has_buffer_(false) {
  TfliteArenaAllocator room;
  // Where it fails the handle stays null, and the C functions refuse that.
  static_cast<void>(tflite_simple_memory_arena_create(arena_alignment, subgraph_index,
                                                      tflite_arena::AllocatorOf(allocator, &room), &arena_));
}

SimpleMemoryArena::~SimpleMemoryArena() {
  ReleaseBuffer();
  tflite_simple_memory_arena_destroy(arena_);
}

TfLiteStatus SimpleMemoryArena::Allocate(TfLiteContext* context, size_t alignment, size_t size, int32_t tensor,
                                         int32_t first_node, int32_t last_node,
                                         ArenaAllocWithUsageInterval* new_alloc) {
  TfliteArenaAllocWithUsageInterval placed;
  const int32_t status = tflite_simple_memory_arena_allocate(arena_, alignment, size, tensor, first_node, last_node,
                                                             new_alloc == nullptr ? nullptr : &placed);
  if (status == TFLITE_ARENA_STATUS_OK) Copy(placed, new_alloc);
  return Finish(context, status);
}

TfLiteStatus SimpleMemoryArena::Deallocate(TfLiteContext* context, const ArenaAllocWithUsageInterval& alloc) {
  const TfliteArenaAllocWithUsageInterval given = ToC(alloc);
  return Finish(context, tflite_simple_memory_arena_deallocate(arena_, &given));
}

TfLiteStatus SimpleMemoryArena::ResolveAlloc(TfLiteContext* context, const ArenaAllocWithUsageInterval& alloc,
                                             char** output_ptr) {
  const TfliteArenaAllocWithUsageInterval given = ToC(alloc);
  void* address = nullptr;
  const int32_t status =
      tflite_simple_memory_arena_resolve_alloc(arena_, &given, output_ptr == nullptr ? nullptr : &address);
  if (status == TFLITE_ARENA_STATUS_OK) *output_ptr = static_cast<char*>(address);
  return Finish(context, status);
}

TfLiteStatus SimpleMemoryArena::Allocate(TfLiteContext* context, size_t alignment, size_t size,
                                         ArenaAlloc* new_alloc) {
  TfliteArenaAlloc placed;
  const int32_t status = tflite_simple_memory_arena_allocate_in_order(arena_, alignment, size,
                                                                      new_alloc == nullptr ? nullptr : &placed);
  if (status == TFLITE_ARENA_STATUS_OK) {
    new_alloc->offset = placed.offset;
    new_alloc->size = placed.size;
  }
  return Finish(context, status);
}

TfLiteStatus SimpleMemoryArena::Deallocate(TfLiteContext* context, const ArenaAlloc& alloc) {
  const TfliteArenaAlloc given = {alloc.offset, alloc.size};
  return Finish(context, tflite_simple_memory_arena_deallocate_in_order(arena_, &given));
}

TfLiteStatus SimpleMemoryArena::ResolveAlloc(TfLiteContext* context, const ArenaAlloc& alloc, char** output_ptr) {
  ArenaAllocWithUsageInterval with_interval;
  with_interval.offset = alloc.offset;
  with_interval.size = alloc.size;
  return ResolveAlloc(context, with_interval, output_ptr);
}

void SimpleMemoryArena::ResetAllocs() { tflite_simple_memory_arena_reset_allocs(arena_); }

void SimpleMemoryArena::PurgeActiveAllocs(int32_t node) {
  tflite_simple_memory_arena_purge_active_allocs(arena_, node);
}

void SimpleMemoryArena::PurgeAfter(int32_t node) { tflite_simple_memory_arena_purge_after(arena_, node); }

void SimpleMemoryArena::CalculateActiveAllocs(const std::vector<ArenaAllocWithUsageInterval>& allocs, int32_t node) {
  tflite_simple_memory_arena_calculate_active_allocs(arena_, ToC(allocs), allocs.size(), node);
}

TfLiteStatus SimpleMemoryArena::Commit(bool* arena_reallocated) { return Commit(nullptr, arena_reallocated); }

TfLiteStatus SimpleMemoryArena::Commit(TfLiteContext* context, bool* arena_reallocated) {
  if (arena_reallocated == nullptr) return Finish(context, TFLITE_ARENA_STATUS_NULL_POINTER);
  *arena_reallocated = false;
  const size_t old_size = CommittedSize(arena_);
  const int32_t status = tflite_simple_memory_arena_commit(arena_, arena_reallocated);
  if (status == TFLITE_ARENA_STATUS_OK) {
    // Buffers with bytes to spare were made for no bytes too.
    if (!has_buffer_ && tflite_arena::ReportedPadding(alignment_) > 0) *arena_reallocated = true;
    has_buffer_ = true;
    tflite_arena::TellProfiler(subgraph_index_, this, old_size, CommittedSize(arena_));
  }
  return Finish(context, status);
}

TfLiteStatus SimpleMemoryArena::Commit(TfLiteContext* context) {
  bool reallocated;
  return Commit(context, &reallocated);
}

TfLiteStatus SimpleMemoryArena::ClearPlan() {
  return Finish(nullptr, tflite_simple_memory_arena_clear_plan(arena_));
}

TfLiteStatus SimpleMemoryArena::ReleaseBuffer() {
  tflite_arena::TellProfiler(subgraph_index_, this, CommittedSize(arena_), 0);
  has_buffer_ = false;
  return Finish(nullptr, tflite_simple_memory_arena_release_buffer(arena_));
}

size_t SimpleMemoryArena::GetBufferSize() const {
  return CommittedSize(arena_) + (has_buffer_ ? tflite_arena::ReportedPadding(alignment_) : 0);
}

size_t SimpleMemoryArena::RequiredBufferSize() const {
  size_t bytes = 0;
  tflite_simple_memory_arena_required_buffer_size(arena_, &bytes);
  return bytes;
}

intptr_t SimpleMemoryArena::BasePointer() const {
  intptr_t base = 0;
  tflite_simple_memory_arena_base_pointer(arena_, &base);
  return base;
}

void SimpleMemoryArena::DumpDebugInfo(const std::string& name, const std::vector<int>& execution_plan) const {
  if (DumpArenaInfo != nullptr) {
    std::vector<ArenaAllocWithUsageInterval> allocs;
    TfliteArenaAllocWithUsageInterval active;
    while (tflite_simple_memory_arena_get_active_alloc(arena_, allocs.size(), &active) == TFLITE_ARENA_STATUS_OK) {
      allocs.emplace_back();
      Copy(active, &allocs.back());
    }
    DumpArenaInfo(name, execution_plan, GetBufferSize(), allocs);
    return;
  }
  tflite_simple_memory_arena_dump_debug_info(arena_, name.c_str(), execution_plan.data(), execution_plan.size(),
                                             tflite_arena::PrintText, nullptr);
}

TfLiteStatus SimpleMemoryArena::Finish(TfLiteContext* context, int32_t status) const {
  if (status == TFLITE_ARENA_STATUS_OK) return kTfLiteOk;
  const char* text = arena_ == nullptr ? "tflite-arena: the arena could not be created: out of memory, or an alignment "
                                         "that is not a power of two"
                                       : tflite_simple_memory_arena_last_error(arena_);
  tflite_arena::ReportError(context, text);
  return kTfLiteError;
}

}  // namespace tflite
