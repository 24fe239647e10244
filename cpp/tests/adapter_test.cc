// tflite::ArenaPlanner as a runtime uses it: through MemoryPlanner's virtuals, on a graph of the runtime's own structs.
#include <new>

#include "test_graph.h"

namespace {

using test::Chain;
using test::Context;
using test::Graph;

// As the runtime makes its planners.
std::unique_ptr<tflite::MemoryPlanner> NewPlanner(Context* context, std::unique_ptr<Graph> graph,
                                                  bool preserve_all = false, int alignment = 64) {
  return std::unique_ptr<tflite::MemoryPlanner>(
      new tflite::ArenaPlanner(context->get(), std::move(graph), preserve_all, alignment, 0));
}

uintptr_t Address(const TfLiteTensor* tensor) { return reinterpret_cast<uintptr_t>(tensor->data); }

bool Disjoint(const TfLiteTensor* a, const TfLiteTensor* b) {
  return Address(a) + a->bytes <= Address(b) || Address(b) + b->bytes <= Address(a);
}

// x lives to the end at 0. A:256 is the largest of the rest: 64 to 320. B meets both: 320 to 384.
void PlansAndPlacesTheChain() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(!planner->HasNonPersistentMemory());
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  CHECK(planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(planner->HasNonPersistentMemory());
  for (size_t i = 0; i < 3; ++i) {
    CHECK(Address(graph->tensor(i)) != 0 && Address(graph->tensor(i)) % 64 == 0);
    memset(graph->tensor(i)->data, static_cast<int>(i), graph->tensor(i)->bytes);
  }
  CHECK(Disjoint(graph->tensor(0), graph->tensor(1)));
  CHECK(Disjoint(graph->tensor(1), graph->tensor(2)));
  size_t arena = 1, persistent = 1;
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(arena == 384 && persistent == 0);
  planner->GetAllocInfo(nullptr, nullptr);
  CHECK(Context::LastError()[0] == '\0');
}

void BasePointerIsWhereTheArenaBegins() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  tflite::ArenaPlanner planner(context.get(), std::move(owned), false, 64);
  CHECK(planner.PlanAllocations() == kTfLiteOk && planner.ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(planner.BasePointer(kTfLiteArenaRw) == reinterpret_cast<intptr_t>(graph->tensor(0)->data));
  CHECK(planner.BasePointer(kTfLiteCustom) == 0);
}

// An op that may write on its input does so: x is a graph input and stays, B takes A's bytes.
void InPlaceFlagsReachThePlanner() {
  Context context;
  std::unique_ptr<Graph> owned(new Graph);
  Graph* graph = owned.get();
  for (int i = 0; i < 4; ++i) graph->AddTensor(64);
  graph->AddNode({0}, {1});
  graph->AddNode({1}, {2}, kTfLiteInplaceOpInput0Shared);
  graph->AddNode({2}, {3});
  graph->mutable_inputs() = {0};
  graph->mutable_outputs() = {3};
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 2) == kTfLiteOk);
  CHECK(graph->tensor(1)->data == graph->tensor(2)->data);
  CHECK(graph->tensor(0)->data != graph->tensor(1)->data);
}

void TemporariesOfANodeArePlaced() {
  Context context;
  std::unique_ptr<Graph> owned(new Graph);
  Graph* graph = owned.get();
  for (int i = 0; i < 3; ++i) graph->AddTensor(64);
  graph->AddNode({0}, {1}, 0, {2});
  graph->mutable_inputs() = {0};
  graph->mutable_outputs() = {1};
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 0) == kTfLiteOk);
  CHECK(graph->tensor(2)->data != nullptr);
  CHECK(Disjoint(graph->tensor(2), graph->tensor(0)) && Disjoint(graph->tensor(2), graph->tensor(1)));
}

// All alive to the end: 64 + 256 + 64.
void PreserveAllKeepsEveryTensor() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  graph->AddTensor(64, "C");
  graph->AddNode({2}, {3});
  auto planner = NewPlanner(&context, std::move(owned), /*preserve_all=*/true);
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 2) == kTfLiteOk);
  size_t arena = 0, persistent = 0;
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(arena == 448);
}

void ReleaseAndAcquire() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(planner->ReleaseNonPersistentMemory() == kTfLiteOk);
  CHECK(!planner->HasNonPersistentMemory() && graph->tensor(1)->data == nullptr);
  CHECK(planner->AcquireNonPersistentMemory() == kTfLiteOk);
  CHECK(planner->HasNonPersistentMemory() && Address(graph->tensor(1)) == Address(graph->tensor(0)) + 64);
}

void ResetsReachThePlanner() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(planner->ResetAllocationsAfter(0) == kTfLiteOk);
  CHECK(graph->tensor(1)->data != nullptr && graph->tensor(2)->data == nullptr);
  CHECK(planner->ResetAllocations() == kTfLiteOk);
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(graph->tensor(2)->data != nullptr);
}

// Two answers only, and the precise one as a text.
void FailuresAreReportedInWords() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  owned->tensor(1)->bytes = SIZE_MAX - 32;
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  CHECK(Context::LastError()[0] == '\0');
  CHECK(planner->ExecuteAllocations(0, 1) == kTfLiteError);
  CHECK(strstr(Context::LastError(), "tensor 1") != nullptr);
}

void AListOfNegativeSizeIsRefused() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  owned->mutable_node(1).inputs->size = -1;
  auto planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteError);
  CHECK(Context::LastError()[0] != '\0');
}

// A planner that cannot be created says so at each call, and gives nothing out.
void BadAlignmentIsReportedByEveryCall() {
  for (const int alignment : {0, 48, -64}) {
    Context context;
    auto planner = NewPlanner(&context, Chain(), false, alignment);
    const TfLiteStatus statuses[] = {
        planner->PlanAllocations(),           planner->ExecuteAllocations(0, 1),
        planner->ResetAllocations(),          planner->ResetAllocationsAfter(0),
        planner->ReleaseNonPersistentMemory(), planner->AcquireNonPersistentMemory(),
    };
    for (const TfLiteStatus status : statuses) CHECK(status == kTfLiteError);
    CHECK(strstr(Context::LastError(), "no planner") != nullptr);
    CHECK(!planner->HasNonPersistentMemory());
    size_t arena = 1, persistent = 1;
    planner->GetAllocInfo(&arena, &persistent);
    CHECK(arena == 0 && persistent == 0);
    planner->DumpDebugInfo({0, 1});
  }
}

// Upstream's object is larger than ours, and its callers allocate that much: deleting must not depend on the size.
void ObjectsMayLieInALargerRoom() {
  Context context;
  void* room = ::operator new(2048);
  tflite::MemoryPlanner* planner = new (room) tflite::ArenaPlanner(context.get(), Chain(), false, 64);
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  delete planner;
}

// The graph belongs to the planner, and goes after it.
void TheGraphDiesWithThePlanner() {
  struct Counted : Graph {
    explicit Counted(int* deaths) : deaths_(deaths) {}
    ~Counted() override { ++*deaths_; }
    int* const deaths_;
  };
  int deaths = 0;
  Context context;
  delete new tflite::ArenaPlanner(context.get(), std::unique_ptr<Graph>(new Counted(&deaths)), false, 64);
  CHECK(deaths == 1);
}

}  // namespace

int main() {
  PlansAndPlacesTheChain();
  BasePointerIsWhereTheArenaBegins();
  InPlaceFlagsReachThePlanner();
  TemporariesOfANodeArePlaced();
  PreserveAllKeepsEveryTensor();
  ReleaseAndAcquire();
  ResetsReachThePlanner();
  FailuresAreReportedInWords();
  AListOfNegativeSizeIsRefused();
  BadAlignmentIsReportedByEveryCall();
  ObjectsMayLieInALargerRoom();
  TheGraphDiesWithThePlanner();
  return 0;
}
