// The whole life of a plan, from C++: the program has tensors and nodes of its own and hands them to
// the planner as callbacks and as a strided view, as a runtime does.
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.h"
#include "tflite_arena.h"

namespace {

// What this program thinks a tensor is; the planner is told where the three fields it needs lie.
struct Tensor {
  float scale;
  void* data;
  const char* name;
  size_t bytes;
  int32_t allocation_type;
  int32_t rank;
};

struct Node {
  std::vector<int32_t> inputs, outputs, temporaries;
  uint64_t inplace;
};

struct Model {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;
  std::vector<int32_t> inputs, outputs, variables;
};

Model& ModelOf(void* context) { return *static_cast<Model*>(context); }

TfliteArenaIntList ListOf(const std::vector<int32_t>& ids) { return {ids.data(), ids.size()}; }

int32_t GiveTensors(void* context, TfliteArenaTensorView* view) {
  std::vector<Tensor>& tensors = ModelOf(context).tensors;
  view->base = tensors.data();
  view->count = tensors.size();
  view->stride = sizeof(Tensor);
  view->bytes_offset = offsetof(Tensor, bytes);
  view->allocation_type_offset = offsetof(Tensor, allocation_type);
  view->data_offset = offsetof(Tensor, data);
  return 0;
}

size_t CountNodes(void* context) { return ModelOf(context).nodes.size(); }

int32_t GiveNode(void* context, size_t index, TfliteArenaNode* node) {
  const Node& ours = ModelOf(context).nodes[index];
  node->inputs = ListOf(ours.inputs);
  node->outputs = ListOf(ours.outputs);
  node->temporaries = ListOf(ours.temporaries);
  node->inplace_operator = ours.inplace;
  return 0;
}

int32_t GiveInputs(void* context, TfliteArenaIntList* list) {
  *list = ListOf(ModelOf(context).inputs);
  return 0;
}

int32_t GiveOutputs(void* context, TfliteArenaIntList* list) {
  *list = ListOf(ModelOf(context).outputs);
  return 0;
}

int32_t GiveVariables(void* context, TfliteArenaIntList* list) {
  *list = ListOf(ModelOf(context).variables);
  return 0;
}

Tensor Make(const char* name, size_t bytes, int32_t type) {
  return {1.0f, nullptr, name, bytes, type, 1};
}

// A recurrent cell: input and state give hidden, hidden gives output; the cell needs a scratch.
Model RecurrentCell() {
  const int32_t rw = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW;
  const int32_t persistent = TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW_PERSISTENT;
  Model model;
  model.tensors = {Make("input", 64, rw), Make("state", 128, persistent), Make("hidden", 256, rw),
                   Make("output", 64, rw), Make("scratch", 512, rw)};
  model.nodes = {{{0, 1, -1}, {2}, {4}, TFLITE_ARENA_INPLACE_NONE},
                 {{2}, {3}, {}, TFLITE_ARENA_INPLACE_NONE}};
  model.inputs = {0};
  model.outputs = {3};
  model.variables = {1};
  return model;
}

void Fill(Tensor& tensor, int value) { std::memset(tensor.data, value, tensor.bytes); }

bool Holds(const Tensor& tensor, int value) {
  const unsigned char* bytes = static_cast<const unsigned char*>(tensor.data);
  for (size_t i = 0; i < tensor.bytes; i++) {
    if (bytes[i] != value) return false;
  }
  return true;
}

// Each op writes all it may write before it looks at what it reads.
void Run(Model& model, int state) {
  std::vector<Tensor>& t = model.tensors;
  Fill(t[0], 10);
  Fill(t[4], 40);
  Fill(t[2], 20);
  CHECK(Holds(t[0], 10) && Holds(t[1], state));
  if (t.size() > 5) Fill(t[5], 50);
  Fill(t[3], 30);
  CHECK(Holds(t[2], 20));
  CHECK(Holds(t[0], 10) && Holds(t[3], 30) && Holds(t[1], state));
}

void CheckSizes(const TfliteArenaPlanner* planner, size_t arena, size_t persistent) {
  size_t arena_size = SIZE_MAX, persistent_size = SIZE_MAX;
  CHECK_OK(tflite_arena_planner_get_alloc_info(planner, &arena_size, &persistent_size));
  CHECK_SIZE(arena_size, arena);
  CHECK_SIZE(persistent_size, persistent);
}

}  // namespace

int main() {
  Model model = RecurrentCell();
  const TfliteArenaGraphInfo graph = {sizeof(TfliteArenaGraphInfo), &model,     GiveTensors,
                                      CountNodes,                   GiveNode,   GiveInputs,
                                      GiveOutputs,                  GiveVariables};
  TfliteArenaPlannerOptions options;
  CHECK_OK(tflite_arena_planner_options_init(&options));
  options.tensor_alignment = 16;
  TfliteArenaPlanner* planner = nullptr;
  CHECK_OK(tflite_arena_planner_create(&graph, &options, &planner));
  CHECK_OK(tflite_arena_planner_plan_allocations(planner));

  // Alignment 16. input [0, end] 0..64; scratch [0, 0] 64..576; hidden [0, 1] 576..832;
  // output [1, end] meets input and hidden, so it takes the scratch's place at 64.
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  CheckSizes(planner, 832, 128);
  Tensor* const t = model.tensors.data();
  CHECK_POINTER(t[3].data, t[4].data);
  Fill(t[1], 7);
  Run(model, 7);

  // The input grows: 0..640, then scratch 640..1152 and hidden 1152..1408.
  t[0].bytes = 640;
  CHECK_OK(tflite_arena_planner_reset_allocations(planner));
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 0, 1));
  CheckSizes(planner, 1408, 128);
  Run(model, 7);

  // A temporary that came after planning; the tensors move to another array, too.
  // It is alive with all but the output: scratch2 [1, 1] meets input, hidden and output.
  model.tensors.push_back(Make("scratch2", 256, TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW));
  model.nodes[1].temporaries = {5};
  CHECK_OK(tflite_arena_planner_reset_allocations_after(planner, 0));
  CHECK_POINTER(model.tensors[3].data, nullptr);
  CHECK_OK(tflite_arena_planner_execute_allocations(planner, 1, 1));
  // Between input and hidden there are 512 bytes: scratch2 640..896, output 896..960.
  CheckSizes(planner, 1408, 128);
  CHECK(Holds(model.tensors[1], 7));
  Run(model, 7);

  CHECK_OK(tflite_arena_planner_release_non_persistent_memory(planner));
  for (int i : {0, 2, 3, 4, 5}) CHECK_POINTER(model.tensors[i].data, nullptr);
  CheckSizes(planner, 0, 128);
  CHECK(Holds(model.tensors[1], 7));
  CHECK_OK(tflite_arena_planner_acquire_non_persistent_memory(planner));
  CheckSizes(planner, 1408, 128);
  Run(model, 7);

  tflite_arena_planner_destroy(planner);
  return check_finish();
}
