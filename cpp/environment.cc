#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "tflite_arena.h"

namespace tflite_arena {
namespace {

Environment environment = {TFLITE_ARENA_STRATEGY_GREEDY, nullptr, nullptr, nullptr, nullptr};

constexpr struct {
  const char* name;
  int32_t strategy;
} kStrategies[] = {
    {"greedy", TFLITE_ARENA_STRATEGY_GREEDY},
    {"in-order", TFLITE_ARENA_STRATEGY_IN_ORDER},
    {"best", TFLITE_ARENA_STRATEGY_BEST},
    {"exact", TFLITE_ARENA_STRATEGY_EXACT},
};

const char* Variable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

void ReadStrategy() {
  const char* value = Variable("TFLITE_ARENA_STRATEGY");
  if (value == nullptr) return;
  for (const auto& known : kStrategies) {
    if (strcmp(value, known.name) == 0) {
      environment.strategy = known.strategy;
      environment.strategy_name = known.name;
      return;
    }
  }
  static char text[160];
  int length = snprintf(text, sizeof(text), "TFLITE_ARENA_STRATEGY=%.40s is not a strategy; these are:", value);
  for (const auto& known : kStrategies) {
    length += snprintf(text + length, sizeof(text) - static_cast<size_t>(length), " %s", known.name);
  }
  environment.bad_choice = text;
  Complain("%s", text);
}

// A copy from malloc, which stays right when the process changes its directory or its environment.
char* AbsolutePath(const char* variable, const char* path) {
  char absolute[PATH_MAX];
  char directory[PATH_MAX];
  int length;
  if (path[0] == '/') {
    length = snprintf(absolute, sizeof(absolute), "%s", path);
  } else if (getcwd(directory, sizeof(directory)) != nullptr) {
    length = snprintf(absolute, sizeof(absolute), "%s/%s", directory, path);
  } else {
    length = -1;
  }
  char* copy = nullptr;
  if (length >= 0 && static_cast<size_t>(length) < sizeof(absolute)) copy = strdup(absolute);
  if (copy == nullptr) Complain("%s=%s cannot be made an absolute path", variable, path);
  return copy;
}

// The path, if it can be opened with `flags`. It is kept until the process ends.
const char* UsablePath(const char* variable, int flags) {
  const char* value = Variable(variable);
  char* path = value == nullptr ? nullptr : AbsolutePath(variable, value);
  if (path == nullptr) return nullptr;
  const int fd = open(path, flags | O_CLOEXEC, 0644);
  if (fd < 0) {
    Complain("%s=%s cannot be used: %s", variable, path, strerror(errno));
    free(path);
    return nullptr;
  }
  close(fd);
  return path;
}

void Read() {
  ReadStrategy();
  const char* log = Variable("TFLITE_ARENA_LOG");
  environment.log = log != nullptr && strcmp(log, kLogToStderr) == 0
                        ? kLogToStderr
                        : UsablePath("TFLITE_ARENA_LOG", O_WRONLY | O_APPEND | O_CREAT);
  environment.record = UsablePath("TFLITE_ARENA_RECORD", O_RDONLY | O_DIRECTORY);
}

}  // namespace

const Environment& TheEnvironment() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, Read);
  return environment;
}

const char* NameOfStrategy(int32_t strategy) {
  for (const auto& known : kStrategies) {
    if (known.strategy == strategy) return known.name;
  }
  return "";
}

}  // namespace tflite_arena
