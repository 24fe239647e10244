// The C library as it is without the feature `inspect`, for a program that is linked with --wrap for these functions.
#include "tflite_arena.h"

extern "C" {

TfliteArenaStatus __wrap_tflite_arena_planner_set_event_callback(TfliteArenaPlanner*, TfliteArenaEventCallback, void*) {
  return TFLITE_ARENA_STATUS_UNSUPPORTED;
}

TfliteArenaStatus __wrap_tflite_arena_planner_visit_tensors(const TfliteArenaPlanner*, TfliteArenaVisitTensor, void*) {
  return TFLITE_ARENA_STATUS_UNSUPPORTED;
}

}  // extern "C"
