// Our classes over the headers of generation FAKE_GENERATION: each behaves as that generation's did.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "../check.h"
#include "runtime.h"

namespace {

using tflite::ArenaPlanner;
using GraphPointer = std::unique_ptr<tflite::GraphInfo>;

constexpr size_t kPadding = FAKE_GENERATION <= 8 ? 128 : 0;
constexpr int32_t kReshape = 22;
constexpr int32_t kSoftmax = 25;

// The constructor of this generation, and none of another.
template <typename... More>
constexpr bool TakesAfterTheGraph() {
  return std::is_constructible<ArenaPlanner, TfLiteContext*, GraphPointer, bool, More...>::value;
}
// A pointer to int cannot be an int or bool: it stands for an argument of its own.
enum class NoNumber {};
#if FAKE_GENERATION <= 3
static_assert(TakesAfterTheGraph<bool>() && TakesAfterTheGraph<bool, int>(), "preserve_inputs, preserve_intermediates");
static_assert(!TakesAfterTheGraph<bool, int, int>(), "no subgraph");
#else
static_assert(TakesAfterTheGraph<int>() && TakesAfterTheGraph<size_t>(), "an alignment, of which int is made");
static_assert(!TakesAfterTheGraph<>() && !TakesAfterTheGraph<NoNumber>(), "an alignment is asked for");
#endif

class Graph : public tflite::GraphInfo {
 public:
  int AddTensor(size_t bytes, TfLiteAllocationType type = kTfLiteArenaRw) {
    tensors_.emplace_back();
    tensors_.back().bytes = bytes;
    tensors_.back().allocation_type = type;
    return static_cast<int>(tensors_.size()) - 1;
  }
  void AddNode(int input, int output, int32_t builtin_code = kSoftmax) {
    lists_.push_back({1, {input}});
    TfLiteIntArray* const inputs = &lists_.back();
    lists_.push_back({1, {output}});
    nodes_.push_back({inputs, &lists_.back(), nullptr, nullptr, {}});
    TfLiteRegistration registration = {};
    registration.builtin_code = builtin_code;
#if FAKE_GENERATION >= 8
    registration.inplace_operator = builtin_code == kReshape ? 5 : 0;
#endif
    registrations_.push_back(registration);
  }
  void SetShape(int tensor, int size) {
    lists_.push_back({1, {size}});
    tensors_[static_cast<size_t>(tensor)].dims = &lists_.back();
  }
  char* data(int tensor) const { return tensors_[static_cast<size_t>(tensor)].data.raw; }

  std::vector<int> graph_inputs, graph_outputs;

  size_t num_tensors() const override { return tensors_.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors_[index]; }
#if FAKE_GENERATION >= 6
  TfLiteTensor* tensors() override { return tensors_.data(); }
#endif
#if FAKE_GENERATION >= 4
  size_t num_execution_nodes() const override { return nodes_.size(); }
  size_t num_total_nodes() const override { return nodes_.size(); }
#else
  size_t num_nodes() const override { return nodes_.size(); }
#endif
  const TfLiteNode& node(size_t index) const override { return nodes_[index]; }
#if FAKE_GENERATION >= 7
  const TfLiteRegistration& registration(size_t index) const override { return registrations_[index]; }
#endif
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return graph_inputs; }
  const std::vector<int>& outputs() const override { return graph_outputs; }
  const std::vector<int>& variables() const override { return no_variables_; }

 private:
  std::vector<TfLiteTensor> tensors_;
  std::deque<TfLiteIntArray> lists_;  // of which adding moves none
  std::vector<TfLiteNode> nodes_;
  std::vector<TfLiteRegistration> registrations_;
  std::vector<int> no_variables_;
};

// Tensor 0, the input, to tensor 1 and so on; the last one is the output. The nodes in between have this operator.
std::unique_ptr<Graph> Chain(const std::vector<size_t>& sizes, int32_t builtin_code = kSoftmax) {
  std::unique_ptr<Graph> graph(new Graph);
  const int last = static_cast<int>(sizes.size()) - 1;
  for (const size_t size : sizes) graph->AddTensor(size);
  for (int t = 0; t < last; ++t) graph->AddNode(t, t + 1, t == 0 || t == last - 1 ? kSoftmax : builtin_code);
  graph->graph_inputs = {0};
  graph->graph_outputs = {last};
  return graph;
}

std::string last_error;
void Remember(TfLiteContext*, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  last_error = text;
}
TfLiteContext context = {{}, Remember};

std::unique_ptr<ArenaPlanner> NewPlanner(std::unique_ptr<Graph> graph) {
#if FAKE_GENERATION <= 3
  return std::unique_ptr<ArenaPlanner>(new ArenaPlanner(&context, std::move(graph), true, false));
#elif FAKE_GENERATION <= 5
  return std::unique_ptr<ArenaPlanner>(new ArenaPlanner(&context, std::move(graph), false, 64));
#elif FAKE_GENERATION <= 9
  return std::unique_ptr<ArenaPlanner>(new ArenaPlanner(&context, std::move(graph), false, 64, 0));
#else
  return std::unique_ptr<ArenaPlanner>(new ArenaPlanner(&context, std::move(graph), false, 64, 0, nullptr));
#endif
}

size_t ArenaSize(const ArenaPlanner& planner) {
  size_t arena = 0, persistent = 0;
  planner.GetAllocInfo(&arena, &persistent);
  return arena;
}

// As the runtime does: through the vtable.
void PlanAndExecute(tflite::MemoryPlanner* planner) {
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  CHECK(planner->ExecuteAllocations(0, 100) == kTfLiteOk);
}

// x:64 lives to the end, at 0. A:256 and B:64 meet it and each other: 384 bytes.
void ReportsTheSizeOfItsGeneration() {
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(Chain({64, 256, 64}));
  size_t arena = 1, persistent = 1;
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(arena == 0 && persistent == 0);
  PlanAndExecute(planner.get());
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(arena == 384 + kPadding && persistent == kPadding);
}

void EveryVirtualFunctionReachesIt() {
  std::unique_ptr<Graph> graph = Chain({64, 256, 64});
  Graph* const seen = graph.get();
  std::unique_ptr<tflite::MemoryPlanner> planner = NewPlanner(std::move(graph));
  PlanAndExecute(planner.get());
  CHECK(seen->data(0) != nullptr && seen->data(2) != nullptr);
#if FAKE_GENERATION >= 3
  CHECK(planner->ResetAllocationsAfter(0) == kTfLiteOk);
  CHECK(seen->data(1) != nullptr && seen->data(2) == nullptr);
  CHECK(planner->ExecuteAllocations(1, 1) == kTfLiteOk);
  CHECK(seen->data(2) != nullptr);
#endif
#if FAKE_GENERATION >= 2
  CHECK(planner->HasNonPersistentMemory());
  CHECK(planner->ReleaseNonPersistentMemory() == kTfLiteOk);
  CHECK(!planner->HasNonPersistentMemory() && seen->data(0) == nullptr);
  CHECK(planner->AcquireNonPersistentMemory() == kTfLiteOk);
  CHECK(planner->HasNonPersistentMemory() && seen->data(0) != nullptr);
#endif
#if FAKE_GENERATION >= 5
  size_t arena = 0, persistent = 0;
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(arena == 384 + kPadding);
#endif
  CHECK(planner->ResetAllocations() == kTfLiteOk);
}

// A graph of no bytes has memory all the same: up to 2.15 the buffer had room to spare, later a flag says so.
void NoBytesAreMemoryToo() {
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(Chain({0, 0}));
  CHECK(!planner->HasNonPersistentMemory());
  PlanAndExecute(planner.get());
  CHECK(planner->HasNonPersistentMemory() && ArenaSize(*planner) == kPadding);
  CHECK(planner->ReleaseNonPersistentMemory() == kTfLiteOk);
  CHECK(!planner->HasNonPersistentMemory() && ArenaSize(*planner) == 0);
}

// The largest first: x at 0 for good, B:256 at 64, A:64 at 320. In order: x, A at 64, B at 128.
void PlacesInTheOrderOfItsGeneration() {
  std::unique_ptr<Graph> graph = Chain({64, 64, 256, 64});
  Graph* const seen = graph.get();
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(std::move(graph));
  PlanAndExecute(planner.get());
  const intptr_t base = planner->BasePointer(kTfLiteArenaRw);
  CHECK(base != 0 && planner->BasePointer(kTfLiteMmapRo) == 0);
  CHECK(reinterpret_cast<intptr_t>(seen->data(1)) - base == (FAKE_GENERATION <= 2 ? 64 : 320));
}

// From 2.12 on, first as one of a few operators, then by the flags of any.
void SharesFromItsGenerationOn() {
  for (const int32_t code : {kReshape, kSoftmax}) {
    std::unique_ptr<Graph> graph = Chain({64, 256, 256, 64}, code);
    Graph* const seen = graph.get();
    std::unique_ptr<ArenaPlanner> planner = NewPlanner(std::move(graph));
    PlanAndExecute(planner.get());
    CHECK((seen->data(2) == seen->data(1)) == (FAKE_GENERATION >= 7 && code == kReshape));
  }
}

// Without padding. With usage intervals and without, as far as the buffer goes.
void ArenasReportTheSizeOfTheirGeneration() {
  tflite::SimpleMemoryArena with(64), without(64);
  tflite::ArenaAllocWithUsageInterval interval;
  tflite::ArenaAlloc alloc;
  CHECK(with.Allocate(&context, 32, 10, 0, 0, 1, &interval) == kTfLiteOk);
  CHECK(without.Allocate(&context, 32, 10, &alloc) == kTfLiteOk);
  for (tflite::SimpleMemoryArena* arena : {&with, &without}) {
    CHECK(arena->GetBufferSize() == 0 && arena->BasePointer() == 0);
    CHECK(arena->RequiredBufferSize() == 10 + 128);
    CHECK(arena->Commit(&context) == kTfLiteOk);
    CHECK(arena->GetBufferSize() == 10 + kPadding && arena->BasePointer() % 64 == 0);
    CHECK(arena->ReleaseBuffer() == kTfLiteOk);
    CHECK(arena->GetBufferSize() == 0 && arena->BasePointer() == 0);
  }
  tflite::SimpleMemoryArena empty(64);
  bool moved = false;
  CHECK(empty.Commit(&context, &moved) == kTfLiteOk && moved == (kPadding > 0));
  CHECK(empty.Commit(&context, &moved) == kTfLiteOk && !moved);
}

// 0 [0, 1] 0..100, 1 [1, 2] 128..228; then 2 [2, 9] where 0 was.
void EveryMethodReachesTheArena() {
  tflite::SimpleMemoryArena arena(64);
  std::vector<tflite::ArenaAllocWithUsageInterval> allocs(3);
  const auto place = [&arena](int32_t tensor, int32_t first_node, int32_t last_node) {
    tflite::ArenaAllocWithUsageInterval alloc;
    CHECK(arena.Allocate(&context, 64, 100, tensor, first_node, last_node, &alloc) == kTfLiteOk);
    CHECK(alloc.size == 100 && alloc.tensor == tensor && alloc.last_node == last_node);
    return alloc;
  };
  allocs[0] = place(0, 0, 1);
  allocs[1] = place(1, 1, 2);
  CHECK(allocs[0].offset == 0 && allocs[1].offset == 128);
  arena.PurgeActiveAllocs(2);
  allocs[2] = place(2, 0, 9);
  CHECK(allocs[2].offset == 0);
  arena.PurgeAfter(0);
  CHECK(place(3, 1, 1).offset == 128);
  arena.CalculateActiveAllocs(allocs, 2);
  CHECK(arena.Deallocate(&context, allocs[2]) == kTfLiteOk);
  CHECK(place(4, 1, 9).offset == 0);
  arena.ResetAllocs();
  CHECK(place(5, 0, 9).offset == 0);

  char* at = nullptr;
  last_error.clear();
  CHECK(arena.ResolveAlloc(&context, allocs[1], &at) == kTfLiteError && at == nullptr && !last_error.empty());
  bool moved = false;
  CHECK(arena.Commit(&moved) == kTfLiteOk && moved);
  CHECK(arena.Commit(&context, &moved) == kTfLiteOk && !moved);
  CHECK(arena.ResolveAlloc(&context, allocs[1], &at) == kTfLiteOk);
  CHECK(reinterpret_cast<intptr_t>(at) == arena.BasePointer() + 128);
  CHECK(arena.ClearPlan() == kTfLiteOk && arena.ResolveAlloc(&context, allocs[1], &at) == kTfLiteError);
}

// 64 each. The two in the middle make one gap of 128.
void EveryMethodReachesTheClassicArena() {
  tflite::SimpleMemoryArena arena(64);
  tflite::ArenaAlloc allocs[4], wide;
  for (tflite::ArenaAlloc& alloc : allocs) CHECK(arena.Allocate(&context, 64, 64, &alloc) == kTfLiteOk);
  CHECK(arena.Deallocate(&context, allocs[2]) == kTfLiteOk && arena.Deallocate(&context, allocs[1]) == kTfLiteOk);
  last_error.clear();
  CHECK(arena.Deallocate(&context, allocs[1]) == kTfLiteError && !last_error.empty());
  CHECK(arena.Allocate(&context, 64, 128, &wide) == kTfLiteOk && wide.offset == 64 && wide.size == 128);
  CHECK(arena.RequiredBufferSize() == 256 + 128 && arena.Commit(&context) == kTfLiteOk);
  char* at = nullptr;
  CHECK(arena.ResolveAlloc(&context, wide, &at) == kTfLiteOk);
  CHECK(reinterpret_cast<intptr_t>(at) == arena.BasePointer() + 64);
  CHECK(arena.Clear() == kTfLiteOk && arena.RequiredBufferSize() == 128);
}

// Up to 2.11 the planner was not shown what operators nodes have.
void RecordsWhatItsGenerationShows() {
  char folder[] = "/tmp/tflite-arena-generation-XXXXXX";
  CHECK(mkdtemp(folder) != nullptr && setenv("TFLITE_ARENA_RECORD", folder, 1) == 0);
  std::unique_ptr<Graph> graph = Chain({64, 256, 256, 64}, kReshape);
  graph->SetShape(1, 16);
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(std::move(graph));
  PlanAndExecute(planner.get());
  planner.reset();
  const std::string path = std::string(folder) + "/tflite-arena-" + std::to_string(getpid()) + "-1.json";
  std::stringstream recording;
  recording << std::ifstream(path).rdbuf();
  CHECK(unlink(path.c_str()) == 0 && rmdir(folder) == 0);
  CHECK(recording.str().find("\"shape\":[16],\"bytes\":256") != std::string::npos);
  const char* const operators[] = {FAKE_GENERATION >= 7 ? "SOFTMAX" : "", FAKE_GENERATION >= 7 ? "RESHAPE" : ""};
  for (const char* const op : operators) {
    CHECK(recording.str().find(std::string("{\"op\":\"") + op + "\",\"inplace\":") != std::string::npos);
  }
}

#if FAKE_GENERATION <= 3
// x:64 is read for the last time by node 0, so that B may lie there: A:256 and 64 bytes.
void InputsAreFreedWhereAsked() {
  ArenaPlanner planner(&context, Chain({64, 256, 64}), false, false);
  PlanAndExecute(&planner);
  CHECK(ArenaSize(planner) == 320 + kPadding);
}
#endif

#if FAKE_GENERATION <= 5
// Tensors were asked for one by one; those that do not lie in one array cannot be planned.
void ScatteredTensorsAreRefused() {
  struct Scattered : Graph {
    TfLiteTensor* tensor(size_t index) override { return index == 0 ? &apart : Graph::tensor(index); }
    TfLiteTensor apart = {};
  };
  std::unique_ptr<Graph> graph(new Scattered);
  graph->AddTensor(64);
  graph->AddTensor(64);
  graph->AddNode(0, 1);
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(std::move(graph));
  CHECK(planner->PlanAllocations() == kTfLiteError);
}
#endif

#if FAKE_GENERATION >= 10
int blocks_alive = 0;
void* CountedAllocate(void*, size_t bytes, size_t alignment) {
  ++blocks_alive;
  void* block = nullptr;
  return posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}
void CountedDeallocate(void*, void* block, size_t, size_t) {
  --blocks_alive;
  free(block);
}

void AllocatorsAreAsked() {
  TfLiteAllocator allocator = {nullptr, CountedAllocate, nullptr, CountedDeallocate};
  {
    ArenaPlanner planner(&context, Chain({64, 256, 64}), false, 64, 0, &allocator);
    PlanAndExecute(&planner);
    CHECK(blocks_alive == 1);
    tflite::ResizableAlignedBuffer buffer(64, 0, &allocator);
    bool moved = false;
    CHECK(buffer.Resize(100, &moved) == kTfLiteOk && moved && blocks_alive == 2);
    CHECK(buffer.GetSize() == 100 && buffer.GetAlignment() == 64 && buffer.GetPtr() != nullptr);
    moved = true;
    CHECK(buffer.Resize(SIZE_MAX, &moved) == kTfLiteError && !moved && buffer.GetSize() == 100);
    tflite::SimpleMemoryArena arena(64, 0, &allocator);
    tflite::ArenaAllocWithUsageInterval alloc;
    CHECK(arena.Allocate(&context, 64, 100, 0, 0, 1, &alloc) == kTfLiteOk && arena.Commit(&moved) == kTfLiteOk);
    CHECK(blocks_alive == 3);
  }
  CHECK(blocks_alive == 0);
}

void* AllocateMisaligned(void* data, size_t bytes, size_t alignment) {
  return static_cast<char*>(CountedAllocate(data, bytes + 8, alignment)) + 8;
}
void DeallocateMisaligned(void* data, void* block, size_t bytes, size_t alignment) {
  CountedDeallocate(data, static_cast<char*>(block) - 8, bytes, alignment);
}

// They are given back, and nobody gets a pointer to them.
void MisalignedBlocksAreRefused() {
  TfLiteAllocator allocator = {nullptr, AllocateMisaligned, nullptr, DeallocateMisaligned};
  std::unique_ptr<Graph> graph = Chain({64, 256, 64});
  Graph* const seen = graph.get();
  ArenaPlanner planner(&context, std::move(graph), false, 64, 0, &allocator);
  CHECK(planner.PlanAllocations() == kTfLiteOk);
  last_error.clear();
  CHECK(planner.ExecuteAllocations(0, 1) == kTfLiteError && !last_error.empty());
  CHECK(seen->data(0) == nullptr && blocks_alive == 0);
}
#endif

}  // namespace

#ifdef TF_LITE_TENSORFLOW_PROFILER
namespace tflite {

std::vector<size_t> allocated, deallocated;
int last_subgraph = -1;
void OnTfLiteArenaAlloc(int subgraph_index, int, size_t num_bytes) {
  last_subgraph = subgraph_index;
  allocated.push_back(num_bytes);
}
void OnTfLiteArenaDealloc(int, int, size_t num_bytes) { deallocated.push_back(num_bytes); }

}  // namespace tflite

namespace {

void TheProfilerHears() {
  using tflite::allocated;
  using tflite::deallocated;
  allocated.clear();
  deallocated.clear();
  {
    std::unique_ptr<ArenaPlanner> planner = NewPlanner(Chain({64, 256, 64}));
    PlanAndExecute(planner.get());
    CHECK((allocated == std::vector<size_t>{384}) && deallocated.empty());
    CHECK(planner->ExecuteAllocations(0, 100) == kTfLiteOk);
    CHECK(planner->ReleaseNonPersistentMemory() == kTfLiteOk);
    CHECK(allocated.size() == 1 && (deallocated == std::vector<size_t>{384}));
    CHECK(planner->AcquireNonPersistentMemory() == kTfLiteOk);
    CHECK((allocated == std::vector<size_t>{384, 384}) && deallocated.size() == 1);
  }
  CHECK(allocated.size() == 2 && deallocated.size() == 2);
  {
    tflite::ResizableAlignedBuffer buffer(64, 0);
    bool moved;
    CHECK(buffer.Resize(10, &moved) == kTfLiteOk && buffer.Resize(5, &moved) == kTfLiteOk);
    CHECK(allocated.size() == 3 && deallocated.size() == 2);
  }
  CHECK(deallocated.back() == 10);
}

// The new buffer first, then the one that it takes the place of.
void TheProfilerHearsOfArenas() {
  using tflite::allocated;
  using tflite::deallocated;
  allocated.clear();
  deallocated.clear();
  {
    tflite::SimpleMemoryArena arena(64, 7);
    tflite::ArenaAllocWithUsageInterval alloc;
    bool moved;
    CHECK(arena.Commit(&moved) == kTfLiteOk && allocated.empty());
    CHECK(arena.Allocate(&context, 64, 100, 0, 0, 1, &alloc) == kTfLiteOk && allocated.empty());
    CHECK(arena.Commit(&moved) == kTfLiteOk && arena.Commit(&moved) == kTfLiteOk);
    CHECK((allocated == std::vector<size_t>{100}) && deallocated.empty() && tflite::last_subgraph == 7);
    CHECK(arena.Allocate(&context, 64, 30, 1, 0, 1, &alloc) == kTfLiteOk && arena.Commit(&moved) == kTfLiteOk);
    CHECK((allocated == std::vector<size_t>{100, 158}) && (deallocated == std::vector<size_t>{100}));
    CHECK(arena.ReleaseBuffer() == kTfLiteOk && arena.ReleaseBuffer() == kTfLiteOk);
    CHECK((deallocated == std::vector<size_t>{100, 158}));
    CHECK(arena.Commit(&moved) == kTfLiteOk && allocated.size() == 3);
  }
  CHECK(allocated.size() == 3 && (deallocated == std::vector<size_t>{100, 158, 158}));
}

}  // namespace
#endif

#if FAKE_GENERATION >= 4
namespace tflite {

std::vector<std::string> dumped;
void DumpArenaInfo(const std::string& name, const std::vector<int>& execution_plan, size_t arena_size,
                   const std::vector<ArenaAllocWithUsageInterval>& allocs) {
  std::string line = name + " " + std::to_string(execution_plan.size()) + " nodes, " + std::to_string(arena_size) + ":";
  for (const ArenaAllocWithUsageInterval& alloc : allocs) {
    line += " " + std::to_string(alloc.tensor) + "@" + std::to_string(alloc.offset) + "+" + std::to_string(alloc.size);
  }
  dumped.push_back(line);
}

}  // namespace tflite

namespace {

// Aliases are shown as well as the tensors whose bytes they use.
void DumpsGoToTheProgramsOwnDumper() {
  std::unique_ptr<ArenaPlanner> planner = NewPlanner(Chain({64, 256, 64}));
  PlanAndExecute(planner.get());
  static_cast<tflite::MemoryPlanner*>(planner.get())->DumpDebugInfo({0, 1});
  const std::string size = std::to_string(384 + kPadding), none = std::to_string(kPadding);
  CHECK(tflite::dumped.size() == 2);
  CHECK(tflite::dumped[0] == "kTfLiteArenaRw Dump: 2 nodes, " + size + ": 0@0+64 1@64+256 2@320+64");
  CHECK(tflite::dumped[1] == "kTfLiteArenaRwPersistent Dump: 2 nodes, " + none + ":");
}

// What is active, lowest offset first, and the size of the buffer. 0 and 1 meet, so that 1 lies behind; 2 begins when both
// have ended, and lies at 0 again.
void ArenasAreDumpedThereToo() {
  tflite::dumped.clear();
  tflite::SimpleMemoryArena arena(64);
  tflite::ArenaAllocWithUsageInterval alloc;
  CHECK(arena.Allocate(&context, 64, 100, 0, 0, 1, &alloc) == kTfLiteOk);
  CHECK(arena.Allocate(&context, 64, 30, 1, 0, 1, &alloc) == kTfLiteOk);
  CHECK(arena.Allocate(&context, 64, 10, 2, 2, 3, &alloc) == kTfLiteOk);
  arena.DumpDebugInfo("mine", {0, 1, 2});
  CHECK(arena.Commit(&context) == kTfLiteOk);
  arena.PurgeActiveAllocs(2);
  arena.DumpDebugInfo("later", {});
  CHECK(tflite::dumped.size() == 2);
  CHECK(tflite::dumped[0] == "mine 3 nodes, 0: 0@0+100 2@0+10 1@128+30");
  CHECK(tflite::dumped[1] == "later 0 nodes, " + std::to_string(158 + kPadding) + ": 2@0+10");
}

}  // namespace
#endif

// With an argument the recording is looked at, for which the environment must be another.
int main(int argc, char**) {
  if (argc > 1) {
    RecordsWhatItsGenerationShows();
    return 0;
  }
  ReportsTheSizeOfItsGeneration();
  EveryVirtualFunctionReachesIt();
  NoBytesAreMemoryToo();
  PlacesInTheOrderOfItsGeneration();
  SharesFromItsGenerationOn();
  ArenasReportTheSizeOfTheirGeneration();
  EveryMethodReachesTheArena();
  EveryMethodReachesTheClassicArena();
#if FAKE_GENERATION <= 3
  InputsAreFreedWhereAsked();
#endif
#if FAKE_GENERATION <= 5
  ScatteredTensorsAreRefused();
#endif
#if FAKE_GENERATION >= 10
  AllocatorsAreAsked();
  MisalignedBlocksAreRefused();
#endif
#ifdef TF_LITE_TENSORFLOW_PROFILER
  TheProfilerHears();
  TheProfilerHearsOfArenas();
#endif
#if FAKE_GENERATION >= 4
  DumpsGoToTheProgramsOwnDumper();
  ArenasAreDumpedThereToo();
#endif
  return 0;
}
