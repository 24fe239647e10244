// Telling the runtime what went wrong.
#ifndef TFLITE_ARENA_CPP_REPORT_H_
#define TFLITE_ARENA_CPP_REPORT_H_

#include "runtime.h"

namespace tflite_arena {

// Hands the text to the runtime, where there is one to hand it to.
inline void ReportError(TfLiteContext* context, const char* text) {
  if (context != nullptr && context->ReportError != nullptr) context->ReportError(context, "%s", text);
}

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_REPORT_H_
