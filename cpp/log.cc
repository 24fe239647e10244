#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

namespace tflite_arena {
namespace {

// A line is not worth a retry: what does not fit into a full pipe or disk is lost.
bool WriteOnce(int fd, const char* text, size_t length) {
  return write(fd, text, length) == static_cast<ssize_t>(length);
}

}  // namespace

void Complain(const char* format, ...) {
  char line[1024] = "tflite-arena: ";
  const size_t begin = strlen(line);
  const size_t room = sizeof(line) - begin - 1;  // one byte is the line end's
  va_list arguments;
  va_start(arguments, format);
  const int wanted = vsnprintf(line + begin, room, format, arguments);
  va_end(arguments);
  if (wanted < 0) return;
  const size_t length = strlen(line);
  line[length] = '\n';
  WriteOnce(STDERR_FILENO, line, length + 1);
}

void PrintText(void*, const char* text, size_t length) { fwrite(text, 1, length, stdout); }

bool AppendToFile(const char* path, const char* text, size_t length) {
  const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  const bool written = WriteOnce(fd, text, length);
  const int reason = errno;
  close(fd);
  errno = reason;
  return written;
}

LogLine::LogLine(const char* log, const char* event, int planner, int subgraph) : log_(log) {
  Append("tflite-arena pid=%d planner=%d subgraph=%d event=%s", static_cast<int>(getpid()), planner, subgraph, event);
}

LogLine::~LogLine() {
  if (log_ == nullptr) return;
  line_[length_++] = '\n';
  if (strcmp(log_, kLogToStderr) == 0) {
    WriteOnce(STDERR_FILENO, line_, length_);
  } else {
    // It could be opened when the first planner was made. There is no better place to say that it no longer can.
    AppendToFile(log_, line_, length_);
  }
}

LogLine& LogLine::Number(const char* key, int64_t value) {
  Append(" %s=%" PRId64, key, value);
  return *this;
}

LogLine& LogLine::Number(const char* key, uint64_t value) {
  Append(" %s=%" PRIu64, key, value);
  return *this;
}

LogLine& LogLine::Word(const char* key, const char* value) {
  Append(" %s=%s", key, value);
  return *this;
}

LogLine& LogLine::Text(const char* key, const char* value) {
  char clean[512];
  size_t length = 0;
  for (const char* at = value; *at != '\0';) {
    const size_t taken = Utf8Length(at);
    if (length + (taken == 0 ? 1 : taken) >= sizeof(clean)) break;
    const bool is_control = static_cast<unsigned char>(*at) < ' ' || *at == '\x7f';
    if (taken > 1) {
      memcpy(clean + length, at, taken);
      length += taken;
    } else {
      clean[length++] = taken == 0 ? '?' : *at == '"' ? '\'' : is_control ? ' ' : *at;
    }
    at += taken == 0 ? 1 : taken;
  }
  clean[length] = '\0';
  Append(" %s=\"%s\"", key, clean);
  return *this;
}

void LogLine::Append(const char* format, ...) {
  if (log_ == nullptr) return;
  const size_t room = sizeof(line_) - length_ - 1;  // one byte is the line end's
  va_list arguments;
  va_start(arguments, format);
  const int wanted = vsnprintf(line_ + length_, room, format, arguments);
  va_end(arguments);
  if (wanted < 0) return;
  length_ += static_cast<size_t>(wanted) < room ? static_cast<size_t>(wanted) : room - 1;
}

}  // namespace tflite_arena
