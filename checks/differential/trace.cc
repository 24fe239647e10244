#include "trace.h"

#include <algorithm>

#include "shadow.h"

namespace differential {

std::string ToText(const Place& place) {
  switch (place.where) {
    case Place::kNowhere: return "null";
    case Place::kArena: return std::to_string(place.offset);
    case Place::kPersistentArena: return "persistent " + std::to_string(place.offset);
    case Place::kElsewhere: return "outside";
  }
  return "?";
}

Trace Follow(const Sequence& sequence, const PlannerClass& planner_class) {
  Trace trace;
  Progress progress(sequence);
  const std::unique_ptr<Side> side = planner_class.Start(sequence);
  Shadow shadow(sequence, progress, *side);
  int next_node = 0;  // that has not run since the inputs were filled
  for (size_t i = 0; i < sequence.steps.size(); ++i) {
    const Step& step = sequence.steps[i];
    Snapshot snapshot;
    snapshot.ok = side->Do(step);
    progress.Take(sequence, step);
    if (step.kind == Step::kPlan || step.kind == Step::kReset) {
      shadow.ForgetAll();
      next_node = 0;
    }
    if (step.kind == Step::kRelease) shadow.ForgetArena();
    // Nodes whose inputs have been computed, after all others before them.
    const bool runs = step.kind == Step::kRun || (step.kind == Step::kExecute && snapshot.ok && step.first == next_node);
    if (runs) {
      const int last_node = std::max(0, static_cast<int>(progress.nodes.size()) - 1);
      const int last = std::min(step.last, progress.last_executed);
      shadow.Run(step.first, last);
      next_node = last + 1;
      // What the application may look at is all there once the last node has run.
      if (last >= last_node && shadow.fault().empty()) shadow.DemandTheEnd();
    }
    if (!snapshot.ok) snapshot.error = side->error();
    snapshot.has_memory = side->HasMemory();
    side->GetSizes(&snapshot.sizes);
    for (size_t tensor = 0; tensor < progress.tensors.size(); ++tensor) {
      snapshot.places.push_back(side->PlaceOf(static_cast<int>(tensor)));
    }
    trace.snapshots.push_back(snapshot);
    if (trace.fault.empty() && (!shadow.fault().empty() || !side->LeavesCustomAlone())) {
      trace.fault = shadow.fault().empty() ? "memory of the application is taken away" : shadow.fault();
      trace.fault_detail = shadow.fault_detail();
      trace.fault_step = i;
    }
    if (!snapshot.ok) break;
  }
  return trace;
}

}  // namespace differential
