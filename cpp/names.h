// What operators and types of tensors are called.
#ifndef TFLITE_ARENA_CPP_NAMES_H_
#define TFLITE_ARENA_CPP_NAMES_H_

#include <stdint.h>

namespace tflite_arena {

// A name, cut to fit.
struct Name {
  char text[64];
};

// What TensorFlow Lite's schema calls the builtin operator of this code; "BUILTIN_n" for one that came later.
Name NameOfOperator(int32_t builtin_code);

// Of a TfLiteType; "TYPE_n" for one that came later.
Name NameOfType(int32_t type);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_NAMES_H_
