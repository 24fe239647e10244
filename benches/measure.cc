#include "measure.h"

#include <time.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "memory.h"
#include "planner.h"

namespace bench {
namespace {

// Processor time, not time passed: other programs may run meanwhile.
double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void Check(bool fine) {
  if (!fine) throw std::runtime_error("a planner refused the graph");
}

void PlanAll(Planner& planner, const Graph& graph) {
  Check(planner.Plan());
  Check(planner.Execute(0, static_cast<int>(graph.nodes.size()) - 1));
}

// Two runs of a model whose every tenth node has outputs of a size that is known only when it has run. The first rewind of
// the second run drops nearly all that the first run placed.
void PlanTenByTen(Planner& planner, const Graph& graph) {
  const int last = static_cast<int>(graph.nodes.size()) - 1;
  Check(planner.Plan());
  Check(planner.Execute(0, 0));
  for (int run = 0; run < 2; run++) {
    for (int node = 0; node < last; node += 10) {
      Check(planner.ResetAfter(node));
      Check(planner.Execute(node + 1, std::min(node + 10, last)));
    }
  }
}

void PlanAndExecute(Planner& planner, Kind kind, const Graph& graph) {
  kind == Kind::kDynamic ? PlanTenByTen(planner, graph) : PlanAll(planner, graph);
}

// How often to measure, and how many planners to time at once so that reading the clock does not count. Where upstream takes
// tens of seconds it has no rounds: its inspection is timed, too.
struct Effort {
  int upstream_rounds;
  int rounds;
  int batch;
};

Effort EffortFor(int num_tensors) {
  const int batch = std::max(3'000 / num_tensors, 1);
  if (num_tensors <= 3'000) return {15, 15, batch};
  if (num_tensors <= 10'000) return {7, 7, batch};
  if (num_tensors <= 30'000) return {3, 5, batch};
  return {0, 5, batch};
}

// Every planner is new: what an earlier plan left behind would spare it work.
double TimeOnce(MakePlanner make, Kind kind, Graph& graph, int batch) {
  std::vector<std::unique_ptr<Planner>> planners;
  for (int i = 0; i < batch; i++) planners.push_back(make(graph));
  const double start = Now();
  for (auto& planner : planners) PlanAndExecute(*planner, kind, graph);
  return (Now() - start) / batch;
}

double TimeWalk(const TfliteArenaGraphInfo& info, int batch) {
  volatile size_t keep = 0;
  const double start = Now();
  for (int i = 0; i < batch; i++) keep = keep + Walk(info);
  return (Now() - start) / batch;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// What one run shows besides its time.
struct Inspection {
  Side side;
  std::vector<intptr_t> offsets;  // where each tensor lies
};

Inspection Inspect(MakePlanner make, Kind kind, Graph& graph) {
  Inspection found = {{}, std::vector<intptr_t>(graph.tensors.size())};
  HeapWatch watch;
  const std::unique_ptr<Planner> planner = make(graph);
  const double start = Now();
  PlanAndExecute(*planner, kind, graph);
  found.side.ms = Now() - start;
  found.side.heap_a_tensor = static_cast<double>(watch.Peak()) / static_cast<double>(graph.tensors.size());
  for (size_t i = 0; i < graph.tensors.size(); i++) {
    found.offsets[i] = reinterpret_cast<intptr_t>(graph.tensors[i].data.raw) - planner->Base();
    found.side.arena = std::max(found.side.arena, static_cast<size_t>(found.offsets[i]) + graph.tensors[i].bytes);
  }
  return found;
}

}  // namespace

Row Measure(Kind kind, int num_tensors, bool with_upstream) {
  Graph graph(kind, num_tensors);
  Graph twice(kind, 2 * num_tensors);
  const TfliteArenaGraphInfo info = InfoOf(graph);
  const Effort effort = EffortFor(num_tensors);

  const Inspection our_run = Inspect(MakeOurs, kind, graph);
  Row row = {kind, num_tensors, std::nullopt, our_run.side, 0, 0};
  if (with_upstream) {
    const Inspection upstream_run = Inspect(MakeUpstream, kind, graph);
    row.upstream = upstream_run.side;
    if (our_run.offsets != upstream_run.offsets) throw std::runtime_error("the two plans are not the same");
  }

  std::vector<double> upstream, ours, ours_twice, walks;
  for (int round = 0; round < effort.rounds; round++) {
    if (with_upstream && round < effort.upstream_rounds) {
      upstream.push_back(TimeOnce(MakeUpstream, kind, graph, effort.batch));
    }
    ours.push_back(TimeOnce(MakeOurs, kind, graph, effort.batch));
    ours_twice.push_back(TimeOnce(MakeOurs, kind, twice, std::max(effort.batch / 2, 1)));
    walks.push_back(TimeWalk(info, effort.batch));
  }
  if (!upstream.empty()) row.upstream->ms = Median(upstream);
  row.ours.ms = Median(ours);
  row.doubling = Median(ours_twice) / row.ours.ms;
  row.floor_ms = Median(walks);
  return row;
}

}  // namespace bench
