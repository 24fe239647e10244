// A file that is never seen half written.
#ifndef TFLITE_ARENA_CPP_WHOLE_FILE_H_
#define TFLITE_ARENA_CPP_WHOLE_FILE_H_

#include <limits.h>
#include <stddef.h>

namespace tflite_arena {

// Written under another name in the same directory, and renamed by Commit. Failures are remembered: only Commit tells.
class WholeFile {
 public:
  WholeFile(const char* directory, const char* name);
  // Removes what was not committed.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void Put(const char* bytes, size_t count);
  // 0, or the errno of the first failure.
  int Commit();

 private:
  void Fail(int reason);

  int fd_ = -1;
  int failure_ = 0;
  char path_[PATH_MAX];
  char temporary_path_[PATH_MAX];
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_WHOLE_FILE_H_
