// A call that the runtime has made of a planner, as the log and recordings tell of it.
#ifndef TFLITE_ARENA_CPP_CALL_H_
#define TFLITE_ARENA_CPP_CALL_H_

#include <stdint.h>

#include "tflite_arena.h"

namespace tflite_arena {

struct Call {
  enum Kind { kCreate, kPlan, kExecute, kReset, kResetAfter, kRelease, kAcquire, kQuestion };

  // Of another kind than an execution, and without a node.
  Call(Kind the_kind, const char* the_name) : kind(the_kind), name(the_name) {}
  static Call Execute(int first_node, int last_node) {
    Call call(kExecute, "execute");
    call.first_node = first_node;
    call.last_node = last_node;
    return call;
  }
  static Call ResetAfter(int node) {
    Call call(kResetAfter, "reset_after");
    call.first_node = node;
    return call;
  }

  Kind kind;
  const char* name;
  int32_t first_node = 0;  // of an execution, or the last node that ResetAllocationsAfter leaves as it is
  int32_t last_node = 0;   // of an execution
  uint64_t ns = 0;         // how long it took, if it was one that plans
  int32_t status = TFLITE_ARENA_STATUS_OK;
  const char* text = "";  // what went wrong

  bool failed() const { return status != TFLITE_ARENA_STATUS_OK; }
  // They read the graph, and are timed.
  bool plans() const { return kind == kPlan || kind == kExecute; }
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_CALL_H_
