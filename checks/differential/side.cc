// Compiled once for each generation, against headers with that generation's shapes: a planner from outside and ours are called
// through the same vtable declaration, on graphs of the same class.
#include "side.h"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "runtime.h"

namespace differential {
namespace {

constexpr size_t kFarAway = size_t{1} << 20;  // beyond any arena of these sequences
char custom_memory[64];

struct Free {
  void operator()(TfLiteIntArray* array) const { std::free(array); }
};
using IntArray = std::unique_ptr<TfLiteIntArray, Free>;

IntArray NewIntArray(const std::vector<int>& values) {
  IntArray array(static_cast<TfLiteIntArray*>(std::malloc(sizeof(TfLiteIntArray) + sizeof(int) * values.size())));
  if (array == nullptr) std::abort();
  array->size = static_cast<int>(values.size());
  if (!values.empty()) std::memcpy(array->data, values.data(), sizeof(int) * values.size());
  return array;
}

// The graph in TFLite's structs.
class World {
 public:
  explicit World(const Sequence& sequence)
      : inputs(sequence.inputs), outputs(sequence.outputs), variables(sequence.variables) {
    for (const Tensor& tensor : sequence.tensors) AddTensor(tensor.bytes, tensor.type);
    for (const Node& node : sequence.nodes) AddNode(node);
  }

  void AddTensor(size_t bytes, int type) {
    tensors.push_back({});
    tensors.back().bytes = bytes;
    SetType(tensors.size() - 1, type);
  }
  void SetType(size_t index, int type) {
    tensors[index].allocation_type = static_cast<TfLiteAllocationType>(type);
    if (type == kCustom) tensors[index].data.raw = custom_memory;
    if (type == kDynamic) tensors[index].data.raw = nullptr;
  }
  void AddTemporary(size_t node, int tensor) {
    std::vector<int> list = temporaries_[node];
    list.push_back(tensor);
    temporaries_[node] = list;
    nodes[node].temporaries = Keep(list);
  }

  std::vector<TfLiteTensor> tensors;
  std::vector<TfLiteNode> nodes;
  std::vector<TfLiteRegistration> registrations;
  std::vector<int> inputs, outputs, variables;

 private:
  TfLiteIntArray* Keep(const std::vector<int>& values) {
    lists_.push_back(NewIntArray(values));
    return lists_.back().get();
  }
  void AddNode(const Node& node) {
    TfLiteNode its = {};
    its.inputs = Keep(node.inputs);
    its.outputs = Keep(node.outputs);
    its.temporaries = Keep(node.temporaries);
    nodes.push_back(its);
    temporaries_.push_back(node.temporaries);
    TfLiteRegistration registration = {};
#if FAKE_GENERATION == 7
    constexpr int kReshape = 22;
    if (node.inplace != 0) registration.builtin_code = kReshape;
#elif FAKE_GENERATION >= 8
    registration.inplace_operator = node.inplace;
#endif
    registrations.push_back(registration);
  }

  std::vector<IntArray> lists_;
  std::vector<std::vector<int>> temporaries_;
};

class Info : public tflite::GraphInfo {
 public:
  explicit Info(World& world) : world_(world) {}
  size_t num_tensors() const override { return world_.tensors.size(); }
  TfLiteTensor* tensor(size_t index) override { return &world_.tensors[index]; }
#if FAKE_GENERATION >= 6
  TfLiteTensor* tensors() override { return world_.tensors.data(); }
#endif
#if FAKE_GENERATION >= 4
  size_t num_execution_nodes() const override { return world_.nodes.size(); }
  size_t num_total_nodes() const override { return world_.nodes.size(); }
#else
  size_t num_nodes() const override { return world_.nodes.size(); }
#endif
  const TfLiteNode& node(size_t index) const override { return world_.nodes[index]; }
#if FAKE_GENERATION >= 7
  const TfLiteRegistration& registration(size_t index) const override { return world_.registrations[index]; }
#endif
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return world_.inputs; }
  const std::vector<int>& outputs() const override { return world_.outputs; }
  const std::vector<int>& variables() const override { return world_.variables; }

 private:
  World& world_;
};

// The context comes first, so that what is reported to it finds the text.
struct Context {
  TfLiteContext tflite = {};
  std::string error;

  Context() { tflite.ReportError = Remember; }
  static void Remember(TfLiteContext* context, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    reinterpret_cast<Context*>(context)->error = text;
  }
};

// What a planner is besides its virtual functions.
class Maker {
 public:
  virtual ~Maker() = default;
  virtual tflite::MemoryPlanner* Make(void* room, TfLiteContext* context, std::unique_ptr<tflite::GraphInfo> info,
                                      const Sequence& sequence) const = 0;
  virtual intptr_t Base(tflite::MemoryPlanner* planner, TfLiteAllocationType type) const = 0;
};

class RealSide : public Side {
 public:
  RealSide(const Maker& maker, const Sequence& sequence)
      : maker_(maker),
        world_(sequence),
        planner_(maker.Make(room_, &context_.tflite, std::unique_ptr<tflite::GraphInfo>(new Info(world_)), sequence)) {}
  ~RealSide() override { planner_->~MemoryPlanner(); }

  bool Do(const Step& step) override {
    switch (step.kind) {
      case Step::kPlan: return planner_->PlanAllocations() == kTfLiteOk;
      case Step::kExecute: return planner_->ExecuteAllocations(step.first, step.last) == kTfLiteOk;
      case Step::kReset: return planner_->ResetAllocations() == kTfLiteOk;
#if FAKE_GENERATION >= 3
      case Step::kResetAfter: return planner_->ResetAllocationsAfter(step.first) == kTfLiteOk;
#endif
#if FAKE_GENERATION >= 2
      case Step::kRelease: return planner_->ReleaseNonPersistentMemory() == kTfLiteOk;
      case Step::kAcquire: return planner_->AcquireNonPersistentMemory() == kTfLiteOk;
#endif
      case Step::kSetBytes: world_.tensors[static_cast<size_t>(step.first)].bytes = step.bytes; return true;
      case Step::kSetType: world_.SetType(static_cast<size_t>(step.first), step.last); return true;
      case Step::kAddTensor: world_.AddTensor(step.bytes, step.last); return true;
      case Step::kAddTemporary: world_.AddTemporary(static_cast<size_t>(step.first), step.last); return true;
      case Step::kRun: return true;
      default: std::fprintf(stderr, "differential: a step that this generation has no function for\n"); std::abort();
    }
  }

  bool GetSizes(Sizes* sizes) const override {
#if FAKE_GENERATION >= 5
    planner_->GetAllocInfo(&sizes->arena, &sizes->persistent);
    return true;
#else
    *sizes = {kFarAway, kFarAway};
    return false;
#endif
  }

  bool HasMemory() const override {
#if FAKE_GENERATION >= 2
    return planner_->HasNonPersistentMemory();
#else
    return true;
#endif
  }

  Place PlaceOf(int tensor) const override {
    const TfLiteTensor& its = world_.tensors[static_cast<size_t>(tensor)];
    if (its.data.raw == nullptr) return {};
    Sizes sizes;
    GetSizes(&sizes);
    if (Lies(its, kTfLiteArenaRw, sizes.arena)) return {Place::kArena, Offset(its, kTfLiteArenaRw)};
    if (Lies(its, kTfLiteArenaRwPersistent, sizes.persistent)) {
      return {Place::kPersistentArena, Offset(its, kTfLiteArenaRwPersistent)};
    }
    return {Place::kElsewhere, 0};
  }

  bool LeavesCustomAlone() const override {
    for (const TfLiteTensor& tensor : world_.tensors) {
      if (tensor.allocation_type == kTfLiteCustom && tensor.data.raw != custom_memory) return false;
    }
    return true;
  }

  const std::string& error() const override { return context_.error; }

 private:
  size_t Offset(const TfLiteTensor& tensor, TfLiteAllocationType type) const {
    return static_cast<size_t>(reinterpret_cast<intptr_t>(tensor.data.raw) - maker_.Base(planner_, type));
  }
  // Heap addresses of two arenas may be close: a tensor is looked for in its own only, where it has one.
  bool Lies(const TfLiteTensor& tensor, TfLiteAllocationType type, size_t size) const {
    return tensor.allocation_type == type && maker_.Base(planner_, type) != 0 && Offset(tensor, type) < size;
  }

  const Maker& maker_;
  World world_;
  Context context_;
  // Zeroed: 1.15 leaves a member unset that it returns.
  alignas(64) char room_[1024] = {};
  tflite::MemoryPlanner* const planner_;
};

std::string FileOf(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

const void* FirstVirtualFunction(const tflite::MemoryPlanner& planner) {
  const void* const* table;
  std::memcpy(&table, static_cast<const void*>(&planner), sizeof(table));
  return table[2];  // behind both destructors
}

// The code of a planner that is really there: what its vtable points at.
std::string CodeFileOf(const Maker& maker) {
  Sequence empty;
  World world(empty);
  Context context;
  alignas(64) char room[1024] = {};
  tflite::MemoryPlanner* planner =
      maker.Make(room, &context.tflite, std::unique_ptr<tflite::GraphInfo>(new Info(world)), empty);
  const std::string file = FileOf(FirstVirtualFunction(*planner));
  planner->~MemoryPlanner();
  return file;
}

template <typename RealMaker>
class RealClass : public PlannerClass {
 public:
  explicit RealClass(RealMaker maker) : maker_(maker) {}
  std::unique_ptr<Side> Start(const Sequence& sequence) const override {
    return std::unique_ptr<Side>(new RealSide(maker_, sequence));
  }
  std::string CodeFile() const override { return CodeFileOf(maker_); }

 private:
  const RealMaker maker_;
};

class OurMaker : public Maker {
 public:
  tflite::MemoryPlanner* Make(void* room, TfLiteContext* context, std::unique_ptr<tflite::GraphInfo> info,
                              const Sequence& sequence) const override {
#if FAKE_GENERATION <= 3
    return new (room) tflite::ArenaPlanner(context, std::move(info), sequence.preserve_inputs, sequence.preserve_all,
                                           sequence.alignment);
#else
    return new (room) tflite::ArenaPlanner(context, std::move(info), sequence.preserve_all, sequence.alignment);
#endif
  }
  intptr_t Base(tflite::MemoryPlanner* planner, TfLiteAllocationType type) const override {
    return static_cast<tflite::ArenaPlanner*>(planner)->BasePointer(type);
  }
};

// As upstream's compiler passes the arguments: a member function's object first, a unique_ptr by reference.
class TheirMaker : public Maker {
 public:
#if FAKE_GENERATION <= 3
  using Constructor = void(void*, TfLiteContext*, std::unique_ptr<tflite::GraphInfo>*, bool, bool, int);
  static constexpr const char* kConstructorEnd = "bbi";
#elif FAKE_GENERATION <= 5
  using Constructor = void(void*, TfLiteContext*, std::unique_ptr<tflite::GraphInfo>*, bool, int);
  static constexpr const char* kConstructorEnd = "bi";
#else
  using Constructor = void(void*, TfLiteContext*, std::unique_ptr<tflite::GraphInfo>*, bool, int, int);
  static constexpr const char* kConstructorEnd = "bii";
#endif
  using BasePointer = intptr_t(void*, TfLiteAllocationType);

  explicit TheirMaker(void* library)
      : constructor_(Function<Constructor>(
            library, std::string("_ZN6tflite12ArenaPlannerC1EP13TfLiteContext"
                                 "St10unique_ptrINS_9GraphInfoESt14default_deleteIS4_EE") +
                         kConstructorEnd)),
        base_pointer_(Function<BasePointer>(library, "_ZN6tflite12ArenaPlanner11BasePointerE20TfLiteAllocationType")) {}
  bool IsComplete() const { return constructor_ != nullptr && base_pointer_ != nullptr; }

  tflite::MemoryPlanner* Make(void* room, TfLiteContext* context, std::unique_ptr<tflite::GraphInfo> info,
                              const Sequence& sequence) const override {
#if FAKE_GENERATION <= 3
    constructor_(room, context, &info, sequence.preserve_inputs, sequence.preserve_all, sequence.alignment);
#elif FAKE_GENERATION <= 5
    constructor_(room, context, &info, sequence.preserve_all, sequence.alignment);
#else
    constructor_(room, context, &info, sequence.preserve_all, sequence.alignment, /*subgraph_index=*/0);
#endif
    return static_cast<tflite::MemoryPlanner*>(room);
  }
  intptr_t Base(tflite::MemoryPlanner* planner, TfLiteAllocationType type) const override {
    return base_pointer_(planner, type);
  }

 private:
  template <typename Type>
  static Type* Function(void* library, const std::string& name) {
    void* const found = dlsym(library, name.c_str());
    if (found == nullptr) std::fprintf(stderr, "differential: no %s in the library\n", name.c_str());
    return reinterpret_cast<Type*>(found);
  }

  Constructor* const constructor_;
  BasePointer* const base_pointer_;
};

}  // namespace

const int kGeneration = FAKE_GENERATION;

std::unique_ptr<PlannerClass> OurClass() { return std::unique_ptr<PlannerClass>(new RealClass<OurMaker>(OurMaker())); }

std::unique_ptr<PlannerClass> ClassOf(void* library) {
  const TheirMaker maker(library);
  if (!maker.IsComplete()) return nullptr;
  return std::unique_ptr<PlannerClass>(new RealClass<TheirMaker>(maker));
}

}  // namespace differential
