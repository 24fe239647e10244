// JSON in the making.
#ifndef TFLITE_ARENA_CPP_JSON_TEXT_H_
#define TFLITE_ARENA_CPP_JSON_TEXT_H_

#include <stddef.h>
#include <stdint.h>

#include "array.h"

namespace tflite_arena {

// Values and members are appended, with a comma before each that is not the first of its list or object. Brackets, and that
// every member has a value, are the caller's business.
class JsonText {
 public:
  // A bracket that opens is the beginning of a value, or of a member's.
  JsonText& Open(char bracket);
  JsonText& Close(char bracket);
  // Its value is the next thing appended.
  JsonText& Key(const char* name);
  JsonText& Number(int64_t value);
  JsonText& Number(uint64_t value);
  JsonText& Number(int32_t value) { return Number(int64_t{value}); }
  JsonText& Bool(bool value) { return Word(value ? "true" : "false"); }
  JsonText& Null() { return Word("null"); }
  // Quoted and escaped; bytes that are not UTF-8 become U+FFFD. A null pointer is the empty string.
  JsonText& String(const char* text);
  JsonText& Numbers(const int32_t* values, size_t count);
  // Between two values or members, where a reader of the file is glad of it.
  JsonText& Line();

  // Values or members that were made elsewhere.
  JsonText& Append(const char* text, size_t length);
  void Clear() { text_.Clear(); }
  const char* data() const { return text_.data(); }
  size_t size() const { return text_.size(); }
  // False once memory was refused: something is missing.
  bool whole() const { return !text_.refused(); }

 private:
  // A value that needs no quotes.
  JsonText& Word(const char* word);
  void Raw(const char* text);
  void BeginValue();

  Array<char> text_;
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_JSON_TEXT_H_
