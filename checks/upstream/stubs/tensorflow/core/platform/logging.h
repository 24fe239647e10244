// What upstream's tests use of TensorFlow's logging, which the packages leave out.
#ifndef TFLITE_ARENA_CHECKS_UPSTREAM_LOGGING_H_
#define TFLITE_ARENA_CHECKS_UPSTREAM_LOGGING_H_

#include <cstdlib>
#include <iostream>

namespace stub {

// One line on standard error, written when the statement ends.
class Line {
 public:
  explicit Line(bool fatal) : fatal_(fatal) {}
  ~Line() {
    std::cerr << std::endl;
    if (fatal_) std::abort();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  std::ostream& stream() const { return std::cerr; }

 private:
  const bool fatal_;
};

}  // namespace stub

#define LOG(severity) ::stub::Line(false).stream()
#define CHECK(condition) \
  while (!(condition)) ::stub::Line(true).stream() << __FILE__ << ':' << __LINE__ << ": not so: " #condition

#endif  // TFLITE_ARENA_CHECKS_UPSTREAM_LOGGING_H_
