#include "judge.h"

#include <algorithm>

#include "explain.h"
#include "ties.h"
#include "trace.h"

namespace differential {
namespace {

std::string After(const Sequence& sequence, size_t step) {
  return "after step " + std::to_string(step) + ", " + ToText(sequence.steps[step]) + ": ";
}

std::string ToText(const Sizes& sizes) { return std::to_string(sizes.arena) + "+" + std::to_string(sizes.persistent); }

// Pointers are compared where the planner has been asked for them: of tensors with bytes in an arena that the executed
// nodes need.
std::vector<int> ComparedTensors(const Sequence& sequence, const Progress& progress) {
  std::vector<int> compared;
  const std::vector<bool> executed = progress.Executed(sequence);
  for (size_t tensor = 0; tensor < executed.size(); ++tensor) {
    const Tensor& its = progress.tensors[tensor];
    if (executed[tensor] && its.InArena() && its.bytes > 0) compared.push_back(static_cast<int>(tensor));
  }
  return compared;
}

// The first difference of two snapshots after the same step, or an unset one.
Difference Compare(const Sequence& sequence, const Progress& progress, const Snapshot& theirs, const Snapshot& ours) {
  Difference difference;
  if (theirs.ok != ours.ok) {
    difference.what = ours.ok ? Difference::kOursAccepts : Difference::kOursRefuses;
    difference.detail = ours.ok ? "upstream: " + theirs.error : "ours: " + ours.error;
  } else if (theirs.has_memory != ours.has_memory) {
    difference.what = Difference::kMemory;
    difference.detail = theirs.has_memory ? "upstream has memory, ours not" : "ours has memory, upstream not";
  } else {
    std::string places;
    for (const int tensor : ComparedTensors(sequence, progress)) {
      const Place& its = theirs.places[static_cast<size_t>(tensor)];
      const Place& our = ours.places[static_cast<size_t>(tensor)];
      if (its == our) continue;
      difference.what = Difference::kPlaces;
      difference.tensors.push_back(tensor);
      places += (places.empty() ? "tensor " : ", ") + std::to_string(tensor) + " " + ToText(its) + " / " + ToText(our);
    }
    const bool sizes = theirs.sizes.arena != ours.sizes.arena || theirs.sizes.persistent != ours.sizes.persistent;
    if (sizes && difference.what == Difference::kNone) difference.what = Difference::kSizes;
    if (difference.what != Difference::kNone) {
      difference.detail = "upstream / ours: " + places + (places.empty() ? "" : "; ") + "sizes " + ToText(theirs.sizes) +
                          " / " + ToText(ours.sizes);
    }
  }
  return difference;
}

Difference FirstDifference(const Sequence& sequence, const Trace& theirs, const Trace& ours) {
  Progress progress(sequence);
  const size_t steps = std::min(theirs.snapshots.size(), ours.snapshots.size());
  for (size_t step = 0; step < steps; ++step) {
    progress.Take(sequence, sequence.steps[step]);
    Difference difference = Compare(sequence, progress, theirs.snapshots[step], ours.snapshots[step]);
    if (difference.what == Difference::kNone) continue;
    difference.step = step;
    return difference;
  }
  return {};
}

bool Shares(const Sequence& sequence, const Trace& trace) {
  for (const Snapshot& snapshot : trace.snapshots) {
    for (const Node& node : sequence.nodes) {
      if (node.inplace == 0) continue;
      const Place& output = snapshot.places[static_cast<size_t>(node.outputs[0])];
      for (const int input : node.inputs) {
        if (input >= 0 && output.InArena() && output == snapshot.places[static_cast<size_t>(input)]) return true;
      }
    }
  }
  return false;
}

}  // namespace

Verdict Judge(const std::string& version, const Sequence& sequence, const PlannerClass& upstream,
              const PlannerClass& our_class) {
  Trace ours = Follow(sequence, our_class);
  if (!ours.fault.empty()) {
    return {Verdict::kDifferent, "ours is wrong: " + ours.fault, After(sequence, ours.fault_step) + ours.fault_detail};
  }
  Trace theirs = Follow(sequence, upstream);
  if (!theirs.fault.empty()) {
    return {Verdict::kUpstreamWrong, theirs.fault, After(sequence, theirs.fault_step) + theirs.fault_detail};
  }
  // Up to 2.1 tensors were placed in the order of the nodes, which no two share.
  const Ties ties(sequence);
  if (kGeneration > 2) {
    if (!ties.AreAllAlike()) return {Verdict::kTied, "", ""};
    ties.BringInOrder(&theirs);
    ties.BringInOrder(&ours);
  }
  const Difference difference = FirstDifference(sequence, theirs, ours);
  if (difference.what == Difference::kNone) {
    return {Verdict::kSame, "", "", Shares(sequence, theirs), kGeneration > 2 && ties.Exist()};
  }
  const std::string reason = Explain(version, sequence, difference);
  const std::string detail = After(sequence, difference.step) + difference.detail;
  if (!reason.empty()) return {Verdict::kExplained, reason, detail};
  return {Verdict::kDifferent, Name(difference.what) + std::string(ExecutesAgain(sequence) ? ", executed again" : ""), detail};
}

}  // namespace differential
