// Messages to the user, and the event log: one line of key=value pairs an event.
#ifndef TFLITE_ARENA_CPP_LOG_H_
#define TFLITE_ARENA_CPP_LOG_H_

#include <stddef.h>
#include <stdint.h>

namespace tflite_arena {

// The log path that means standard error.
constexpr char kLogToStderr[] = "stderr";

// "tflite-arena: " and the text, as one line on stderr.
__attribute__((format(printf, 1, 2))) void Complain(const char* format, ...);

// A TfliteArenaWrite that prints to standard output.
void PrintText(void* unused, const char* text, size_t length);

// Appends the text to the file, made if need be, in one write, so that lines of several processes do not mix. The file is
// opened each time: no descriptor of ours is left to be closed, inherited or reused by the process we live in. False: errno.
bool AppendToFile(const char* path, const char* text, size_t length);

// Written when it goes out of scope. Without a log (null) it does nothing.
class LogLine {
 public:
  LogLine(const char* log, const char* event, int planner, int subgraph);
  ~LogLine();
  LogLine(const LogLine&) = delete;
  LogLine& operator=(const LogLine&) = delete;

  LogLine& Number(const char* key, int64_t value);
  LogLine& Number(const char* key, uint64_t value);
  // As it is: must not contain blanks.
  LogLine& Word(const char* key, const char* value);
  // In double quotes, as UTF-8; quotes inside become single ones, control characters blanks, bytes that are not UTF-8 question marks,
  // and long texts are cut.
  LogLine& Text(const char* key, const char* value);

 private:
  void Append(const char* format, ...) __attribute__((format(printf, 2, 3)));

  const char* const log_;
  size_t length_ = 0;
  char line_[1024];
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_LOG_H_
