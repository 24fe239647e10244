/* A small test framework: a check that fails prints where, what was expected and what came, and the
   test goes on, so that one run shows everything that is wrong. main() ends with
   `return check_finish();`, which fails too when nothing was checked at all. */
#ifndef TFLITE_ARENA_CTESTS_CHECK_H
#define TFLITE_ARENA_CTESTS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each takes the checked expression's text; each returns whether the check held. */
bool check_true(const char *file, int line, const char *text, bool actual);
bool check_size(const char *file, int line, const char *text, size_t actual, size_t expected);
bool check_int(const char *file, int line, const char *text, int64_t actual, int64_t expected);
bool check_pointer(const char *file, int line, const char *text, const void *actual,
                   const void *expected);
bool check_status(const char *file, int line, const char *text, int32_t actual, int32_t expected);

/* Holds for the library's own error codes (100 and up) only. */
bool check_refused(const char *file, int line, const char *text, int32_t actual);

/* Holds when `text` (NULL never) contains `part`. */
bool check_contains(const char *file, int line, const char *what, const char *text,
                    const char *part);

/* Names the situation that the following checks belong to; printed with each failure. */
void check_situation(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
void check_no_situation(void);

size_t check_failures(void);

/* Prints the counts; 0 when at least one check ran and none failed, else 1. */
int check_finish(void);

#ifdef __cplusplus
}
#endif

#define CHECK(condition) check_true(__FILE__, __LINE__, #condition, (condition))
#define CHECK_SIZE(actual, expected) check_size(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_INT(actual, expected) check_int(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_POINTER(actual, expected) \
  check_pointer(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_STATUS(actual, expected) \
  check_status(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_OK(actual) check_status(__FILE__, __LINE__, #actual, (actual), 0)
#define CHECK_REFUSED(actual) check_refused(__FILE__, __LINE__, #actual, (actual))
#define CHECK_CONTAINS(text, part) check_contains(__FILE__, __LINE__, #text, (text), (part))

#endif
