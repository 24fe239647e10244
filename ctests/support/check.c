#include "check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tflite_arena.h"

static size_t checks;
static size_t failures;
static char situation[256];

/* The 101st failure is rarely news: a broken run must not fill the disk. */
enum { MAX_PRINTED = 100 };

static bool record(bool held, const char *file, int line, const char *text) {
  checks++;
  if (held) return true;
  failures++;
  if (failures > MAX_PRINTED) return false;
  fprintf(stderr, "%s:%d: %s", file, line, text);
  if (situation[0] != '\0') fprintf(stderr, " [%s]", situation);
  return false;
}

#define EXPLAIN(...)                                          \
  do {                                                        \
    if (failures <= MAX_PRINTED) fprintf(stderr, __VA_ARGS__); \
  } while (0)

bool check_true(const char *file, int line, const char *text, bool actual) {
  if (record(actual, file, line, text)) return true;
  EXPLAIN(": expected true, is false\n");
  return false;
}

bool check_size(const char *file, int line, const char *text, size_t actual, size_t expected) {
  if (record(actual == expected, file, line, text)) return true;
  EXPLAIN(": expected %zu, is %zu\n", expected, actual);
  return false;
}

bool check_int(const char *file, int line, const char *text, int64_t actual, int64_t expected) {
  if (record(actual == expected, file, line, text)) return true;
  EXPLAIN(": expected %" PRId64 ", is %" PRId64 "\n", expected, actual);
  return false;
}

bool check_pointer(const char *file, int line, const char *text, const void *actual,
                   const void *expected) {
  if (record(actual == expected, file, line, text)) return true;
  EXPLAIN(": expected %p, is %p\n", expected, actual);
  return false;
}

bool check_status(const char *file, int line, const char *text, int32_t actual, int32_t expected) {
  if (record(actual == expected, file, line, text)) return true;
  EXPLAIN(": expected status %" PRId32 " (%s), is %" PRId32 " (%s)\n", expected,
          tflite_arena_status_text(expected), actual, tflite_arena_status_text(actual));
  return false;
}

bool check_refused(const char *file, int line, const char *text, int32_t actual) {
  if (record(actual >= 100, file, line, text)) return true;
  EXPLAIN(": expected a status of 100 or more, is %" PRId32 " (%s)\n", actual,
          tflite_arena_status_text(actual));
  return false;
}

bool check_contains(const char *file, int line, const char *what, const char *text,
                    const char *part) {
  if (record(text != NULL && strstr(text, part) != NULL, file, line, what)) return true;
  EXPLAIN(": expected a text with \"%s\" in it, is \"%s\"\n", part, text ? text : "(null)");
  return false;
}

void check_situation(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(situation, sizeof situation, format, arguments);
  va_end(arguments);
}

void check_no_situation(void) { situation[0] = '\0'; }

size_t check_failures(void) { return failures; }

int check_finish(void) {
  printf("%zu checks, %zu failed\n", checks, failures);
  if (checks == 0) fprintf(stderr, "nothing was checked\n");
  return checks > 0 && failures == 0 ? 0 : 1;
}
