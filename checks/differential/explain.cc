#include "explain.h"

#include <set>

namespace differential {
namespace {

bool IsWrittenTwice(const Sequence& sequence) {
  std::set<int> written;
  for (const Node& node : sequence.nodes) {
    for (const int tensor : node.outputs) {
      if (tensor >= 0 && !written.insert(tensor).second) return true;
    }
  }
  return false;
}

}  // namespace

const char* Name(Difference::What what) {
  switch (what) {
    case Difference::kNone: return "none";
    case Difference::kOursRefuses: return "ours refuses";
    case Difference::kOursAccepts: return "upstream refuses";
    case Difference::kMemory: return "only one has memory";
    case Difference::kPlaces: return "places";
    case Difference::kSizes: return "sizes";
  }
  return "?";
}

std::string Explain(int generation, const Sequence& sequence, const Difference&) {
  if (IsWrittenTwice(sequence)) return "a tensor that several nodes write is kept for all of them";
  if (generation <= 3 && sequence.preserve_all) return "temporaries are preserved too, where all is";
  return "";
}

}  // namespace differential
