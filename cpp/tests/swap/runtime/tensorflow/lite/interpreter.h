#ifndef TENSORFLOW_LITE_INTERPRETER_H_
#define TENSORFLOW_LITE_INTERPRETER_H_

#include <stddef.h>

namespace tflite {

// Plans a chain of 64, 256 and 64 bytes, and says how large the arena is and where a bare arena places its second allocation.
void RunChain();

size_t SizeOfPlanner();

}  // namespace tflite

#endif  // TENSORFLOW_LITE_INTERPRETER_H_
