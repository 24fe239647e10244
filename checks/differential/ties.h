// Tensors of one arena that have the same size and first node. Upstream places such in no order of its own, but in that of a
// hash table and of an unstable sort.
#pragma once

#include <vector>

#include "sequence.h"
#include "trace.h"

namespace differential {

class Ties {
 public:
  explicit Ties(const Sequence& sequence);

  bool Exist() const { return !groups_.empty(); }
  // Whether all that tie are alike: used by the same nodes in the same way. Then the order cannot matter, but for which of them
  // gets which place.
  bool AreAllAlike() const { return are_all_alike_; }
  // Hands the places of those that are alike out anew, the lowest one to the first of them.
  void BringInOrder(Trace* trace) const;

 private:
  std::vector<std::vector<int>> groups_;
  bool are_all_alike_ = true;
};

}  // namespace differential
