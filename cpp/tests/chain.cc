// Plans a small chain with names that JSON must escape, and says how each step went. What the environment asks for while it
// does so is looked at by environment_test.sh.
#include "test_graph.h"

int main() {
  test::Context context;
  std::unique_ptr<test::Graph> graph(new test::Graph);
  const int x = graph->AddTensor(64, "in \"quotes\"");
  const int a = graph->AddTensor(256, "back\\slash\ttab");
  const int b = graph->AddTensor(64, "gr\xc3\xbc\xc3\x9f and \xff");
  const int w = graph->AddTensor(1000, nullptr, kTfLiteMmapRo);
  graph->SetShape(x, {1, 16});
  graph->SetShape(a, {});
  graph->AddNode({x, w, -1}, {a});
  graph->AddNode({a}, {b}, kTfLiteInplaceOpInput0Shared | kTfLiteInplaceOpInput1Shared);
  graph->SetOperator(0, 32, "My\"Op\"\x01");
  graph->SetOperator(1, 25);
  graph->mutable_inputs() = {x};
  graph->mutable_outputs() = {b};
  tflite::ArenaPlanner planner(context.get(), std::move(graph), false, 64, 3);
  printf("early execute %d\n", planner.ExecuteAllocations(0, 1));
  printf("plan %d\n", planner.PlanAllocations());
  printf("execute %d\n", planner.ExecuteAllocations(0, 1));
  printf("reset_after %d\n", planner.ResetAllocationsAfter(0));
  printf("release %d\n", planner.ReleaseNonPersistentMemory());
  printf("acquire %d\n", planner.AcquireNonPersistentMemory());
  printf("reset %d\n", planner.ResetAllocations());
  printf("error %s\n", test::Context::LastError());
  return 0;
}
