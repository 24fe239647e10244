// SimpleMemoryArena, driven by itself: upstream's out of a library and ours through the same random calls.
#pragma once

#include <cstdint>

namespace differential {

struct ArenaCounts {
  uint64_t sequences = 0;
  uint64_t calls = 0;
  uint64_t spare = 0;      // pointers that upstream gave into the spare room of its buffer, and ours refused
  uint64_t different = 0;  // sequences that ended with a difference; each is printed
};

ArenaCounts CompareArenas(void* library, uint64_t sequences, uint64_t seed);

}  // namespace differential
