// What operators are called.
#ifndef TFLITE_ARENA_CPP_OPERATOR_NAME_H_
#define TFLITE_ARENA_CPP_OPERATOR_NAME_H_

#include <stddef.h>
#include <stdint.h>

namespace tflite_arena {

constexpr size_t kOperatorNameSize = 64;

// The name that TensorFlow Lite's schema gives the builtin operator of this code, cut to fit; "BUILTIN_n" for one that came later.
void NameOperator(int32_t builtin_code, char (&name)[kOperatorNameSize]);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_OPERATOR_NAME_H_
