// The part of TensorFlow Lite's binary interface that the adapter touches, on x86-64 Linux, for runtimes 2.14 and later.
//
// The preload library goes into runtimes whose headers are not at hand, so it is compiled against this file. Fields that
// nobody here reads are left as unnamed room. checks/layout compares every offset, size and value with a real TFLite
// header; the order of the virtual functions is the one the released runtimes were seen to use.
#ifndef TFLITE_ARENA_CPP_TFLITE_ABI_H_
#define TFLITE_ARENA_CPP_TFLITE_ABI_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

extern "C" {

enum TfLiteStatus { kTfLiteOk = 0, kTfLiteError = 1 };

enum TfLiteAllocationType {
  kTfLiteMemNone = 0,
  kTfLiteMmapRo = 1,
  kTfLiteArenaRw = 2,
  kTfLiteArenaRwPersistent = 3,
  kTfLiteDynamic = 4,
  kTfLitePersistentRo = 5,
  kTfLiteCustom = 6,
  kTfLiteVariantObject = 7,
};

// Bits of TfLiteRegistration::inplace_operator.
enum TfLiteInPlaceOp : uint64_t {
  kTfLiteInplaceOpNone = 0,
  kTfLiteInplaceOpDataUnmodified = 1,
  kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
  kTfLiteInplaceOpInput0Shared = 4,
  kTfLiteInplaceOpInput1Shared = 8,
  kTfLiteInplaceOpInput2Shared = 16,
};

struct TfLiteIntArray {
  int size;
  int data[1];  // really `size` of them
};

struct TfLiteTensor {
  int32_t type;
  void* data;
  TfLiteIntArray* dims;
  uint8_t room_for_scale[8];
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const void* allocation;
  const char* name;
  uint8_t room_for_delegate_and_quantization[48];
};

struct TfLiteNode {
  TfLiteIntArray* inputs;
  TfLiteIntArray* outputs;
  TfLiteIntArray* intermediates;
  TfLiteIntArray* temporaries;
  uint8_t room_for_operator_data[48];
};

struct TfLiteRegistration {
  uint8_t room_for_functions[0x28];
  int32_t builtin_code;
  const char* custom_name;
  uint8_t room_for_version_and_others[0x18];
  uint64_t inplace_operator;  // not there before 2.14: the struct ended here
};

struct TfLiteContext {
  uint8_t room_before_report_error[0x28];
  void (*ReportError)(TfLiteContext* context, const char* format, ...);
  // More follows. The runtime makes the contexts, so where they end does not matter here.
};

}  // extern "C"

static_assert(sizeof(void*) == 8 && sizeof(int) == 4, "this header describes x86-64 Linux only");
static_assert(sizeof(TfLiteRegistration) == 0x58, "inplace_operator ends the struct");

namespace tflite {

// How the runtime shows its graph to the planner. Nodes are counted in execution order.
class GraphInfo {
 public:
  virtual ~GraphInfo() = default;
  virtual size_t num_tensors() const = 0;
  virtual TfLiteTensor* tensor(size_t index) = 0;
  virtual TfLiteTensor* tensors() = 0;
  virtual size_t num_execution_nodes() const = 0;
  virtual size_t num_total_nodes() const = 0;
  virtual const TfLiteNode& node(size_t index) const = 0;
  virtual const TfLiteRegistration& registration(size_t index) const = 0;
  virtual size_t node_index(size_t index) const = 0;
  virtual const std::vector<int>& inputs() const = 0;
  virtual const std::vector<int>& outputs() const = 0;
  virtual const std::vector<int>& variables() const = 0;
};

// What the runtime calls a planner through. The order is the vtable's and must not change.
class MemoryPlanner {
 public:
  virtual ~MemoryPlanner() = default;
  virtual TfLiteStatus PlanAllocations() = 0;
  virtual TfLiteStatus ExecuteAllocations(int first_node, int last_node) = 0;
  virtual TfLiteStatus ResetAllocations() = 0;
  virtual TfLiteStatus ResetAllocationsAfter(int node) = 0;
  virtual TfLiteStatus ReleaseNonPersistentMemory() = 0;
  virtual TfLiteStatus AcquireNonPersistentMemory() = 0;
  virtual bool HasNonPersistentMemory() = 0;
  virtual void DumpDebugInfo(const std::vector<int>& execution_plan) const = 0;
  virtual void GetAllocInfo(size_t* arena_size, size_t* arena_persist_size) const = 0;
};

}  // namespace tflite

#endif  // TFLITE_ARENA_CPP_TFLITE_ABI_H_
