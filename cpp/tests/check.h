// The assertion of the adapter's tests.
#ifndef TFLITE_ARENA_CPP_TESTS_CHECK_H_
#define TFLITE_ARENA_CPP_TESTS_CHECK_H_

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

#endif  // TFLITE_ARENA_CPP_TESTS_CHECK_H_
