// In the place of the runtime's register.cc, which would bring all kernels along: those that the MNIST models use.
#include "tensorflow/lite/kernels/register.h"

namespace tflite {
namespace ops {
namespace builtin {

TfLiteRegistration* Register_ADD();
TfLiteRegistration* Register_AVERAGE_POOL_2D();
TfLiteRegistration* Register_CONV_2D();
TfLiteRegistration* Register_DEPTHWISE_CONV_2D();
TfLiteRegistration* Register_RESHAPE();
TfLiteRegistration* Register_SOFTMAX();

BuiltinOpResolver::BuiltinOpResolver() {
  AddBuiltin(BuiltinOperator_ADD, Register_ADD());
  AddBuiltin(BuiltinOperator_AVERAGE_POOL_2D, Register_AVERAGE_POOL_2D());
  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D());
  AddBuiltin(BuiltinOperator_DEPTHWISE_CONV_2D, Register_DEPTHWISE_CONV_2D());
  AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE());
  AddBuiltin(BuiltinOperator_SOFTMAX, Register_SOFTMAX());
}

const TfLiteRegistration* BuiltinOpResolver::FindOp(BuiltinOperator op, int version) const {
  return MutableOpResolver::FindOp(op, version);
}

const TfLiteRegistration* BuiltinOpResolver::FindOp(const char* op, int version) const {
  return MutableOpResolver::FindOp(op, version);
}

}  // namespace builtin
}  // namespace ops
}  // namespace tflite
