#include <cstddef>
#include <cstring>

#include "planner.h"

namespace bench {
namespace {

size_t Sum(const TfliteArenaIntList& list) {
  size_t sum = 0;
  for (size_t i = 0; i < list.size; i++) sum += list.data[i];
  return sum;
}

}  // namespace

size_t Walk(const TfliteArenaGraphInfo& info) {
  size_t sum = 0;
  const size_t num_nodes = info.num_execution_nodes(info.context);
  for (size_t i = 0; i < num_nodes; i++) {
    TfliteArenaNode node = {};
    info.node(info.context, i, &node);
    sum += Sum(node.inputs) + Sum(node.outputs) + Sum(node.temporaries);
  }
  TfliteArenaTensorView view = {};
  info.tensors(info.context, &view);
  for (size_t i = 0; i < view.count; i++) {
    char* tensor = static_cast<char*>(view.base) + i * view.stride;
    size_t bytes = 0;
    int32_t allocation_type = 0;
    std::memcpy(&bytes, tensor + view.bytes_offset, sizeof bytes);
    std::memcpy(&allocation_type, tensor + view.allocation_type_offset, sizeof allocation_type);
    std::memset(tensor + view.data_offset, 0, sizeof(void*));
    sum += bytes + static_cast<size_t>(allocation_type);
  }
  return sum;
}

}  // namespace bench
