#include "proof.h"

#include <cstdlib>

#include "judge.h"

namespace differential {
namespace {

Node NodeOf(std::vector<int> inputs, std::vector<int> outputs, uint64_t inplace = 0, std::vector<int> temporaries = {}) {
  Node node;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.temporaries = std::move(temporaries);
  node.inplace = inplace;
  return node;
}

// One that the generation and ours are known to answer differently, and what comes of it.
struct Case {
  Sequence sequence;
  Verdict::Kind kind;
};

Case KnownCase() {
  Case known;
  Sequence& sequence = known.sequence;
  sequence.inputs = {0};
  if (kGeneration <= 3) {
    // A temporary of node 0 whose bytes node 1 takes, where all is to be preserved.
    sequence.tensors = {{64, kArenaRw}, {64, kArenaRw}, {64, kArenaRw}, {128, kArenaRw}};
    sequence.nodes = {NodeOf({0}, {1}, 0, {3}), NodeOf({1}, {2})};
    sequence.preserve_all = true;
    sequence.steps = {{Step::kPlan}, {Step::kExecute, 0, 1}};
    known.kind = Verdict::kExplained;
  } else if (kGeneration <= 5) {
    // Tensor 1 is written again when its only reader has run: freed by then, and tensor 3, which is read there, is in its place.
    sequence.tensors = {{64, kArenaRw}, {64, kArenaRw}, {128, kArenaRw}, {64, kArenaRw}};
    sequence.nodes = {NodeOf({0}, {1}), NodeOf({1}, {2}), NodeOf({2}, {3}), NodeOf({3}, {1})};
    sequence.steps = {{Step::kPlan}, {Step::kExecute, 0, 3}};
    known.kind = Verdict::kUpstreamWrong;
  } else if (kGeneration <= 7) {
    // A persistent temporary of node 0, and a rewind behind it: it is taken for one of the other arena.
    sequence.tensors = {{64, kArenaRw}, {128, kArenaRw}, {192, kArenaRw}, {256, kArenaRw}, {4096, kPersistent}};
    sequence.nodes = {NodeOf({0}, {1}, 0, {4}), NodeOf({1}, {2}), NodeOf({2}, {3})};
    sequence.outputs = {3};
    sequence.steps = {{Step::kPlan}, {Step::kExecute, 0, 2}, {Step::kResetAfter, 0}, {Step::kExecute, 1, 2}};
    known.kind = Verdict::kExplained;
  } else {
    // A is renamed to B and B to C, and C is written over in place while B is still to be read.
    for (int i = 0; i < 6; ++i) sequence.tensors.push_back({256, kArenaRw});
    sequence.nodes = {NodeOf({0}, {1}), NodeOf({1}, {2}, 5), NodeOf({2}, {3}, 5), NodeOf({3}, {4}, 4), NodeOf({2, 4}, {5}, 12)};
    sequence.outputs = {5};
    sequence.steps = {{Step::kPlan}, {Step::kExecute, 0, 4}};
    known.kind = Verdict::kUpstreamWrong;
  }
  return known;
}

}  // namespace

std::string SpeaksAgainstTwo(const std::string& version, const std::string& library, const PlannerClass& upstream,
                             const PlannerClass& ours) {
  const std::string their_file = upstream.CodeFile(), our_file = ours.CodeFile();
  if (their_file == our_file) return "both run the code of " + our_file;
  if (their_file != library) return "upstream runs the code of " + their_file + ", not of " + library;
  const Case known = KnownCase();
  const Verdict verdict = Judge(version, known.sequence, upstream, ours);
  if (verdict.kind != known.kind) return "they agree where upstream is known to differ " + verdict.reason + verdict.detail;
  const Verdict self = Judge(version, known.sequence, ours, ours);
  if (self.kind != Verdict::kSame) return "ours differs from itself " + self.reason + self.detail;
  return "";
}

}  // namespace differential
