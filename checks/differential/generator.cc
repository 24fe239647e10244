#include "generator.h"

#include <algorithm>
#include <random>
#include <set>

namespace differential {
namespace {

// What a sequence has in it; each is drawn by itself, so that most sequences have few of them and differences stay plain.
struct Style {
  bool distinct_sizes;
  bool ranges;          // Execute in pieces
  bool new_sizes;       // between Plan and Execute
  bool new_types;       // the same
  bool rewinds;
  bool again;           // Execute what was executed: 1.15 would place it a second time, and no runtime did
  bool late_tensors;    // temporaries that Plan has not seen
  bool releases;
  bool persistent;
  bool variables;
  bool written_twice;   // tensors that are outputs of several nodes
  bool no_outputs;      // nodes that have none
  bool odd_flags;       // in-place flags that no builtin operator has
  bool mostly_in_place;
  size_t most_nodes;
};

class Generator {
 public:
  Generator(int generation, uint64_t seed) : generation_(generation), random_(seed * 0x9E3779B97F4A7C15u + 1) {}

  Sequence Make() {
    DrawStyle();
    sequence_.preserve_all = Percent(8);
    sequence_.preserve_inputs = generation_ > 3 || Percent(60);
    sequence_.alignment = OneOf({64, 64, 64, 64, 4, 16, 1, 32});
    AddSources();
    AddNodes();
    AddOutputs();
    AddTemporaries();
    AddSteps();
    return sequence_;
  }

 private:
  int Below(size_t limit) { return static_cast<int>(random_() % limit); }
  bool Percent(int percent) { return Below(100) < percent; }
  template <typename Value>
  Value OneOf(const std::vector<Value>& values) {
    return values[static_cast<size_t>(Below(values.size()))];
  }
  int OneOf(std::initializer_list<int> values) { return OneOf(std::vector<int>(values)); }

  void DrawStyle() {
    style_.distinct_sizes = Percent(85);
    style_.ranges = Percent(50);
    style_.new_sizes = Percent(20);
    style_.new_types = Percent(15);
    style_.rewinds = Percent(30);
    style_.again = generation_ >= 2 && Percent(10);
    style_.late_tensors = Percent(20);
    style_.releases = generation_ >= 2 && Percent(20);
    style_.persistent = Percent(50);
    style_.variables = Percent(30);
    style_.written_twice = Percent(5);
    style_.no_outputs = Percent(10);
    style_.odd_flags = Percent(10);
    style_.mostly_in_place = Percent(50);
    style_.most_nodes = Percent(2) ? 150 : Percent(10) ? 40 : 12;
  }

  size_t RandomBytes() {
    if (!style_.distinct_sizes) {
      const int kind = Below(10);
      if (kind == 0) return 0;
      if (kind < 6) return 64 * static_cast<size_t>(1 + Below(6));
      return static_cast<size_t>(1 + Below(500));
    }
    if (Percent(6)) return 0;
    for (;;) {
      const size_t bytes = static_cast<size_t>(1 + Below(2000));
      if (sizes_.insert(bytes).second) return bytes;
    }
  }
  int RandomType() {
    const int kind = Below(100);
    if (style_.persistent && kind < 10) return kPersistent;
    if (style_.new_types && kind < 14) return kDynamic;
    if (style_.new_types && kind < 18) return kCustom;
    return kArenaRw;
  }
  // Upstream gives a persistent tensor no place where it shares.
  int OutputType(const Node& node) {
    const int type = RandomType();
    return node.inplace != 0 && type == kPersistent && Percent(80) ? kArenaRw : type;
  }
  int AddTensor(size_t bytes, int type) {
    sequence_.tensors.push_back({bytes, type});
    return static_cast<int>(sequence_.tensors.size()) - 1;
  }
  size_t BytesOf(int tensor) const { return sequence_.tensors[static_cast<size_t>(tensor)].bytes; }

  void AddSources() {
    for (int i = Below(3) + (Percent(90) ? 1 : 0); i > 0; --i) {
      const int type = Percent(93) ? kArenaRw : style_.new_types ? OneOf({kCustom, kDynamic}) : kArenaRw;
      sequence_.inputs.push_back(AddTensor(RandomBytes(), type));
      readable_.push_back(sequence_.inputs.back());
    }
    if (Percent(10)) sequence_.inputs.push_back(-1);
    if (style_.variables) {
      for (int i = 1 + Below(2); i > 0; --i) {
        sequence_.variables.push_back(AddTensor(RandomBytes(), style_.persistent && Percent(50) ? kPersistent : kArenaRw));
        readable_.push_back(sequence_.variables.back());
      }
    }
    if (Percent(30)) readable_.push_back(AddTensor(RandomBytes(), kMmapRo));
    if (Percent(3)) readable_.push_back(AddTensor(RandomBytes(), kArenaRw));  // that nobody writes
  }

  // The younger a tensor, the more likely it is read, as in real networks.
  int Operand(const std::vector<int>& from) {
    return Percent(60) ? from[from.size() - 1 - static_cast<size_t>(Below(std::min<size_t>(3, from.size())))] : OneOf(from);
  }

  uint64_t RandomFlags() {
    static const std::vector<uint64_t> builtin = {4, 5, 5, 12, 12};
    static const std::vector<uint64_t> odd = {1, 2, 6, 8, 9, 10, 13, 16, 28, 30};
    if (generation_ < 7 || !Percent(style_.mostly_in_place ? 85 : 35)) return 0;
    if (generation_ == 7) return 5;  // it knew operators, not flags
    return style_.odd_flags && Percent(50) ? OneOf(odd) : OneOf(builtin);
  }

  void AddNodes() {
    for (int count = Below(style_.most_nodes + 1); count > 0; --count) AddNode();
  }

  void AddNode() {
    Node node;
    node.inplace = RandomFlags();
    int num_inputs = readable_.empty() ? 0 : Below(4);
    if (node.inplace != 0 && num_inputs == 0 && !readable_.empty()) num_inputs = 1;
    for (; num_inputs > 0; --num_inputs) node.inputs.push_back(Percent(6) ? -1 : Operand(readable_));
    for (int output = 0, end = style_.no_outputs && Percent(20) ? 0 : Percent(80) ? 1 : 2; output < end; ++output) {
      const bool may_be_absent = generation_ >= 8 && (node.inplace == 0 || output > 0);
      if (may_be_absent && Percent(4)) {
        node.outputs.push_back(-1);
      } else if (style_.written_twice && node.inplace == 0 && Percent(10) && !written_.empty()) {
        node.outputs.push_back(OneOf(written_));
      } else {
        node.outputs.push_back(AddTensor(OutputBytes(node), OutputType(node)));
        written_.push_back(node.outputs.back());
        readable_.push_back(node.outputs.back());
      }
    }
    if (node.outputs.empty() || node.outputs[0] < 0 || node.inputs.empty() || node.inputs[0] < 0) node.inplace = 0;
    sequence_.nodes.push_back(node);
  }

  // Operators that work in place mostly have an output as large as the input it may lie on.
  size_t OutputBytes(const Node& node) {
    const bool another = !node.outputs.empty() && (node.inplace & kCorrespondingOutput) == 0;
    // The same data in another shape has the same size, unless it is unknown yet.
    const int random = (node.inplace & kDataUnmodified) == 0 ? 15 : style_.new_sizes ? 5 : 0;
    if (node.inplace == 0 || node.inputs.empty() || another || Percent(random)) return RandomBytes();
    const int like = (node.inplace & kDataUnmodified) != 0 ? node.inputs[0] : OneOf(node.inputs);
    return like < 0 ? RandomBytes() : BytesOf(like);
  }

  void AddOutputs() {
    for (int i = Below(3) + (Percent(80) ? 1 : 0); i > 0; --i) {
      if (generation_ >= 8 && Percent(6)) {
        sequence_.outputs.push_back(-1);
      } else if (!written_.empty()) {
        sequence_.outputs.push_back(Operand(written_));
      }
    }
  }

  void AddTemporaries() {
    for (Node& node : sequence_.nodes) {
      if (!Percent(style_.late_tensors ? 10 : 25)) continue;
      const size_t bytes = RandomBytes();
      const int type = TemporaryType();
      node.temporaries.push_back(AddTensor(bytes, type));
      if (!style_.distinct_sizes && Percent(50)) node.temporaries.push_back(AddTensor(bytes, type));
    }
  }
  int TemporaryType() { return style_.persistent && Percent(25) ? kPersistent : kArenaRw; }

  void AddStep(Step::Kind kind, int first = 0, int last = 0, size_t bytes = 0) {
    sequence_.steps.push_back({kind, first, last, bytes});
  }

  int NumNodes() const { return static_cast<int>(sequence_.nodes.size()); }

  void AddSteps() {
    AddStep(Step::kPlan);
    if (style_.new_sizes) ChangeSizes();
    if (style_.new_types) ChangeTypes();
    if (Percent(4)) AddStep(Step::kReset);
    ExecuteFrom(0);
    if (Percent(10)) {
      if (Percent(50)) AddStep(Step::kPlan);
      else AddStep(Step::kReset);
      ExecuteFrom(0);
    }
    if (style_.releases) ReleaseAndAcquire();
    if (style_.rewinds && NumNodes() > 1) {
      for (int i = 1 + Below(3); i > 0; --i) Rewind();
    }
    if (style_.again && NumNodes() > 0) ExecuteAgain();
  }

  void ChangeSizes() {
    for (size_t tensor = 0; tensor < sequence_.tensors.size(); ++tensor) {
      if (Percent(25)) AddStep(Step::kSetBytes, static_cast<int>(tensor), 0, RandomBytes());
    }
    // Tensors that may lie on each other, together.
    for (const Node& node : sequence_.nodes) {
      if (node.inplace == 0 || node.inputs.empty() || node.inputs[0] < 0 || !Percent(40)) continue;
      const size_t bytes = RandomBytes();
      AddStep(Step::kSetBytes, node.inputs[0], 0, bytes);
      AddStep(Step::kSetBytes, node.outputs[0], 0, bytes);
    }
  }

  void ChangeTypes() {
    for (const int tensor : written_) {
      if (Percent(7)) AddStep(Step::kSetType, tensor, OneOf({kDynamic, kCustom, kArenaRw}));
    }
  }

  void ExecuteFrom(int node) {
    if (NumNodes() == 0) {
      AddStep(Step::kExecute);
    }
    while (node < NumNodes()) {
      const int last = style_.ranges ? std::min(NumNodes() - 1, node + Below(4)) : NumNodes() - 1;
      if (style_.late_tensors && Percent(40)) {
        AddStep(Step::kAddTensor, 0, TemporaryType(), RandomBytes());
        AddStep(Step::kAddTemporary, node + Below(static_cast<size_t>(last - node + 1)), num_added_ + FirstAdded());
        ++num_added_;
      }
      // Upstream's own tests name nodes beyond the end; from 2.11 on it asks the graph for them.
      const bool is_end = generation_ <= 5 && last == NumNodes() - 1;
      const int beyond = is_end && Percent(5) ? 1 + Below(3) : 0;
      AddStep(Step::kExecute, node, last + beyond);
      node = last + 1;
    }
  }
  int FirstAdded() const { return static_cast<int>(sequence_.tensors.size()); }

  void ReleaseAndAcquire() {
    AddStep(Step::kRelease);
    if (Percent(20)) AddStep(Step::kRelease);
    AddStep(Step::kAcquire);
    AddStep(Step::kRun, 0, std::max(0, NumNodes() - 1));
    if (Percent(30)) {
      AddStep(Step::kRelease);
      AddStep(Step::kPlan);
      ExecuteFrom(0);
    }
  }

  // A node turns out to have outputs of another size than planned: what comes after it is planned anew.
  void Rewind() {
    const int node = Below(sequence_.nodes.size());
    const std::set<int> used = UsedUpTo(node);
    AddStep(Step::kRun, 0, node);
    if (generation_ >= 3) AddStep(Step::kResetAfter, node);
    for (const int tensor : written_) {
      const bool open = used.count(tensor) == 0 && sequence_.tensors[static_cast<size_t>(tensor)].type == kArenaRw;
      if (open && Percent(50)) AddStep(Step::kSetBytes, tensor, 0, RandomBytes());
    }
    if (generation_ >= 3) {
      if (node < NumNodes() - 1) ExecuteFrom(node + 1);
    } else {
      // There was no way back but to the beginning.
      AddStep(Step::kReset);
      ExecuteFrom(0);
    }
  }

  void ExecuteAgain() {
    const int first = Below(sequence_.nodes.size());
    const int last = first + Below(static_cast<size_t>(NumNodes() - first));
    for (const int tensor : sequence_.nodes[static_cast<size_t>(first)].outputs) {
      const bool normal = tensor >= 0 && sequence_.tensors[static_cast<size_t>(tensor)].type == kArenaRw;
      if (normal && Percent(30)) AddStep(Step::kSetBytes, tensor, 0, RandomBytes());
    }
    AddStep(Step::kExecute, first, last);
    AddStep(Step::kRun, 0, last);
  }

  std::set<int> UsedUpTo(int last) const {
    std::set<int> used(sequence_.inputs.begin(), sequence_.inputs.end());
    used.insert(sequence_.variables.begin(), sequence_.variables.end());
    for (int node = 0; node <= last; ++node) {
      const Node& its = sequence_.nodes[static_cast<size_t>(node)];
      used.insert(its.outputs.begin(), its.outputs.end());
    }
    return used;
  }

  const int generation_;
  std::mt19937_64 random_;
  Style style_ = {};
  Sequence sequence_;
  std::set<size_t> sizes_;
  std::vector<int> readable_, written_;
  int num_added_ = 0;
};

}  // namespace

Sequence RandomSequence(int generation, uint64_t seed) { return Generator(generation, seed).Make(); }

}  // namespace differential
