// What the user asked for in the process's environment.
#ifndef TFLITE_ARENA_CPP_ENVIRONMENT_H_
#define TFLITE_ARENA_CPP_ENVIRONMENT_H_

#include <stdint.h>

namespace tflite_arena {

struct Environment {
  int32_t strategy;           // TFLITE_ARENA_STRATEGY: a TfliteArenaStrategy
  const char* strategy_name;  // the same as it was written; null: it was not, and the runtime decides
  const char* log;            // TFLITE_ARENA_LOG: an absolute path or "stderr"; null: no log
  const char* record;         // TFLITE_ARENA_RECORD: the absolute path of a directory; null: no recordings
  const char* bad_choice;     // a value that would change plans makes no sense, and why: no plan is made; null: none
};

// Reads the variables at the first call; later changes of the environment are not seen. A bad value is reported on
// stderr once. All are ignored in a set-user-id program: it must not write where its caller says.
const Environment& TheEnvironment();

// A TfliteArenaStrategy as users write it.
const char* NameOfStrategy(int32_t strategy);

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_ENVIRONMENT_H_
