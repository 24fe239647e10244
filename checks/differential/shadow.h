// The shadow run of a sequence: its nodes compute on arenas that hold, for each byte, the number of the value that was written
// there last. Reading a tensor demands the number that the tensor was given, on every byte.
//
// The arenas are simulated, so that a planner whose pointers are wrong can be judged without writing through them. Inside a
// node temporaries and outputs are written before inputs are read, as a kernel promises no order; the one exception is an
// output that the node's in-place flags allow to lie exactly on that input.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sequence.h"
#include "side.h"

namespace differential {

class Shadow {
 public:
  // Looks at `progress` and `side` again at each call.
  Shadow(const Sequence& sequence, const Progress& progress, const Side& side)
      : sequence_(sequence), progress_(progress), side_(side) {}

  // The application fills the graph's inputs, where the first node is node 0, and the nodes compute.
  void Run(int first, int last);
  // What the application may still look at.
  void DemandTheEnd();
  // The ArenaRw arena's bytes are gone.
  void ForgetArena();
  // All places are, and nothing is promised of what was there.
  void ForgetAll();

  // Empty while all is well: what went wrong first, and where.
  const std::string& fault() const { return fault_; }
  const std::string& fault_detail() const { return fault_detail_; }

 private:
  using Value = uint32_t;

  void RunNode(int index);
  bool InArena(int tensor) const;
  size_t Bytes(int tensor) const { return progress_.tensors[static_cast<size_t>(tensor)].bytes; }
  bool IsVariable(int tensor) const;
  // Whether output `output` of the node lies on input `input` as its flags allow.
  bool InPlace(const Node& node, size_t output, size_t input) const;
  // The bytes of a tensor; null, and a fault, where it lies nowhere that it may.
  Value* BytesOf(int tensor, const std::string& who);
  void Write(int tensor, Value value, const std::string& who);
  void Demand(int tensor, const std::string& what, const std::string& who);
  void Fail(const std::string& fault, int tensor, const std::string& who);

  const Sequence& sequence_;
  const Progress& progress_;
  const Side& side_;
  std::vector<Value> arena_, persistent_;
  std::map<int, Value> values_;     // that tensors were given
  std::map<int, Place> kept_at_;    // where persistent tensors were first written
  Value last_value_ = 0;
  std::string fault_, fault_detail_;
};

}  // namespace differential
