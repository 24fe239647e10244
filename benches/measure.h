// One row of the table: a graph, both planners on it, in turns.
#pragma once

#include <cstddef>
#include <optional>

#include "graph.h"

namespace bench {

struct Side {
  double ms;             // median time of planning and executing
  size_t arena;          // how far the last tensor reaches
  double heap_a_tensor;  // peak bytes of planning itself, divided by the number of tensors
};

struct Row {
  Kind kind;
  int num_tensors;
  std::optional<Side> upstream;
  Side ours;
  double floor_ms;
  double doubling;  // time of ours on a graph twice as large, divided by its time on this one
};

// Throws std::runtime_error when a planner refuses the graph, or when the plans are not the same.
Row Measure(Kind kind, int num_tensors, bool with_upstream);

}  // namespace bench
