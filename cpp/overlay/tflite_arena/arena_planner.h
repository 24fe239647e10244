// tflite::ArenaPlanner, ours under upstream's name. Included by arena_planner.h of either path prefix, behind the runtime's own
// memory_planner.h and graph_info.h.
#ifndef TFLITE_ARENA_OVERLAY_ARENA_PLANNER_H_
#define TFLITE_ARENA_OVERLAY_ARENA_PLANNER_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <type_traits>
#include <vector>

#include "tflite_arena/generation.h"

struct TfLiteAllocator;  // in the runtime's headers from LiteRT 2.2

namespace tflite_arena {

class Adapter;
struct Construction;

// Takes the place of a type where a constructor is not of this generation, so that no call can mean it.
class NotInThisGeneration {
 public:
  operator int() const { return 0; }

 private:
  NotInThisGeneration();
};

// Up to 2.6 the constructor was told whether to keep the graph's inputs.
template <typename Planner, typename Type>
using UpTo26 = typename std::conditional<Has_DumpDebugInfo<Planner>::value, NotInThisGeneration, Type>::type;
template <typename Planner, typename Type>
using From27 = typename std::conditional<Has_DumpDebugInfo<Planner>::value, Type, NotInThisGeneration>::type;

// What BasePointer returned before there was ReleaseNonPersistentMemory is not as wide as a pointer everywhere.
template <typename Planner>
using Address =
    typename std::conditional<Has_ReleaseNonPersistentMemory<Planner>::value, intptr_t, int64_t>::type;

// Where the runtime's util.h has a constant of this name too, as from 2.7, that one hides this.
constexpr int kDefaultTensorAlignment = 64;
namespace defaults {
using tflite_arena::kDefaultTensorAlignment;
}

}  // namespace tflite_arena

namespace tflite {

constexpr const int kDefaultArenaAlignment = 64;
using namespace ::tflite_arena::defaults;

// A vtable pointer, the context to report to and a handle. Its virtual functions are those that this generation's MemoryPlanner
// has, in its order: none says `override`, as none is there in all of them.
//
// Callers allocate the object, some of them with the (larger) size that upstream's class has, so nothing here may depend on the
// size at deletion.
class ArenaPlanner : public MemoryPlanner {
 public:
  // All of them take over `graph_info`, and report to `context`, which must outlive the planner. Where one fails, each later
  // call reports why and returns kTfLiteError. `allocator` must outlive the planner too; null is malloc.
  ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_inputs,
               tflite_arena::UpTo26<MemoryPlanner, bool> preserve_all_tensors,
               int tensor_alignment = tflite_arena::kDefaultTensorAlignment);
  ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
               tflite_arena::From27<MemoryPlanner, int> tensor_alignment);
  ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
               tflite_arena::From27<MemoryPlanner, int> tensor_alignment, int subgraph_index);
  ArenaPlanner(TfLiteContext* context, std::unique_ptr<GraphInfo> graph_info, bool preserve_all_tensors,
               tflite_arena::From27<MemoryPlanner, int> tensor_alignment, int subgraph_index,
               TfLiteAllocator* allocator);
  ~ArenaPlanner();
  ArenaPlanner(const ArenaPlanner&) = delete;
  ArenaPlanner& operator=(const ArenaPlanner&) = delete;

  TfLiteStatus PlanAllocations();
  TfLiteStatus ExecuteAllocations(int first_node, int last_node);
  TfLiteStatus ResetAllocations();
  TfLiteStatus ResetAllocationsAfter(int node);
  TfLiteStatus ReleaseNonPersistentMemory();
  TfLiteStatus AcquireNonPersistentMemory();
  bool HasNonPersistentMemory();
  void DumpDebugInfo(const std::vector<int>& execution_plan) const;
  void GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const;

  // The address where the arena of this type begins; 0 for any other type, and where nothing is committed.
  tflite_arena::Address<MemoryPlanner> BasePointer(TfLiteAllocationType type);

 private:
  void Construct(const tflite_arena::Construction& construction);

  TfLiteContext* context_;
  tflite_arena::Adapter* adapter_;  // null: there was no memory for it
};

}  // namespace tflite

#endif  // TFLITE_ARENA_OVERLAY_ARENA_PLANNER_H_
