#include "shadow.h"

#include <algorithm>

namespace differential {
namespace {

bool Contains(const std::vector<int>& list, int tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

}  // namespace

bool Shadow::InArena(int tensor) const {
  return tensor >= 0 && progress_.tensors[static_cast<size_t>(tensor)].InArena() && Bytes(tensor) > 0;
}

bool Shadow::IsVariable(int tensor) const {
  return Contains(sequence_.variables, tensor) && !Contains(sequence_.inputs, tensor);
}

void Shadow::Fail(const std::string& fault, int tensor, const std::string& who) {
  if (!fault_.empty()) return;
  fault_ = fault;
  fault_detail_ = who + ", tensor " + std::to_string(tensor) + " of " + std::to_string(Bytes(tensor)) + " bytes at " +
                  ToText(side_.PlaceOf(tensor));
}

Shadow::Value* Shadow::BytesOf(int tensor, const std::string& who) {
  const Place place = side_.PlaceOf(tensor);
  const bool persistent = progress_.tensors[static_cast<size_t>(tensor)].type == kPersistent;
  if (place.where != (persistent ? Place::kPersistentArena : Place::kArena)) {
    Fail("a tensor has no place", tensor, who);
    return nullptr;
  }
  if (persistent && kept_at_.emplace(tensor, place).first->second != place) {
    Fail("a persistent tensor moved", tensor, who);
    return nullptr;
  }
  Sizes sizes;
  side_.GetSizes(&sizes);
  const size_t end = place.offset + Bytes(tensor);
  if (end > (persistent ? sizes.persistent : sizes.arena)) {
    Fail("a tensor ends outside its arena", tensor, who);
    return nullptr;
  }
  std::vector<Value>& memory = persistent ? persistent_ : arena_;
  if (memory.size() < end) memory.resize(end, 0);
  return memory.data() + place.offset;
}

void Shadow::Write(int tensor, Value value, const std::string& who) {
  if (!InArena(tensor)) return;
  values_[tensor] = value;
  Value* const bytes = BytesOf(tensor, who);
  if (bytes != nullptr) std::fill_n(bytes, Bytes(tensor), value);
}

void Shadow::Demand(int tensor, const std::string& what, const std::string& who) {
  if (!InArena(tensor)) return;
  const auto value = values_.find(tensor);
  if (value == values_.end()) return;  // nobody wrote it: the graph says so
  const Value* const bytes = BytesOf(tensor, who);
  if (bytes == nullptr) return;
  if (std::any_of(bytes, bytes + Bytes(tensor), [&](Value byte) { return byte != value->second; })) {
    Fail(what + " is overwritten", tensor, who);
  }
}

bool Shadow::InPlace(const Node& node, size_t output, size_t input) const {
  if (input > 2 || (node.inplace & (kInput0Shared << input)) == 0) return false;
  if (output != ((node.inplace & kCorrespondingOutput) != 0 ? input : 0)) return false;
  const int from = node.inputs[input], to = node.outputs[output];
  if (!InArena(from) || !InArena(to) || from == to || Bytes(to) > Bytes(from)) return false;
  const Place place = side_.PlaceOf(to);
  return place.InArena() && place == side_.PlaceOf(from);
}

void Shadow::RunNode(int index) {
  const std::string who = "node " + std::to_string(index);
  const Node& node = progress_.nodes[static_cast<size_t>(index)];
  for (const int tensor : node.temporaries) {
    // It was made to last from run to run.
    if (InArena(tensor) && progress_.tensors[static_cast<size_t>(tensor)].type == kPersistent) {
      Demand(tensor, "a persistent temporary", who);
    }
    Write(tensor, ++last_value_, who);
  }
  std::map<size_t, size_t> on_input;  // the input that an output lawfully lies on
  for (size_t output = 0; output < node.outputs.size(); ++output) {
    for (size_t input = 0; input < node.inputs.size(); ++input) {
      if (InPlace(node, output, input)) {
        on_input.emplace(output, input);
        break;
      }
    }
  }
  for (size_t output = 0; output < node.outputs.size(); ++output) {
    if (on_input.count(output) == 0) Write(node.outputs[output], ++last_value_, who);
  }
  for (const auto& pair : on_input) Demand(node.inputs[pair.second], "an input", who);
  for (const auto& [output, input] : on_input) {
    const auto source = values_.find(node.inputs[input]);
    const bool same = (node.inplace & kDataUnmodified) != 0 && input == 0 && source != values_.end();
    Write(node.outputs[output], same ? source->second : ++last_value_, who);
  }
  for (size_t input = 0; input < node.inputs.size(); ++input) {
    const int tensor = node.inputs[input];
    const bool read = std::any_of(on_input.begin(), on_input.end(), [&](auto& pair) { return pair.second == input; });
    if (!read && !Contains(node.outputs, tensor)) Demand(tensor, "an input", who);
  }
  // Operators with a state write it, and none of those works in place.
  for (const int tensor : node.inputs) {
    if (node.inplace == 0 && IsVariable(tensor) && values_.count(tensor) != 0) Write(tensor, ++last_value_, who);
  }
}

void Shadow::Run(int first, int last) {
  if (first == 0) {
    for (const int tensor : sequence_.variables) {
      if (values_.count(tensor) == 0) Write(tensor, ++last_value_, "the application");
    }
    for (const int tensor : sequence_.inputs) Write(tensor, ++last_value_, "the application");
  }
  const int end = std::min(last, static_cast<int>(progress_.nodes.size()) - 1);
  for (int node = first; node <= end && fault_.empty(); ++node) RunNode(node);
}

void Shadow::DemandTheEnd() {
  if (sequence_.preserve_inputs) {
    for (const int tensor : sequence_.inputs) Demand(tensor, "a graph input", "the end");
  }
  for (const int tensor : sequence_.outputs) Demand(tensor, "a graph output", "the end");
  for (const int tensor : sequence_.variables) Demand(tensor, "a variable", "the end");
}

void Shadow::ForgetArena() {
  arena_.clear();
  for (size_t tensor = 0; tensor < progress_.tensors.size(); ++tensor) {
    if (progress_.tensors[tensor].type == kArenaRw) values_.erase(static_cast<int>(tensor));
  }
}

void Shadow::ForgetAll() {
  values_.clear();
  kept_at_.clear();
}

}  // namespace differential
