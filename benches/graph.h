// The graphs that are planned, in TFLite's own structs, so that both planners read the very same memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tensorflow/lite/c/common.h"

namespace bench {

enum class Kind {
  kShortSkips,  // a chain in which each node also reads a tensor up to 8 back
  kWideSkips,   // the same with skips up to a tenth of the graph
  kReadsAll,    // kShortSkips, then one node that reads every tensor
  kRandomDag,   // each node reads up to three tensors from anywhere before it
  kDynamic,     // kShortSkips, planned ten nodes at a time with a rewind before each ten
};

struct KindName {
  Kind kind;
  const char* name;
};

inline constexpr KindName kKinds[] = {
    {Kind::kShortSkips, "skips up to 8"},   {Kind::kWideSkips, "skips up to N/10"},
    {Kind::kReadsAll, "one node reads all"}, {Kind::kRandomDag, "random DAG"},
    {Kind::kDynamic, "dynamic, rewinds"},
};

// A graph of `num_tensors` tensors, one graph input, one output a node. Every tensor has a first node of its own, so no two
// tie in the planner's order and both planners have one plan to come to.
class Graph {
 public:
  Graph(Kind kind, int num_tensors);

  std::vector<TfLiteTensor> tensors;
  std::vector<TfLiteNode> nodes;
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<int> variables;

 private:
  struct Free {
    void operator()(TfLiteIntArray* array) const;
  };

  void AddTensor();
  void AddNode(const std::vector<int>& reads, int writes);
  TfLiteIntArray* Keep(const std::vector<int>& values);

  std::vector<std::unique_ptr<TfLiteIntArray, Free>> lists_;
  uint64_t random_state_;
  uint64_t Random();
};

}  // namespace bench
