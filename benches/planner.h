// A planner as the bench drives it.
#pragma once

#include <cstdint>
#include <memory>

#include "graph.h"
#include "tflite_arena.h"

namespace bench {

class Planner {
 public:
  virtual ~Planner() = default;
  virtual bool Plan() = 0;
  virtual bool Execute(int first_node, int last_node) = 0;
  virtual bool ResetAfter(int node) = 0;
  // Where the arena starts.
  virtual intptr_t Base() = 0;
};

// Makes a planner that has not seen its graph yet.
using MakePlanner = std::unique_ptr<Planner> (*)(Graph&);

std::unique_ptr<Planner> MakeUpstream(Graph& graph);
std::unique_ptr<Planner> MakeOurs(Graph& graph);

// The callbacks through which ours reads a graph.
TfliteArenaGraphInfo InfoOf(Graph& graph);

// What any planner has to do at least: asks for every node and every tensor once through those callbacks, reads what
// planning depends on and clears each tensor's pointer. The answer only keeps the compiler from leaving it out.
size_t Walk(const TfliteArenaGraphInfo& info);

}  // namespace bench
