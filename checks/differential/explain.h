// Differences that are meant: each has its line in docs/compat.md.
#pragma once

#include <string>
#include <vector>

#include "sequence.h"
#include "side.h"

namespace differential {

struct Difference {
  enum What { kNone, kOursRefuses, kOursAccepts, kMemory, kPlaces, kSizes };
  What what = kNone;
  size_t step = 0;
  std::vector<int> tensors;  // whose places differ
  std::string detail;
};

const char* Name(Difference::What what);

// Why the difference from upstream's planner of this version is meant; empty where it is not.
std::string Explain(const std::string& version, const Sequence& sequence, const Difference& difference);

}  // namespace differential
