// What differs between the generations of the runtime's classes, each as one function with a body for each way it was.
//
// Bodies are tried from First to Third: the first one that compiles against the headers at hand is taken.
#ifndef TFLITE_ARENA_CPP_GENERATIONS_H_
#define TFLITE_ARENA_CPP_GENERATIONS_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "tflite_arena.h"
#include "tflite_arena/generation.h"

namespace tflite_arena {
namespace generations {

struct Third {};
struct Second : Third {};
struct First : Second {};

template <typename Graph>
auto NumNodes(const Graph& graph, First) -> decltype(graph.num_execution_nodes()) {
  return graph.num_execution_nodes();
}
// Up to 2.6 at the latest.
template <typename Graph>
auto NumNodes(const Graph& graph, Second) -> decltype(graph.num_nodes()) {
  return graph.num_nodes();
}

template <typename Graph>
auto Tensors(Graph* graph, First) -> decltype(graph->tensors()) {
  return graph->tensors();
}
// Up to 2.10 they were given one by one, but lay side by side. Null where they do not.
template <typename Graph>
auto Tensors(Graph* graph, Second) -> decltype(graph->tensor(0)) {
  const size_t count = graph->num_tensors();
  if (count == 0) return nullptr;
  TfLiteTensor* const base = graph->tensor(0);
  return graph->tensor(count - 1) == base + (count - 1) ? base : nullptr;
}

template <typename Graph>
auto InplaceOperator(const Graph& graph, size_t index, First)
    -> decltype(uint64_t{graph.registration(index).inplace_operator}) {
  return graph.registration(index).inplace_operator;
}
// 2.12 and 2.13 knew four operators that leave the data of input 0 as it is.
template <typename Graph>
auto InplaceOperator(const Graph& graph, size_t index, Second)
    -> decltype(graph.registration(index).builtin_code, uint64_t()) {
  constexpr int kReshape = 22, kSqueeze = 43, kExpandDims = 70, kBitcast = 159;
  switch (graph.registration(index).builtin_code) {
    case kReshape:
    case kSqueeze:
    case kExpandDims:
    case kBitcast:
      return uint64_t(TFLITE_ARENA_INPLACE_DATA_UNMODIFIED) | uint64_t(TFLITE_ARENA_INPLACE_INPUT0_SHARED);
    default:
      return TFLITE_ARENA_INPLACE_NONE;
  }
}
// Before, nothing was shared.
template <typename Graph>
uint64_t InplaceOperator(const Graph&, size_t, Third) {
  return TFLITE_ARENA_INPLACE_NONE;
}

// What a node's registration says of its operator.
struct Operator {
  bool known;
  int32_t builtin_code;
  const char* custom_name;  // of a custom operator or a delegate, else null
};

template <typename Graph>
auto OperatorOf(const Graph& graph, size_t index, First) -> decltype(graph.registration(index).custom_name, Operator()) {
  const auto& registration = graph.registration(index);
  return {true, registration.builtin_code, registration.custom_name};
}
// Up to 2.11 planners were not shown it.
template <typename Graph>
Operator OperatorOf(const Graph&, size_t, Second) {
  return {false, 0, nullptr};
}

template <typename Allocator>
auto CopyAllocator(const Allocator* from, TfliteArenaAllocator* to, First) -> decltype(from->reallocate, void()) {
  *to = {from->data, from->allocate, from->reallocate, from->deallocate};
}
// Up to LiteRT 2.1 there is no such type, and so no object of it.
template <typename Allocator>
void CopyAllocator(const Allocator*, TfliteArenaAllocator*, Second) {}

}  // namespace generations

inline size_t NumNodesOf(const tflite::GraphInfo& graph_info) {
  return generations::NumNodes(graph_info, generations::First());
}

// Null where there are none, and where they do not lie in one array.
inline TfLiteTensor* TensorsOf(tflite::GraphInfo* graph_info) {
  return generations::Tensors(graph_info, generations::First());
}

inline uint64_t InplaceOperatorOf(const tflite::GraphInfo& graph_info, size_t index) {
  return generations::InplaceOperator(graph_info, index, generations::First());
}

using generations::Operator;
inline Operator OperatorOf(const tflite::GraphInfo& graph_info, size_t index) {
  return generations::OperatorOf(graph_info, index, generations::First());
}

// `room`, filled in; null for none.
inline const TfliteArenaAllocator* AllocatorOf(const TfLiteAllocator* allocator, TfliteArenaAllocator* room) {
  if (allocator == nullptr) return nullptr;
  *room = {};
  generations::CopyAllocator(allocator, room, generations::First());
  return room;
}

// Up to 2.1 runtimes plan again from the first node in mid-run, and count on the nodes before it keeping their places. The
// in-order strategy alone promises that.
constexpr bool kPlansAgainInMidRun = !Has_ResetAllocationsAfter<tflite::MemoryPlanner>::value;

// From 2.2 to 2.10 an execution placed the tensors of its range anew.
constexpr bool kPlacesRangesAnew = !kPlansAgainInMidRun && !Has_tensors<tflite::GraphInfo>::value;

// Up to 2.15 a buffer had, and was reported with, room for aligning its address and as much again.
#if defined(TF_MAJOR_VERSION) && defined(TF_MINOR_VERSION)
constexpr bool kIsBefore216 = TF_MAJOR_VERSION < 2 || (TF_MAJOR_VERSION == 2 && TF_MINOR_VERSION < 16);
#else
constexpr bool kIsBefore216 = !Has_inplace_operator<TfLiteRegistration>::value;
#endif
constexpr size_t ReportedPadding(size_t alignment) { return kIsBefore216 ? 2 * alignment : 0; }

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_GENERATIONS_H_
