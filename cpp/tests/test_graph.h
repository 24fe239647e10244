// A runtime's graph and context for tests, built by hand.
#ifndef TFLITE_ARENA_CPP_TESTS_TEST_GRAPH_H_
#define TFLITE_ARENA_CPP_TESTS_TEST_GRAPH_H_

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory>
#include <vector>

#include "check.h"
#include "runtime.h"

namespace test {

// Keeps its own copy of each list, in the runtime's form.
class IntArrays {
 public:
  TfLiteIntArray* Make(const std::vector<int>& values) {
    rooms_.emplace_back(new int[values.size() + 2]());
    int* room = rooms_.back().get();
    room[0] = static_cast<int>(values.size());
    if (!values.empty()) memcpy(room + 1, values.data(), values.size() * sizeof(int));
    return reinterpret_cast<TfLiteIntArray*>(room);
  }

 private:
  std::vector<std::unique_ptr<int[]>> rooms_;
};

class Graph : public tflite::GraphInfo {
 public:
  int AddTensor(size_t bytes, const char* name = nullptr, TfLiteAllocationType type = kTfLiteArenaRw) {
    TfLiteTensor tensor;
    memset(static_cast<void*>(&tensor), 0, sizeof(tensor));
    tensor.bytes = bytes;
    tensor.name = name;
    tensor.allocation_type = type;
    tensors_.push_back(tensor);
    return static_cast<int>(tensors_.size()) - 1;
  }
  void AddNode(const std::vector<int>& inputs, const std::vector<int>& outputs, uint64_t inplace = 0,
               const std::vector<int>& temporaries = {}) {
    TfLiteNode node;
    memset(static_cast<void*>(&node), 0, sizeof(node));
    node.inputs = arrays_.Make(inputs);
    node.outputs = arrays_.Make(outputs);
    node.temporaries = arrays_.Make(temporaries);
    nodes_.push_back(node);
    TfLiteRegistration registration;
    memset(static_cast<void*>(&registration), 0, sizeof(registration));
    registration.inplace_operator = inplace;
    registrations_.push_back(registration);
  }
  void SetShape(int tensor, const std::vector<int>& shape) {
    tensors_[static_cast<size_t>(tensor)].dims = arrays_.Make(shape);
  }
  void SetOperator(size_t node, int builtin_code, const char* custom_name = nullptr) {
    registrations_[node].builtin_code = builtin_code;
    registrations_[node].custom_name = custom_name;
  }
  void SetTemporaries(size_t node, const std::vector<int>& temporaries) {
    nodes_[node].temporaries = arrays_.Make(temporaries);
  }
  std::vector<int>& mutable_inputs() { return inputs_; }
  std::vector<int>& mutable_outputs() { return outputs_; }
  TfLiteNode& mutable_node(size_t index) { return nodes_[index]; }

  size_t num_tensors() const override { return tensors_.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors_[index]; }
  TfLiteTensor* tensors() override { return tensors_.data(); }
  size_t num_execution_nodes() const override { return nodes_.size(); }
  size_t num_total_nodes() const override { return nodes_.size(); }
  const TfLiteNode& node(size_t index) const override { return nodes_[index]; }
  const TfLiteRegistration& registration(size_t index) const override { return registrations_[index]; }
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return inputs_; }
  const std::vector<int>& outputs() const override { return outputs_; }
  const std::vector<int>& variables() const override { return variables_; }

 private:
  IntArrays arrays_;
  std::vector<TfLiteTensor> tensors_;
  std::vector<TfLiteNode> nodes_;
  std::vector<TfLiteRegistration> registrations_;
  std::vector<int> inputs_, outputs_, variables_;
};

// x:64 -> A:256 -> B:64, x the input and B the output.
inline std::unique_ptr<Graph> Chain() {
  std::unique_ptr<Graph> graph(new Graph);
  const int x = graph->AddTensor(64, "x");
  const int a = graph->AddTensor(256, "A");
  const int b = graph->AddTensor(64, "B");
  graph->AddNode({x}, {a});
  graph->AddNode({a}, {b});
  graph->mutable_inputs() = {x};
  graph->mutable_outputs() = {b};
  return graph;
}

// A context that remembers the last error that was reported to it. It has the room that a real one has.
class Context {
 public:
  Context() {
    memset(room_, 0, sizeof(room_));
    get()->ReportError = Remember;
    LastError()[0] = '\0';
  }
  TfLiteContext* get() { return reinterpret_cast<TfLiteContext*>(room_); }
  static char* LastError() {
    static char text[1024];
    return text;
  }

 private:
  static void Remember(TfLiteContext*, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(LastError(), 1024, format, arguments);
    va_end(arguments);
  }

  alignas(16) unsigned char room_[256];
};

}  // namespace test

#endif  // TFLITE_ARENA_CPP_TESTS_TEST_GRAPH_H_
