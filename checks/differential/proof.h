// Shows that a comparison compares two implementations.
#pragma once

#include <string>

#include "side.h"

namespace differential {

// Empty where it is so, else what speaks against it: their code comes from two files, upstream's from `library`; and on a graph
// where upstream of this version is known to differ, it does.
std::string SpeaksAgainstTwo(const std::string& version, const std::string& library, const PlannerClass& upstream,
                             const PlannerClass& ours);

}  // namespace differential
