#include "graph.h"

#include <algorithm>
#include <cstdlib>

namespace bench {

Graph::Graph(Kind kind, int num_tensors) : random_state_(42) {
  for (int i = 0; i < num_tensors; i++) AddTensor();
  inputs = {0};
  outputs = {num_tensors - 1};

  const int longest_skip = kind == Kind::kWideSkips ? std::max(num_tensors / 10, 1) : 8;
  for (int i = 1; i < num_tensors; i++) {
    std::vector<int> reads = {i - 1};
    if (kind == Kind::kReadsAll && i == num_tensors - 1) {
      reads.clear();
      for (int tensor = 0; tensor < i; tensor++) reads.push_back(tensor);
    } else if (kind == Kind::kRandomDag) {
      for (int more = 0; more < 2; more++) reads.push_back(static_cast<int>(Random() % i));
    } else {
      reads.push_back(std::max(i - 1 - static_cast<int>(Random() % longest_skip), 0));
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    AddNode(reads, i);
  }
}

void Graph::AddTensor() {
  TfLiteTensor tensor = {};
  tensor.allocation_type = kTfLiteArenaRw;
  tensor.bytes = 64 * (1 + Random() % 64);
  tensors.push_back(tensor);
}

void Graph::AddNode(const std::vector<int>& reads, int writes) {
  TfLiteNode node = {};
  node.inputs = Keep(reads);
  node.outputs = Keep({writes});
  node.temporaries = Keep({});
  nodes.push_back(node);
}

// One block of the heap for each list, as in a runtime.
TfLiteIntArray* Graph::Keep(const std::vector<int>& values) {
  void* block = std::malloc(sizeof(TfLiteIntArray) + values.size() * sizeof(int));
  if (!block) std::abort();
  auto* array = static_cast<TfLiteIntArray*>(block);
  array->size = static_cast<int>(values.size());
  std::copy(values.begin(), values.end(), array->data);
  lists_.emplace_back(array);
  return array;
}

void Graph::Free::operator()(TfLiteIntArray* array) const { std::free(array); }

// SplitMix64: the same graphs on every machine and with every standard library.
uint64_t Graph::Random() {
  uint64_t z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace bench
