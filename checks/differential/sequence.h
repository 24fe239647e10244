// A graph and a sequence of calls on it, as both planners of a comparison get to see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace differential {

// TfLiteAllocationType's values.
enum Type { kMmapRo = 1, kArenaRw = 2, kPersistent = 3, kDynamic = 4, kCustom = 6 };

// TfLiteInPlaceOp's values.
constexpr uint64_t kDataUnmodified = 1;
constexpr uint64_t kCorrespondingOutput = 2;
constexpr uint64_t kInput0Shared = 4;

struct Tensor {
  size_t bytes;
  int type;

  bool InArena() const { return type == kArenaRw || type == kPersistent; }
};

// -1 stands for an optional tensor that is absent.
struct Node {
  std::vector<int> inputs, outputs, temporaries;
  uint64_t inplace = 0;
};

struct Step {
  enum Kind {
    kPlan,
    kExecute,       // nodes `first` to `last`, which then compute
    kResetAfter,    // node `first`
    kReset,
    kRelease,
    kAcquire,
    kSetBytes,      // tensor `first`
    kSetType,       // tensor `first` to type `last`
    kAddTensor,     // of type `last`
    kAddTemporary,  // to node `first` the tensor `last`
    kRun,           // no call: the nodes `first` to `last` compute once more
  };
  Kind kind;
  int first = 0;
  int last = 0;
  size_t bytes = 0;

  bool IsCall() const { return kind <= kAcquire; }
};

struct Sequence {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;
  std::vector<int> inputs, outputs, variables;
  bool preserve_inputs = true;  // a constructor's argument up to 2.6
  bool preserve_all = false;
  int alignment = 64;
  std::vector<Step> steps;
};

// What the sequence's graph looks like while the steps go by.
class Progress {
 public:
  explicit Progress(const Sequence& sequence) : tensors(sequence.tensors), nodes(sequence.nodes) {}
  // After the step has been done.
  void Take(const Sequence& sequence, const Step& step);
  // Whether the tensor should have its place: an input, a variable, or used by a node that was executed, and the same size
  // still.
  std::vector<bool> Executed(const Sequence& sequence) const;

  std::vector<Tensor> tensors;
  std::vector<Node> nodes;
  int last_executed = -1;

 private:
  template <typename Action>
  void ForEachUsed(const Sequence& sequence, int first, int last, Action action) const;

  std::set<int> changed_;  // sizes since the tensor was executed
};

// Whether the sequence is one that a runtime could make: no index beyond the graph, a plan first, and so on.
bool IsSound(const Sequence& sequence);

// Whether nodes are executed that had been.
bool ExecutesAgain(const Sequence& sequence);

// In a notation for reading, a line each for the lists, the tensors, the nodes and the steps.
std::string ToText(const Sequence& sequence);
std::string ToText(const Step& step);

}  // namespace differential
