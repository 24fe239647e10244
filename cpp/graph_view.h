// The runtime's graph as the C ABI wants to see it.
#ifndef TFLITE_ARENA_CPP_GRAPH_VIEW_H_
#define TFLITE_ARENA_CPP_GRAPH_VIEW_H_

#include <stdint.h>
#include <string.h>

#include "runtime.h"
#include "tflite_arena.h"

namespace tflite_arena {

// Callbacks that answer from `graph_info`, which must outlive whatever calls them.
TfliteArenaGraphInfo ViewOf(tflite::GraphInfo* graph_info);

// Enums of the runtime are read as the numbers that they are in memory: a future one need not be among the enum's.
template <typename Enum>
int32_t NumberOf(const Enum& value) {
  int32_t number;
  static_assert(sizeof(number) == sizeof(value), "an enum of C is an int here");
  memcpy(&number, &value, sizeof(number));
  return number;
}

// An absent array is an empty list. A negative size is refused: false, `list` untouched.
bool ListOf(const TfLiteIntArray* array, TfliteArenaIntList* list);
TfliteArenaIntList ListOf(const std::vector<int>& vector);

// The lists and the in-place flags of the node at this place in the execution plan; false as above.
bool NodeOf(const tflite::GraphInfo& graph_info, size_t index, TfliteArenaNode* node);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_GRAPH_VIEW_H_
