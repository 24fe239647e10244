#include "explain.h"

#include <algorithm>
#include <set>

namespace differential {
namespace {

// What the rules below ask about a sequence, up to the difference.
class Facts {
 public:
  Facts(const Sequence& sequence, size_t last_step) : sequence_(sequence), last_step_(last_step) {}

  bool IsWrittenTwice() const {
    std::set<int> written;
    for (const Node& node : sequence_.nodes) {
      for (const int tensor : node.outputs) {
        if (tensor >= 0 && !written.insert(tensor).second) return true;
      }
    }
    return false;
  }

  bool WorksInPlace() const {
    return std::any_of(sequence_.nodes.begin(), sequence_.nodes.end(), [](const Node& node) { return node.inplace != 0; });
  }

  // Nodes that are the first to need no tensor, and the last to read none.
  bool HasIdleNodes() const {
    std::set<int> written(sequence_.inputs.begin(), sequence_.inputs.end());
    for (size_t node = 0; node < sequence_.nodes.size(); ++node) {
      const std::vector<int>& outputs = sequence_.nodes[node].outputs;
      const std::vector<int>& inputs = sequence_.nodes[node].inputs;
      // The first node begins the graph's inputs and variables too.
      const bool begins = std::any_of(outputs.begin(), outputs.end(), [&](int tensor) { return written.count(tensor) == 0; }) ||
                          (node == 0 && sequence_.inputs.size() + sequence_.variables.size() > 0);
      const bool ends = std::any_of(inputs.begin(), inputs.end(), [&](int tensor) { return EndsAt(tensor, node); });
      if (!begins && !ends) return true;
      written.insert(outputs.begin(), outputs.end());
    }
    return false;
  }

  int Count(Step::Kind kind) const {
    return static_cast<int>(std::count_if(sequence_.steps.begin(), End(), [&](const Step& step) { return step.kind == kind; }));
  }

  bool ExecutesAgain() const {
    Sequence part = sequence_;
    part.steps.assign(sequence_.steps.begin(), End());
    return differential::ExecutesAgain(part);
  }

  // Whether the last step executes the first node again, and with it the tensors that no node writes.
  bool ExecutesInputsAgain() const {
    const Step& step = sequence_.steps[last_step_];
    const bool has_inputs = !sequence_.inputs.empty() || !sequence_.variables.empty();
    return has_inputs && step.kind == Step::kExecute && step.first == 0 && ExecutesAgain();
  }

  bool HasPersistent() const {
    Progress progress(sequence_);
    for (auto step = sequence_.steps.begin(); step != End(); ++step) progress.Take(sequence_, *step);
    return std::any_of(progress.tensors.begin(), progress.tensors.end(),
                       [](const Tensor& tensor) { return tensor.type == kPersistent && tensor.bytes > 0; });
  }

  // Whether tensors that may lie on the same bytes as far as flags go may not by their size or type, at a call of this kind.
  bool PartsAliases(Step::Kind call) const {
    Progress progress(sequence_);
    for (auto step = sequence_.steps.begin(); step != End(); ++step) {
      progress.Take(sequence_, *step);
      if (step->kind != call) continue;
      for (const Node& node : sequence_.nodes) {
        if (node.inplace != 0 && PartsAlias(progress, node)) return true;
      }
    }
    return false;
  }

  bool HasOddFlags() const {
    return std::any_of(sequence_.nodes.begin(), sequence_.nodes.end(), [](const Node& node) {
      const bool not_input_0 = (node.inplace & ~(kDataUnmodified | kCorrespondingOutput | kInput0Shared)) != 0;
      return (node.inplace & (kDataUnmodified | kCorrespondingOutput)) != 0 && not_input_0;
    });
  }

  bool AliasesVariables() const {
    return WorksInPlaceOn([&](int tensor) {
      return std::count(sequence_.variables.begin(), sequence_.variables.end(), tensor) > 0;
    });
  }
  bool AliasesPersistent() const {
    return WorksInPlaceOn(
        [&](int tensor) { return tensor >= 0 && sequence_.tensors[static_cast<size_t>(tensor)].type == kPersistent; });
  }

 private:
  std::vector<Step>::const_iterator End() const {
    return sequence_.steps.begin() + static_cast<ptrdiff_t>(last_step_) + 1;
  }

  // Whether the tensor is freed after this node, if all of its readers count.
  bool EndsAt(int tensor, size_t node) const {
    const auto has = [&](const std::vector<int>& list) { return std::count(list.begin(), list.end(), tensor) > 0; };
    if (tensor < 0 || sequence_.preserve_all || has(sequence_.outputs) || has(sequence_.variables)) return false;
    if (has(sequence_.inputs) && sequence_.preserve_inputs) return false;
    bool begins = has(sequence_.inputs);
    for (size_t later = 0; later < sequence_.nodes.size(); ++later) {
      begins = begins || has(sequence_.nodes[later].outputs);
      if (later > node && has(sequence_.nodes[later].inputs)) return false;
    }
    return begins;
  }

  template <typename Predicate>
  bool WorksInPlaceOn(Predicate is_meant) const {
    return std::any_of(sequence_.nodes.begin(), sequence_.nodes.end(), [&](const Node& node) {
      return node.inplace != 0 && std::any_of(node.inputs.begin(), node.inputs.end(), is_meant);
    });
  }

  static bool PartsAlias(const Progress& progress, const Node& node) {
    const Tensor& output = progress.tensors[static_cast<size_t>(node.outputs[0])];
    for (size_t input = 0; input < node.inputs.size() && input < 3; ++input) {
      if (node.inputs[input] < 0 || (node.inplace & (kInput0Shared << input)) == 0) continue;
      const Tensor& its = progress.tensors[static_cast<size_t>(node.inputs[input])];
      if (its.bytes != output.bytes || its.type != output.type || !its.InArena()) return true;
    }
    return false;
  }

  const Sequence& sequence_;
  const size_t last_step_;
};

}  // namespace

const char* Name(Difference::What what) {
  switch (what) {
    case Difference::kNone: return "none";
    case Difference::kOursRefuses: return "ours refuses";
    case Difference::kOursAccepts: return "upstream refuses";
    case Difference::kMemory: return "only one has memory";
    case Difference::kPlaces: return "places";
    case Difference::kSizes: return "sizes";
  }
  return "?";
}

std::string Explain(const std::string& version, const Sequence& sequence, const Difference& difference) {
  const int generation = kGeneration;
  const Facts facts(sequence, difference.step);
  if (generation == 1 && facts.HasIdleNodes()) {
    return "temporaries have their place at nodes that neither begin nor end a tensor";
  }
  // What follows is about places alone, and the sizes that come of them.
  if (difference.what != Difference::kPlaces && difference.what != Difference::kSizes) return "";
  if (facts.IsWrittenTwice()) return "a tensor that several nodes write is kept for all of them";
  if (generation <= 3 && sequence.preserve_all) return "temporaries are preserved too, where all is";
  if ((generation == 7 || generation == 8) && sequence.preserve_all && facts.WorksInPlace()) {
    return "nothing is shared where all is preserved";
  }
  // 2.13 keeps them, also where the bytes do not suffice, and looks at no type when it plans.
  if (generation == 7 && (facts.PartsAliases(Step::kPlan) || facts.PartsAliases(Step::kExecute))) {
    return "aliases of another size or type are dropped";
  }
  if (generation == 7 && facts.AliasesPersistent()) return "persistent tensors are not aliased";
  if (generation == 3 && facts.ExecutesAgain() && facts.HasPersistent()) {
    return "persistent tensors that are executed again keep their place";
  }
  if (generation >= 3 && generation <= 5 && facts.ExecutesInputsAgain()) {
    return "inputs and variables that are executed again keep their place";
  }
  if (generation >= 6 && facts.ExecutesAgain()) return "what is executed again keeps its place";
  if (generation >= 6 && facts.Count(Step::kResetAfter) > 0 && facts.HasPersistent()) {
    return "rewinding does not count persistent tensors into the other arena";
  }
  if (facts.PartsAliases(Step::kExecute)) return "lifetimes are worked out again where aliases are dropped at execution";
  if (facts.HasOddFlags()) return "in-place flags that no operator has";
  if (facts.AliasesVariables()) return "variables are not aliased where later nodes read them";
  if (version == "2.14.0" && facts.Count(Step::kPlan) > 1) return "planning again frees what planning freed";
  return "";
}

}  // namespace differential
