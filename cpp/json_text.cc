#include "json_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

namespace tflite_arena {

JsonText& JsonText::Open(char bracket) {
  BeginValue();
  text_.Add(bracket);
  return *this;
}

JsonText& JsonText::Close(char bracket) {
  text_.Add(bracket);
  return *this;
}

JsonText& JsonText::Key(const char* name) {
  String(name);
  text_.Add(':');
  return *this;
}

JsonText& JsonText::Number(int64_t value) {
  char digits[32];
  snprintf(digits, sizeof(digits), "%" PRId64, value);
  return Word(digits);
}

JsonText& JsonText::Number(uint64_t value) {
  char digits[32];
  snprintf(digits, sizeof(digits), "%" PRIu64, value);
  return Word(digits);
}

JsonText& JsonText::Word(const char* word) {
  BeginValue();
  Raw(word);
  return *this;
}

JsonText& JsonText::String(const char* text) {
  BeginValue();
  text_.Add('"');
  for (const char* at = text == nullptr ? "" : text; *at != '\0';) {
    const size_t length = Utf8Length(at);
    if (length == 0) {
      Raw("\\ufffd");
    } else if (static_cast<unsigned char>(*at) < ' ') {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(*at));
      Raw(escape);
    } else {
      if (*at == '"' || *at == '\\') text_.Add('\\');
      text_.Add(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  text_.Add('"');
  return *this;
}

JsonText& JsonText::Numbers(const int32_t* values, size_t count) {
  Open('[');
  for (size_t i = 0; i < count; ++i) Number(values[i]);
  return Close(']');
}

JsonText& JsonText::Line() {
  BeginValue();
  text_.Add('\n');
  return *this;
}

JsonText& JsonText::Append(const char* text, size_t length) {
  if (length == 0) return *this;
  BeginValue();
  text_.Add(text, length);
  return *this;
}

void JsonText::Raw(const char* text) { text_.Add(text, strlen(text)); }

// A line end was put there by Line, which has seen to the comma.
void JsonText::BeginValue() {
  if (text_.size() > 0 && strchr("[{:\n", text_[text_.size() - 1]) == nullptr) text_.Add(',');
}

}  // namespace tflite_arena
