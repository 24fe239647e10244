#include "json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace tflite_arena {
namespace {

// Bytes of the UTF-8 sequence that starts here, 0 where none does. `text` ends with a zero byte, which no sequence contains.
size_t Utf8Length(const char* text) {
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

bool Join(char (&path)[PATH_MAX], const char* directory, const char* before, const char* name, const char* after) {
  const int length = snprintf(path, sizeof(path), "%s/%s%s%s", directory, before, name, after);
  return length >= 0 && static_cast<size_t>(length) < sizeof(path);
}

}  // namespace

JsonFile::JsonFile(const char* directory, const char* name) {
  if (!Join(path_, directory, "", name, "") || !Join(temporary_path_, directory, ".", name, ".tmp")) {
    Fail(ENAMETOOLONG);
    return;
  }
  fd_ = open(temporary_path_, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) Fail(errno);
}

JsonFile::~JsonFile() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(temporary_path_);
}

void JsonFile::Raw(const char* text) { Put(text, strlen(text)); }

void JsonFile::Number(int64_t value) {
  char digits[32];
  snprintf(digits, sizeof(digits), "%" PRId64, value);
  Raw(digits);
}

void JsonFile::Number(uint64_t value) {
  char digits[32];
  snprintf(digits, sizeof(digits), "%" PRIu64, value);
  Raw(digits);
}

void JsonFile::String(const char* text) {
  Raw("\"");
  for (const char* at = text == nullptr ? "" : text; *at != '\0';) {
    const size_t length = Utf8Length(at);
    if (length == 0) {
      Raw("\\ufffd");
    } else if (static_cast<unsigned char>(*at) < ' ') {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(*at));
      Raw(escape);
    } else {
      if (*at == '"' || *at == '\\') Raw("\\");
      Put(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  Raw("\"");
}

int JsonFile::Commit() {
  Flush();
  if (fd_ >= 0) {
    if (close(fd_) != 0) Fail(errno);
    if (failure_ == 0 && rename(temporary_path_, path_) != 0) Fail(errno);
    if (failure_ != 0) unlink(temporary_path_);
    fd_ = -1;
  }
  return failure_;
}

void JsonFile::Put(const char* bytes, size_t count) {
  while (count > 0 && failure_ == 0) {
    if (used_ == sizeof(buffer_)) Flush();
    const size_t room = sizeof(buffer_) - used_;
    const size_t part = count < room ? count : room;
    memcpy(buffer_ + used_, bytes, part);
    used_ += part;
    bytes += part;
    count -= part;
  }
}

void JsonFile::Flush() {
  size_t done = 0;
  while (done < used_ && failure_ == 0) {
    const ssize_t written = write(fd_, buffer_ + done, used_ - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno != EINTR) {
      Fail(errno);
    }
  }
  used_ = 0;
}

void JsonFile::Fail(int reason) {
  if (failure_ == 0) failure_ = reason;
}

}  // namespace tflite_arena
