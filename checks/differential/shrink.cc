#include "shrink.h"

#include <vector>

namespace differential {
namespace {

class Shrinker {
 public:
  Shrinker(Sequence sequence, const std::function<bool(const Sequence&)>& holds) : best_(std::move(sequence)), holds_(holds) {}

  Sequence Run() {
    do {
      changed_ = false;
      DropFrom(&Sequence::steps);
      DropNodes();
      for (size_t node = 0; node < best_.nodes.size(); ++node) SimplifyNode(node);
      DropFrom(&Sequence::inputs);
      DropFrom(&Sequence::outputs);
      DropFrom(&Sequence::variables);
      SimplifyTensors();
      Try([](Sequence* sequence) { sequence->alignment = 64; }, best_.alignment != 64);
      Try([](Sequence* sequence) { sequence->preserve_inputs = true; }, !best_.preserve_inputs);
      Try([](Sequence* sequence) { sequence->preserve_all = false; }, best_.preserve_all);
    } while (changed_);
    return best_;
  }

 private:
  template <typename Change>
  bool Try(Change change, bool worth_it = true) {
    if (!worth_it) return false;
    Sequence smaller = best_;
    change(&smaller);
    if (!IsSound(smaller) || !holds_(smaller)) return false;
    best_ = smaller;
    return changed_ = true;
  }

  template <typename Item>
  void DropFrom(std::vector<Item> Sequence::*list) {
    for (size_t i = (best_.*list).size(); i-- > 0;) {
      Try([&](Sequence* sequence) { (sequence->*list).erase((sequence->*list).begin() + static_cast<ptrdiff_t>(i)); });
    }
  }
  void DropFromNode(size_t node, std::vector<int> Node::*list) {
    for (size_t i = (best_.nodes[node].*list).size(); i-- > 0;) {
      Try([&](Sequence* sequence) {
        std::vector<int>& its = sequence->nodes[node].*list;
        its.erase(its.begin() + static_cast<ptrdiff_t>(i));
      });
    }
  }

  void DropNodes() {
    for (int node = static_cast<int>(best_.nodes.size()); node-- > 0;) {
      Try([&](Sequence* sequence) {
        sequence->nodes.erase(sequence->nodes.begin() + node);
        for (Step& step : sequence->steps) {
          const bool names_nodes = step.kind == Step::kExecute || step.kind == Step::kRun;
          const bool names_node = step.kind == Step::kResetAfter || step.kind == Step::kAddTemporary;
          if (names_nodes && step.first > node) --step.first;
          if (names_nodes && step.last >= node && step.last > 0) --step.last;
          if (names_node && step.first >= node && step.first > 0) --step.first;
        }
      });
    }
  }

  void SimplifyNode(size_t node) {
    DropFromNode(node, &Node::inputs);
    DropFromNode(node, &Node::outputs);
    DropFromNode(node, &Node::temporaries);
    Try([&](Sequence* sequence) { sequence->nodes[node].inplace = 0; }, best_.nodes[node].inplace != 0);
  }

  void SimplifyTensors() {
    for (size_t tensor = 0; tensor < best_.tensors.size(); ++tensor) {
      Try([&](Sequence* sequence) { sequence->tensors[tensor].type = kArenaRw; }, best_.tensors[tensor].type != kArenaRw);
      for (const size_t bytes : {0, 64, 128, 192, 256, 320, 384, 448, 512}) {
        if (best_.tensors[tensor].bytes <= bytes) break;
        if (Try([&](Sequence* sequence) { sequence->tensors[tensor].bytes = bytes; })) break;
      }
    }
  }

  Sequence best_;
  const std::function<bool(const Sequence&)>& holds_;
  bool changed_ = false;
};

}  // namespace

Sequence Shrink(Sequence sequence, const std::function<bool(const Sequence&)>& holds) {
  return Shrinker(std::move(sequence), holds).Run();
}

}  // namespace differential
