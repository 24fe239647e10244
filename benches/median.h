/* What benches in C measure with. */
#ifndef TFLITE_ARENA_BENCHES_MEDIAN_H
#define TFLITE_ARENA_BENCHES_MEDIAN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Microseconds of processor time of this thread. */
static inline double now(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static inline int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

/* Sorts them. */
static inline double median(double *times, size_t count) {
  qsort(times, count, sizeof *times, compare);
  return times[count / 2];
}

/* A file's name without its folder, and without all from the first dot on. */
static inline void name_of(const char *path, char *name, size_t room) {
  const char *slash = strrchr(path, '/');
  snprintf(name, room, "%s", slash == NULL ? path : slash + 1);
  name[strcspn(name, ".")] = '\0';
}

#endif
