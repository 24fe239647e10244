// A runtime's classes as generation FAKE_GENERATION has them, 1 to 10 as docs/compat.md counts them: what a planner touches
// of them, at the real ones' offsets (x86-64 Linux), and in the order of their vtables. checks/differential runs real planners
// over them.
#ifndef TFLITE_ARENA_CPP_TESTS_GENERATION_TYPES_H_
#define TFLITE_ARENA_CPP_TESTS_GENERATION_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

extern "C" {

typedef enum { kTfLiteOk = 0, kTfLiteError = 1 } TfLiteStatus;
typedef enum TfLiteAllocationType {
  kTfLiteMemNone,
  kTfLiteMmapRo,
  kTfLiteArenaRw,
  kTfLiteArenaRwPersistent,
  kTfLiteDynamic,
  kTfLitePersistentRo,
  kTfLiteCustom,
} TfLiteAllocationType;

typedef struct TfLiteIntArray {
  int size;
  int data[4];
} TfLiteIntArray;

typedef union {
  char* raw;
} TfLitePtrUnion;

typedef struct TfLiteTensor {
  int32_t type;
  TfLitePtrUnion data;
  TfLiteIntArray* dims;
  uint8_t room_for_scale[8];
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const void* allocation;
  const char* name;
  uint8_t room_for_delegate_and_quantization[48];
} TfLiteTensor;

typedef struct TfLiteNode {
  TfLiteIntArray* inputs;
  TfLiteIntArray* outputs;
  TfLiteIntArray* intermediates;
  TfLiteIntArray* temporaries;
  uint8_t room_for_operator_data[48];
} TfLiteNode;

typedef struct TfLiteRegistration {
  uint8_t room_for_functions[0x28];
  int32_t builtin_code;
  const char* custom_name;
#if FAKE_GENERATION >= 8
  uint8_t room_for_version_and_others[0x18];
  uint64_t inplace_operator;
#endif
} TfLiteRegistration;

typedef struct TfLiteContext {
  uint8_t room_before_report_error[0x28];
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
