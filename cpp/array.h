// A growing array that tells when memory is out. The preload library has no C++ library to take std::vector's memory from, and
// nothing to catch what it would throw.
#ifndef TFLITE_ARENA_CPP_ARRAY_H_
#define TFLITE_ARENA_CPP_ARRAY_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

namespace tflite_arena {

// Of values that may be copied as bytes. Refused memory is remembered: from then on nothing is added.
template <typename T>
class Array {
 public:
  static_assert(std::is_trivial<T>::value, "moved by realloc");

  Array() = default;
  ~Array() { free(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void Add(const T* values, size_t count) {
    if (count == 0 || !MakeRoom(count)) return;
    memcpy(data_ + size_, values, count * sizeof(T));
    size_ += count;
  }
  void Add(const T& value) { Add(&value, 1); }
  // Keeps the room.
  void Clear() { size_ = 0; }
  void Swap(Array* other) {
    T* const data = data_;
    const size_t size = size_, room = room_;
    const bool refused = refused_;
    data_ = other->data_, size_ = other->size_, room_ = other->room_, refused_ = other->refused_;
    other->data_ = data, other->size_ = size, other->room_ = room, other->refused_ = refused;
  }

  const T* data() const { return data_; }
  size_t size() const { return size_; }
  const T& operator[](size_t index) const { return data_[index]; }
  bool refused() const { return refused_; }

 private:
  bool MakeRoom(size_t count) {
    if (count <= room_ - size_) return !refused_;
    constexpr size_t kMost = SIZE_MAX / sizeof(T) / 4;
    const size_t needed = size_ + count;
    T* larger = nullptr;
    if (!refused_ && count < kMost && needed < kMost) {
      larger = static_cast<T*>(realloc(data_, 2 * needed * sizeof(T)));
    }
    if (larger == nullptr) {
      refused_ = true;
      return false;
    }
    data_ = larger;
    room_ = 2 * needed;
    return true;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
  bool refused_ = false;
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_ARRAY_H_
