// What a planner did with a sequence.
#pragma once

#include <string>
#include <vector>

#include "sequence.h"
#include "side.h"

namespace differential {

// After a step.
struct Snapshot {
  bool ok;
  std::string error;  // where not ok
  bool has_memory;
  Sizes sizes;
  std::vector<Place> places;
};

struct Trace {
  std::vector<Snapshot> snapshots;  // one a step, up to the first that was refused
  // Where the shadow run found the plan to be wrong, and what it found; empty while there is nothing.
  std::string fault, fault_detail;
  size_t fault_step = 0;
};

Trace Follow(const Sequence& sequence, const PlannerClass& planner_class);

}  // namespace differential
