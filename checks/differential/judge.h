// Compares what upstream and ours did with a sequence.
#pragma once

#include <string>

#include "sequence.h"
#include "side.h"

namespace differential {

struct Verdict {
  enum Kind {
    kSame,           // status, memory, sizes and places after every step
    kTied,           // only that ours is right: tensors tie that are not alike
    kUpstreamWrong,  // the shadow run found upstream's plan to be wrong, and ours not
    kExplained,      // a difference that docs/compat.md has, with its reason
    kDifferent,      // any other
  };
  Kind kind;
  std::string reason;  // the same for all of one sort
  std::string detail;  // what was seen here
  bool shares = false;    // whether upstream made a node write on the bytes that it reads
  bool has_ties = false;  // between tensors that are alike
};

// `version` is upstream's.
Verdict Judge(const std::string& version, const Sequence& sequence, const PlannerClass& upstream, const PlannerClass& ours);

}  // namespace differential
