// Compares what upstream and ours did with a sequence.
#pragma once

#include <string>

#include "sequence.h"
#include "side.h"

namespace differential {

struct Verdict {
  enum Kind {
    kSame,           // status, memory, sizes and places after every step
    kTied,           // tensors tie, so only ours was judged, and the sizes where the order cannot matter
    kUpstreamWrong,  // the shadow run found upstream's plan to be wrong, and ours not
    kExplained,      // a difference that docs/compat.md has, with its reason
    kDifferent,      // any other
  };
  Kind kind;
  std::string reason;  // the same for all of one sort
  std::string detail;  // what was seen here
  bool shares = false;  // whether upstream made a node write on the bytes that it reads
};

// `version` is upstream's.
Verdict Judge(const std::string& version, const Sequence& sequence, const PlannerClass& upstream, const PlannerClass& ours);

}  // namespace differential
