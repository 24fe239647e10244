#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "memory.h"
#include "planner.h"

namespace bench {
namespace {

TfliteArenaIntList List(const TfLiteIntArray* array) { return {array->data, static_cast<size_t>(array->size)}; }
TfliteArenaIntList List(const std::vector<int>& values) { return {values.data(), values.size()}; }

Graph& Of(void* context) { return *static_cast<Graph*>(context); }

int32_t Tensors(void* context, TfliteArenaTensorView* view) {
  Graph& graph = Of(context);
  *view = {graph.tensors.data(),
           graph.tensors.size(),
           sizeof(TfLiteTensor),
           offsetof(TfLiteTensor, bytes),
           offsetof(TfLiteTensor, allocation_type),
           offsetof(TfLiteTensor, data)};
  return 0;
}

size_t NumNodes(void* context) { return Of(context).nodes.size(); }

int32_t Node(void* context, size_t index, TfliteArenaNode* node) {
  const TfLiteNode& its = Of(context).nodes[index];
  *node = {List(its.inputs), List(its.outputs), List(its.temporaries), TFLITE_ARENA_INPLACE_NONE};
  return 0;
}

int32_t Inputs(void* context, TfliteArenaIntList* list) { return *list = List(Of(context).inputs), 0; }
int32_t Outputs(void* context, TfliteArenaIntList* list) { return *list = List(Of(context).outputs), 0; }
int32_t Variables(void* context, TfliteArenaIntList* list) { return *list = List(Of(context).variables), 0; }

void* Allocate(void*, size_t bytes, size_t alignment) { return ReserveArena(bytes, alignment); }
void Deallocate(void*, void* memory, size_t, size_t) { ReturnArena(memory); }

class OurPlanner : public Planner {
 public:
  explicit OurPlanner(Graph& graph) {
    // Without a reallocate: growing is a new block and a copy, as it is for upstream.
    const TfliteArenaAllocator allocator = {nullptr, Allocate, nullptr, Deallocate};
    const TfliteArenaGraphInfo info = InfoOf(graph);
    TfliteArenaPlannerOptions options;
    tflite_arena_planner_options_init(&options);
    options.strategy = TFLITE_ARENA_STRATEGY_GREEDY;
    options.allocator = &allocator;
    if (tflite_arena_planner_create(&info, &options, &planner_)) std::abort();
  }
  ~OurPlanner() override { tflite_arena_planner_destroy(planner_); }
  OurPlanner(const OurPlanner&) = delete;
  OurPlanner& operator=(const OurPlanner&) = delete;

  bool Plan() override { return Fine(tflite_arena_planner_plan_allocations(planner_)); }
  bool Execute(int first_node, int last_node) override {
    return Fine(tflite_arena_planner_execute_allocations(planner_, first_node, last_node));
  }
  bool ResetAfter(int node) override { return Fine(tflite_arena_planner_reset_allocations_after(planner_, node)); }
  intptr_t Base() override {
    ptrdiff_t base = 0;
    tflite_arena_planner_base_pointer(planner_, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW, &base);
    return base;
  }

 private:
  bool Fine(TfliteArenaStatus status) {
    if (status) std::fprintf(stderr, "bench: %s\n", tflite_arena_planner_last_error(planner_));
    return !status;
  }

  TfliteArenaPlanner* planner_ = nullptr;
};

}  // namespace

TfliteArenaGraphInfo InfoOf(Graph& graph) {
  return {sizeof(TfliteArenaGraphInfo), &graph, Tensors, NumNodes, Node, Inputs, Outputs, Variables};
}

std::unique_ptr<Planner> MakeOurs(Graph& graph) { return std::make_unique<OurPlanner>(graph); }

}  // namespace bench
