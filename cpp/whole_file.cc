#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace tflite_arena {
namespace {

bool Join(char (&path)[PATH_MAX], const char* directory, const char* before, const char* name, const char* after) {
  const int length = snprintf(path, sizeof(path), "%s/%s%s%s", directory, before, name, after);
  return length >= 0 && static_cast<size_t>(length) < sizeof(path);
}

}  // namespace

WholeFile::WholeFile(const char* directory, const char* name) {
  if (!Join(path_, directory, "", name, "") || !Join(temporary_path_, directory, ".", name, ".tmp")) {
    Fail(ENAMETOOLONG);
    return;
  }
  fd_ = open(temporary_path_, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd_ < 0) Fail(errno);
}

WholeFile::~WholeFile() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(temporary_path_);
}

void WholeFile::Put(const char* bytes, size_t count) {
  while (count > 0 && failure_ == 0) {
    const ssize_t written = write(fd_, bytes, count);
    if (written >= 0) {
      bytes += written;
      count -= static_cast<size_t>(written);
    } else if (errno != EINTR) {
      Fail(errno);
    }
  }
}

int WholeFile::Commit() {
  if (fd_ >= 0) {
    if (close(fd_) != 0) Fail(errno);
    if (failure_ == 0 && rename(temporary_path_, path_) != 0) Fail(errno);
    if (failure_ != 0) unlink(temporary_path_);
    fd_ = -1;
  }
  return failure_;
}

void WholeFile::Fail(int reason) {
  if (failure_ == 0) failure_ = reason;
}

}  // namespace tflite_arena
