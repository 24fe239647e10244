#include <cstdarg>
#include <cstdio>

#include "planner.h"
#include "tensorflow/lite/arena_planner.h"

namespace bench {
namespace {

class Info : public tflite::GraphInfo {
 public:
  explicit Info(Graph& graph) : graph_(graph) {}
  size_t num_tensors() const override { return graph_.tensors.size(); }
  TfLiteTensor* tensor(size_t index) override { return &graph_.tensors[index]; }
  size_t num_nodes() const override { return graph_.nodes.size(); }
  const TfLiteNode& node(size_t index) const override { return graph_.nodes[index]; }
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return graph_.inputs; }
  const std::vector<int>& outputs() const override { return graph_.outputs; }
  const std::vector<int>& variables() const override { return graph_.variables; }

 private:
  Graph& graph_;
};

void ReportError(TfLiteContext*, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::fputs("bench: upstream: ", stderr);
  std::vfprintf(stderr, format, arguments);
  std::fputc('\n', stderr);
  va_end(arguments);
}

class UpstreamPlanner : public Planner {
 public:
  explicit UpstreamPlanner(Graph& graph)
      : planner_(&context_, std::make_unique<Info>(graph), /*preserve_inputs=*/true,
                 /*preserve_intermediates=*/false) {
    context_.ReportError = ReportError;
  }
  bool Plan() override { return planner_.PlanAllocations() == kTfLiteOk; }
  bool Execute(int first_node, int last_node) override {
    return planner_.ExecuteAllocations(first_node, last_node) == kTfLiteOk;
  }
  bool ResetAfter(int node) override { return planner_.ResetAllocationsAfter(node) == kTfLiteOk; }
  intptr_t Base() override { return planner_.BasePointer(kTfLiteArenaRw); }

 private:
  TfLiteContext context_ = {};
  tflite::ArenaPlanner planner_;
};

}  // namespace

std::unique_ptr<Planner> MakeUpstream(Graph& graph) { return std::make_unique<UpstreamPlanner>(graph); }

}  // namespace bench
