#include "graph_view.h"

#include <stddef.h>

#include "generations.h"

namespace tflite_arena {
namespace {

static_assert(sizeof(int) == sizeof(int32_t), "lists of int are handed over as lists of int32_t");

tflite::GraphInfo* GraphOf(void* context) { return static_cast<tflite::GraphInfo*>(context); }

int32_t Tensors(void* context, TfliteArenaTensorView* view) {
  tflite::GraphInfo* graph_info = GraphOf(context);
  view->base = TensorsOf(graph_info);
  view->count = graph_info->num_tensors();
  view->stride = sizeof(TfLiteTensor);
  view->bytes_offset = offsetof(TfLiteTensor, bytes);
  view->allocation_type_offset = offsetof(TfLiteTensor, allocation_type);
  view->data_offset = offsetof(TfLiteTensor, data);
  return kTfLiteOk;
}

size_t NumExecutionNodes(void* context) { return NumNodesOf(*GraphOf(context)); }

int32_t Node(void* context, size_t index, TfliteArenaNode* node) {
  return NodeOf(*GraphOf(context), index, node) ? kTfLiteOk : kTfLiteError;
}

int32_t Inputs(void* context, TfliteArenaIntList* list) {
  *list = ListOf(GraphOf(context)->inputs());
  return kTfLiteOk;
}

int32_t Outputs(void* context, TfliteArenaIntList* list) {
  *list = ListOf(GraphOf(context)->outputs());
  return kTfLiteOk;
}

int32_t Variables(void* context, TfliteArenaIntList* list) {
  *list = ListOf(GraphOf(context)->variables());
  return kTfLiteOk;
}

}  // namespace

TfliteArenaGraphInfo ViewOf(tflite::GraphInfo* graph_info) {
  TfliteArenaGraphInfo view = {};
  view.struct_size = sizeof(view);
  view.context = graph_info;
  view.tensors = Tensors;
  view.num_execution_nodes = NumExecutionNodes;
  view.node = Node;
  view.inputs = Inputs;
  view.outputs = Outputs;
  view.variables = Variables;
  return view;
}

bool ListOf(const TfLiteIntArray* array, TfliteArenaIntList* list) {
  if (array == nullptr) {
    *list = {nullptr, 0};
    return true;
  }
  if (array->size < 0) return false;
  *list = {array->data, static_cast<size_t>(array->size)};
  return true;
}

TfliteArenaIntList ListOf(const std::vector<int>& vector) { return {vector.data(), vector.size()}; }

bool NodeOf(const tflite::GraphInfo& graph_info, size_t index, TfliteArenaNode* node) {
  const TfLiteNode& from = graph_info.node(index);
  TfliteArenaNode to = {};
  if (!ListOf(from.inputs, &to.inputs) || !ListOf(from.outputs, &to.outputs) ||
      !ListOf(from.temporaries, &to.temporaries)) {
    return false;
  }
  to.inplace_operator = InplaceOperatorOf(graph_info, index);
  *node = to;
  return true;
}

}  // namespace tflite_arena
