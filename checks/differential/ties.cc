#include "ties.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace differential {
namespace {

size_t CountOf(const std::vector<int>& list, int tensor) {
  return static_cast<size_t>(std::count(list.begin(), list.end(), tensor));
}

// The first node that each tensor is needed at; those that live from beginning to end, and so tie with none, are left out.
std::map<int, int> FirstNodes(const Sequence& sequence) {
  std::map<int, int> first;
  std::set<int> whole(sequence.variables.begin(), sequence.variables.end());
  for (const int tensor : sequence.inputs) {
    if (sequence.preserve_inputs) {
      whole.insert(tensor);
    } else if (tensor >= 0) {
      first.emplace(tensor, 0);
    }
  }
  for (size_t node = 0; node < sequence.nodes.size(); ++node) {
    for (const int tensor : sequence.nodes[node].outputs) {
      if (tensor >= 0) first.emplace(tensor, static_cast<int>(node));
    }
    for (const int tensor : sequence.nodes[node].temporaries) first[tensor] = static_cast<int>(node);
  }
  for (const int tensor : whole) first.erase(tensor);
  return first;
}

bool Changes(const Sequence& sequence, int tensor) {
  return std::any_of(sequence.steps.begin(), sequence.steps.end(), [&](const Step& step) {
    const bool changes = step.kind == Step::kSetBytes || step.kind == Step::kSetType;
    return (changes && step.first == tensor) || (step.kind == Step::kAddTemporary && step.last == tensor);
  });
}

// Whether the graph stays the same when the two change places.
bool AreAlike(const Sequence& sequence, int one, int other) {
  if (Changes(sequence, one) || Changes(sequence, other)) return false;
  const auto same = [&](const std::vector<int>& list) { return CountOf(list, one) == CountOf(list, other); };
  if (!same(sequence.inputs) || !same(sequence.outputs) || !same(sequence.variables)) return false;
  for (const Node& node : sequence.nodes) {
    if (!same(node.inputs) || !same(node.outputs) || !same(node.temporaries)) return false;
    // Which input or output a tensor is tells them apart.
    if (node.inplace != 0 && CountOf(node.inputs, one) + CountOf(node.outputs, one) > 0) return false;
  }
  return true;
}

}  // namespace

Ties::Ties(const Sequence& sequence) {
  std::map<int, int> first = FirstNodes(sequence);
  Progress progress(sequence);
  std::set<std::pair<int, int>> tied;
  const auto look = [&] {
    std::map<std::tuple<int, size_t, int>, int> seen;
    for (const auto& [tensor, node] : first) {
      if (static_cast<size_t>(tensor) >= progress.tensors.size()) continue;
      const Tensor& its = progress.tensors[static_cast<size_t>(tensor)];
      if (!its.InArena() || its.bytes == 0) continue;
      const auto place = seen.emplace(std::make_tuple(its.type, its.bytes, node), tensor);
      if (!place.second) tied.insert({place.first->second, tensor});
    }
  };
  look();
  for (const Step& step : sequence.steps) {
    progress.Take(sequence, step);
    if (step.kind == Step::kAddTemporary) first[step.last] = step.first;
    if (!step.IsCall()) look();
  }
  std::map<int, std::vector<int>> groups;  // by the first of them
  for (const auto& [one, other] : tied) {
    are_all_alike_ = are_all_alike_ && AreAlike(sequence, one, other);
    std::vector<int>& group = groups[one];
    if (group.empty()) group.push_back(one);
    group.push_back(other);
  }
  for (const auto& group : groups) groups_.push_back(group.second);
}

void Ties::BringInOrder(Trace* trace) const {
  for (Snapshot& snapshot : trace->snapshots) {
    for (const std::vector<int>& group : groups_) {
      std::vector<Place> places;
      for (const int tensor : group) places.push_back(snapshot.places[static_cast<size_t>(tensor)]);
      std::sort(places.begin(), places.end(), [](const Place& one, const Place& other) {
        return std::tie(one.where, one.offset) < std::tie(other.where, other.offset);
      });
      for (size_t i = 0; i < group.size(); ++i) snapshot.places[static_cast<size_t>(group[i])] = places[i];
    }
  }
}

}  // namespace differential
