#include "names.h"

#include <stdio.h>
#include <string.h>

namespace tflite_arena {
namespace {

// Of a list with one blank between; what is not in it is called by its number.
Name NameIn(const char* list, int32_t number, const char* unknown) {
  const char* at = number < 0 ? nullptr : list;
  for (int32_t passed = 0; at != nullptr && passed < number; ++passed) {
    at = strchr(at, ' ');
    if (at != nullptr) ++at;
  }
  Name name;
  if (at == nullptr) {
    snprintf(name.text, sizeof(name.text), "%s_%d", unknown, static_cast<int>(number));
  } else {
    snprintf(name.text, sizeof(name.text), "%.*s", static_cast<int>(strcspn(at, " ")), at);
  }
  return name;
}

}  // namespace

Name NameOfOperator(int32_t builtin_code) {
  static constexpr char kNames[] =
#include "builtin_operators.inc"
      ;
  return NameIn(kNames, builtin_code, "BUILTIN");
}

Name NameOfType(int32_t type) {
  static constexpr char kNames[] =
#include "tensor_types.inc"
      ;
  return NameIn(kNames, type, "TYPE");
}

}  // namespace tflite_arena
