// Random sequences that a generation has functions for.
#pragma once

#include <cstdint>

#include "sequence.h"

namespace differential {

// Always the same for the same generation and seed.
Sequence RandomSequence(int generation, uint64_t seed);

}  // namespace differential
