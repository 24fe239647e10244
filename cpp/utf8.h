// Texts of others, which need not be what they should be.
#ifndef TFLITE_ARENA_CPP_UTF8_H_
#define TFLITE_ARENA_CPP_UTF8_H_

#include <stddef.h>

namespace tflite_arena {

// Bytes of the UTF-8 sequence that starts here, 0 where none does. `text` ends with a zero byte, which no sequence contains.
inline size_t Utf8Length(const char* text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  const unsigned char first = bytes[0];
  if (first < 0x80) return 1;
  const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && bytes[1] < 0xa0) || (first == 0xf0 && bytes[1] < 0x90);
  const bool surrogate = first == 0xed && bytes[1] > 0x9f;
  const bool too_large = first == 0xf4 && bytes[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : length;
}

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_UTF8_H_
