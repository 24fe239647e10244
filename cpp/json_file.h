// A JSON file that is never seen half written.
#ifndef TFLITE_ARENA_CPP_JSON_FILE_H_
#define TFLITE_ARENA_CPP_JSON_FILE_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

namespace tflite_arena {

// Written under another name in the same directory, and renamed by Commit. Failures are remembered: only Commit tells.
class JsonFile {
 public:
  JsonFile(const char* directory, const char* name);
  // Removes what was not committed.
  ~JsonFile();
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  void Raw(const char* text);
  void Number(int64_t value);
  void Number(uint64_t value);
  // Quoted and escaped; bytes that are not UTF-8 become U+FFFD. Null is the empty string.
  void String(const char* text);

  // 0, or the errno of the first failure.
  int Commit();

 private:
  void Put(const char* bytes, size_t count);
  void Flush();
  void Fail(int reason);

  int fd_ = -1;
  int failure_ = 0;
  size_t used_ = 0;
  char buffer_[4096];
  char path_[PATH_MAX];
  char temporary_path_[PATH_MAX];
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_JSON_FILE_H_
