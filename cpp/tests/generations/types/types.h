// A runtime's classes as generation FAKE_GENERATION has them: what the adapter touches of them, and in the order of the real
// ones' vtables. Generations 1 to 10 began with 1.14, 2.1, 2.2, 2.7, 2.10, 2.11, 2.12, 2.14, 2.16 and LiteRT 2.2.
#ifndef TFLITE_ARENA_CPP_TESTS_GENERATION_TYPES_H_
#define TFLITE_ARENA_CPP_TESTS_GENERATION_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

extern "C" {

typedef enum { kTfLiteOk = 0, kTfLiteError = 1 } TfLiteStatus;
typedef enum { kTfLiteMemNone, kTfLiteMmapRo, kTfLiteArenaRw, kTfLiteArenaRwPersistent } TfLiteAllocationType;

typedef struct TfLiteIntArray {
  int size;
  int data[4];
} TfLiteIntArray;

typedef union {
  char* raw;
} TfLitePtrUnion;

typedef struct TfLiteTensor {
  TfLitePtrUnion data;
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const char* name;
} TfLiteTensor;

typedef struct TfLiteNode {
  TfLiteIntArray* inputs;
  TfLiteIntArray* outputs;
  TfLiteIntArray* temporaries;
} TfLiteNode;

typedef struct TfLiteRegistration {
  int32_t builtin_code;
#if FAKE_GENERATION >= 8
  uint64_t inplace_operator;
#endif
} TfLiteRegistration;

typedef struct TfLiteContext {
  void (*ReportError)(struct TfLiteContext*, const char* format, ...);
} TfLiteContext;

#if FAKE_GENERATION >= 10
typedef struct TfLiteAllocator {
  void* data;
  void* (*allocate)(void* data, size_t bytes, size_t alignment);
  void* (*reallocate)(void* data, void* ptr, size_t old_bytes, size_t new_bytes, size_t alignment);
  void (*deallocate)(void* data, void* ptr, size_t bytes, size_t alignment);
} TfLiteAllocator;
#endif

}  // extern "C"

namespace tflite {

class GraphInfo {
 public:
  virtual ~GraphInfo() {}
  virtual size_t num_tensors() const = 0;
  virtual TfLiteTensor* tensor(size_t index) = 0;
#if FAKE_GENERATION >= 6
  virtual TfLiteTensor* tensors() = 0;
#endif
#if FAKE_GENERATION >= 4
  virtual size_t num_execution_nodes() const = 0;
  virtual size_t num_total_nodes() const = 0;
#else
  virtual size_t num_nodes() const = 0;
#endif
  virtual const TfLiteNode& node(size_t index) const = 0;
#if FAKE_GENERATION >= 7
  virtual const TfLiteRegistration& registration(size_t index) const = 0;
#endif
  virtual size_t node_index(size_t index) const = 0;
  virtual const std::vector<int>& inputs() const = 0;
  virtual const std::vector<int>& outputs() const = 0;
  virtual const std::vector<int>& variables() const = 0;
};

class MemoryPlanner {
 public:
  virtual ~MemoryPlanner() {}
  virtual TfLiteStatus PlanAllocations() = 0;
  virtual TfLiteStatus ExecuteAllocations(int first_node, int last_node) = 0;
  virtual TfLiteStatus ResetAllocations() = 0;
#if FAKE_GENERATION >= 3
  virtual TfLiteStatus ResetAllocationsAfter(int node) = 0;
#endif
#if FAKE_GENERATION >= 2
  virtual TfLiteStatus ReleaseNonPersistentMemory() = 0;
  virtual TfLiteStatus AcquireNonPersistentMemory() = 0;
  virtual bool HasNonPersistentMemory() = 0;
#endif
#if FAKE_GENERATION >= 4
  virtual void DumpDebugInfo(const std::vector<int>& execution_plan) const = 0;
#endif
#if FAKE_GENERATION >= 5
  virtual void GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const = 0;
#endif
};

}  // namespace tflite

#endif  // TFLITE_ARENA_CPP_TESTS_GENERATION_TYPES_H_
