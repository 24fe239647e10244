#include "operator_name.h"

#include <stdio.h>
#include <string.h>

namespace tflite_arena {
namespace {

constexpr char kNames[] =
#include "builtin_operators.inc"
    ;

}  // namespace

void NameOperator(int32_t builtin_code, char (&name)[kOperatorNameSize]) {
  const char* at = builtin_code < 0 ? nullptr : kNames;
  for (int32_t code = 0; at != nullptr && code < builtin_code; ++code) {
    at = strchr(at, ' ');
    if (at != nullptr) ++at;
  }
  if (at == nullptr) {
    snprintf(name, sizeof(name), "BUILTIN_%d", static_cast<int>(builtin_code));
  } else {
    snprintf(name, sizeof(name), "%.*s", static_cast<int>(strcspn(at, " ")), at);
  }
}

}  // namespace tflite_arena
