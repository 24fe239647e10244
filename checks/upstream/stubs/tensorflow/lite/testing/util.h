// What upstream's tests use of its testing library, which the packages leave out.
#ifndef TFLITE_ARENA_CHECKS_UPSTREAM_UTIL_H_
#define TFLITE_ARENA_CHECKS_UPSTREAM_UTIL_H_

namespace tflite {

// The stub of logging.h writes nowhere else.
inline void LogToStderr() {}

}  // namespace tflite

#endif  // TFLITE_ARENA_CHECKS_UPSTREAM_UTIL_H_
