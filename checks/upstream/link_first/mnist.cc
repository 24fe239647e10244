// Runs each model that it is given over the images of a file, and prints every byte of every output.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace {

void Need(bool fact, const char* what) {
  if (fact) return;
  fprintf(stderr, "mnist: %s\n", what);
  exit(1);
}

void Run(const char* model_file, const std::vector<char>& images) {
  std::unique_ptr<tflite::FlatBufferModel> model = tflite::FlatBufferModel::BuildFromFile(model_file);
  Need(model != nullptr, "no model");
  tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, resolver)(&interpreter);
  Need(interpreter != nullptr && interpreter->AllocateTensors() == kTfLiteOk, "tensors cannot be allocated");
  const TfLiteTensor* const input = interpreter->tensor(interpreter->inputs()[0]);
  Need(input->bytes > 0 && images.size() >= input->bytes, "no image");
  for (size_t at = 0; at + input->bytes <= images.size(); at += input->bytes) {
    memcpy(input->data.raw, images.data() + at, input->bytes);
    Need(interpreter->Invoke() == kTfLiteOk, "the model does not run");
    for (const int index : interpreter->outputs()) {
      const TfLiteTensor* const output = interpreter->tensor(index);
      for (size_t i = 0; i < output->bytes; ++i) printf("%02x", static_cast<unsigned char>(output->data.raw[i]));
      printf("\n");
    }
  }
}

}  // namespace

// mnist IMAGES MODEL...
int main(int argc, char** argv) {
  Need(argc >= 3, "usage: mnist IMAGES MODEL...");
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> images((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (int i = 2; i < argc; ++i) Run(argv[i], images);
  return 0;
}
