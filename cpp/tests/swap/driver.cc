// A program that uses the runtime, and its planner's header, through what the target tells those who link it.
#include "tensorflow/lite/arena_planner.h"
#include "tensorflow/lite/interpreter.h"
#include "check.h"

int main() {
  CHECK(sizeof(tflite::ArenaPlanner) == tflite::SizeOfPlanner());
  tflite::RunChain();
  return 0;
}
