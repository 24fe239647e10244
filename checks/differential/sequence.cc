#include "sequence.h"

#include <algorithm>
#include <set>

namespace differential {
namespace {

std::string Join(const std::vector<int>& list) {
  std::string text;
  for (const int tensor : list) {
    if (!text.empty()) text += ' ';
    text += tensor < 0 ? "_" : std::to_string(tensor);
  }
  return text;
}

std::string TypeName(int type) {
  switch (type) {
    case kArenaRw: return "";
    case kPersistent: return " persistent";
    case kMmapRo: return " const";
    case kDynamic: return " dynamic";
    case kCustom: return " custom";
    default: return " type " + std::to_string(type);
  }
}

// The planned tensors that anything names.
std::set<int> Named(const Sequence& sequence) {
  std::set<int> named;
  const auto add = [&](const std::vector<int>& list) { named.insert(list.begin(), list.end()); };
  add(sequence.inputs);
  add(sequence.outputs);
  add(sequence.variables);
  for (const Node& node : sequence.nodes) {
    add(node.inputs);
    add(node.outputs);
    add(node.temporaries);
  }
  for (const Step& step : sequence.steps) {
    if (step.kind == Step::kSetBytes || step.kind == Step::kSetType) named.insert(step.first);
    if (step.kind == Step::kAddTemporary) named.insert(step.last);
  }
  named.erase(-1);
  named.erase(named.lower_bound(static_cast<int>(sequence.tensors.size())), named.end());
  return named;
}

}  // namespace

template <typename Action>
void Progress::ForEachUsed(const Sequence& sequence, int first, int last, Action action) const {
  const auto each = [&](const std::vector<int>& list) {
    for (const int tensor : list) {
      if (tensor >= 0) action(tensor);
    }
  };
  if (first == 0) {
    each(sequence.inputs);
    each(sequence.variables);
  }
  for (int node = first; node <= last && node < static_cast<int>(nodes.size()); ++node) {
    each(nodes[static_cast<size_t>(node)].outputs);
    each(nodes[static_cast<size_t>(node)].temporaries);
  }
}

void Progress::Take(const Sequence& sequence, const Step& step) {
  switch (step.kind) {
    case Step::kPlan:
    case Step::kReset: last_executed = -1; break;
    case Step::kExecute:
      last_executed = std::max(last_executed, std::min(step.last, std::max(0, static_cast<int>(nodes.size()) - 1)));
      ForEachUsed(sequence, step.first, step.last, [&](int tensor) { changed_.erase(tensor); });
      break;
    case Step::kResetAfter: last_executed = std::min(last_executed, step.first); break;
    case Step::kSetBytes:
      tensors[static_cast<size_t>(step.first)].bytes = step.bytes;
      changed_.insert(step.first);
      break;
    case Step::kSetType: tensors[static_cast<size_t>(step.first)].type = step.last; break;
    case Step::kAddTensor: tensors.push_back({step.bytes, step.last}); break;
    case Step::kAddTemporary: nodes[static_cast<size_t>(step.first)].temporaries.push_back(step.last); break;
    case Step::kRelease:
    case Step::kAcquire:
    case Step::kRun: break;
  }
}

std::vector<bool> Progress::Executed(const Sequence& sequence) const {
  std::vector<bool> executed(tensors.size());
  if (last_executed < 0) return executed;
  ForEachUsed(sequence, 0, last_executed, [&](int tensor) { executed[static_cast<size_t>(tensor)] = true; });
  for (const int tensor : changed_) executed[static_cast<size_t>(tensor)] = false;
  return executed;
}

bool IsSound(const Sequence& sequence) {
  if (sequence.steps.empty() || sequence.steps[0].kind != Step::kPlan) return false;
  for (const Node& node : sequence.nodes) {
    if (node.inplace == 0) continue;
    // Upstream takes output 0 of a node that may share for granted, and input 0 of one that leaves its data as it is.
    if (node.outputs.empty() || node.outputs[0] < 0 || node.inputs.empty()) return false;
    if ((node.inplace & kDataUnmodified) != 0 && node.inputs[0] < 0) return false;
  }
  const int num_nodes = static_cast<int>(sequence.nodes.size());
  int num_tensors = static_cast<int>(sequence.tensors.size());
  int last_executed = -1;
  bool has_unplanned = false;  // tensors that no plan and no execution has seen
  for (const Step& step : sequence.steps) {
    switch (step.kind) {
      case Step::kAddTensor:
        ++num_tensors;
        has_unplanned = true;
        break;
      case Step::kAddTemporary:
        if (step.last >= num_tensors || step.first >= num_nodes) return false;
        break;
      case Step::kSetBytes:
      case Step::kSetType:
        if (step.first >= num_tensors) return false;
        break;
      case Step::kExecute:
        // Runtimes go on where they were, or begin again.
        if (step.first > last_executed + 1 || step.first > std::max(0, num_nodes - 1)) return false;
        last_executed = std::max(last_executed, std::min(step.last, std::max(0, num_nodes - 1)));
        has_unplanned = false;
        break;
      case Step::kPlan:
        last_executed = -1;
        has_unplanned = false;
        break;
      case Step::kReset: last_executed = -1; break;
      // Upstream walks all tensors in these without looking how many it knows.
      case Step::kAcquire:
      case Step::kRelease:
        if (has_unplanned) return false;
        break;
      case Step::kResetAfter:
        if (has_unplanned) return false;
        last_executed = std::min(last_executed, step.first);
        break;
      default: break;
    }
  }
  return true;
}

bool ExecutesAgain(const Sequence& sequence) {
  Progress progress(sequence);
  for (const Step& step : sequence.steps) {
    if (step.kind == Step::kExecute && step.first <= progress.last_executed) return true;
    progress.Take(sequence, step);
  }
  return false;
}

std::string ToText(const Step& step) {
  const std::string first = std::to_string(step.first), last = std::to_string(step.last);
  const std::string bytes = std::to_string(step.bytes);
  switch (step.kind) {
    case Step::kPlan: return "Plan";
    case Step::kExecute: return "Execute(" + first + "," + last + ")";
    case Step::kResetAfter: return "ResetAfter(" + first + ")";
    case Step::kReset: return "Reset";
    case Step::kRelease: return "Release";
    case Step::kAcquire: return "Acquire";
    case Step::kSetBytes: return first + ":" + bytes;
    case Step::kSetType: return first + " becomes" + (step.last == kArenaRw ? " normal" : TypeName(step.last));
    case Step::kAddTensor: return "add a tensor:" + bytes + TypeName(step.last);
    case Step::kAddTemporary: return "node " + first + " tmp " + last;
    case Step::kRun: return "run " + first + "-" + last;
  }
  return "?";
}

std::string ToText(const Sequence& sequence) {
  std::string text = "  alignment " + std::to_string(sequence.alignment);
  if (!sequence.preserve_inputs) text += ", inputs not preserved";
  if (sequence.preserve_all) text += ", all preserved";
  text += "; in " + Join(sequence.inputs) + "; out " + Join(sequence.outputs) + "; variables " + Join(sequence.variables);
  text += "\n  tensors";
  const char* between = " ";
  for (const int tensor : Named(sequence)) {
    const Tensor& its = sequence.tensors[static_cast<size_t>(tensor)];
    text += between + std::to_string(tensor) + ":" + std::to_string(its.bytes) + TypeName(its.type);
    between = ", ";
  }
  for (size_t i = 0; i < sequence.nodes.size(); ++i) {
    const Node& node = sequence.nodes[i];
    text += "\n  node " + std::to_string(i) + ": " + Join(node.inputs) + " -> " + Join(node.outputs);
    if (node.inplace != 0) text += " in place " + std::to_string(node.inplace);
    if (!node.temporaries.empty()) text += " tmp " + Join(node.temporaries);
  }
  text += "\n  steps";
  for (size_t i = 0; i < sequence.steps.size(); ++i) text += (i == 0 ? " " : "; ") + ToText(sequence.steps[i]);
  return text + "\n";
}

}  // namespace differential
