// Which generation of TFLite the headers on the include path belong to, told by the members that its classes have.
#ifndef TFLITE_ARENA_OVERLAY_GENERATION_H_
#define TFLITE_ARENA_OVERLAY_GENERATION_H_

#include <type_traits>

namespace tflite_arena {

// Has_NAME<Class>::value says whether the class has a member of that name.
#define TFLITE_ARENA_HAS(name)                                                                           \
  template <typename Class, typename = void>                                                             \
  struct Has_##name : std::false_type {};                                                                \
  template <typename Class>                                                                              \
  struct Has_##name<Class, decltype(static_cast<void>(&Class::name))> : std::true_type {};

TFLITE_ARENA_HAS(ReleaseNonPersistentMemory)  // MemoryPlanner from 2.1
TFLITE_ARENA_HAS(ResetAllocationsAfter)       // MemoryPlanner from 2.2
TFLITE_ARENA_HAS(DumpDebugInfo)               // MemoryPlanner from 2.7
TFLITE_ARENA_HAS(tensors)                     // GraphInfo from 2.11
TFLITE_ARENA_HAS(inplace_operator)            // TfLiteRegistration from 2.14

#undef TFLITE_ARENA_HAS

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_OVERLAY_GENERATION_H_
