// Compiled once for each generation, as side.cc is.
#include "arena.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime.h"

namespace differential {
namespace {

#if FAKE_GENERATION <= 2
using Alloc = tflite::ArenaAlloc;
const std::string kAlloc = "NS_10ArenaAllocE";
#else
using Alloc = tflite::ArenaAllocWithUsageInterval;
const std::string kAlloc = "NS_27ArenaAllocWithUsageIntervalE";
#endif
const std::string kContext = "P13TfLiteContext";
constexpr size_t kArenaAlignment = 64;

void Ignore(TfLiteContext*, const char*, ...) {}
TfLiteContext context = {{}, Ignore};

// What one of the two answered to a call, as far as both must answer the same.
struct Answer {
  bool ok = true;
  Alloc alloc;
  size_t offset = 0;  // of a resolved pointer
  bool is_null = false;
  bool moved = false;  // whether committing did that to the buffer
};

struct Call {
  enum Kind {
    kAllocate, kDeallocate, kCommit, kResolve, kClear, kRelease, kResetAllocs, kPurgeBefore, kPurgeAfter, kCalculate,
  };
  Kind kind;
  size_t alignment = 0, bytes = 0;
  int first = 0, last = 0;
  size_t which = 0;  // of the allocations made so far
};

// The functions of upstream's class. What is inline there is asked for in other ways.
class Theirs {
 public:
  explicit Theirs(void* library) : library_(library) {
    using Constructor = void(void*, size_t);
    if (Constructor* const construct = Find<Constructor>("C1Em")) {
      construct(room_, kArenaAlignment);
    } else {
      // The constructor leaves all but the alignment zero, and nothing points at anything.
      std::memcpy(room_ + (FAKE_GENERATION <= 8 ? 0x08 : 0x28), &kArenaAlignment, sizeof(kArenaAlignment));
    }
  }
  // Back to how it was constructed; what the vector keeps is kept for the next.
  void Restart() {
    Clear();
    Release();
  }

  bool Allocate(const Call& call, int tensor, Alloc* alloc) {
#if FAKE_GENERATION <= 2
    static_cast<void>(tensor);
    using Function = TfLiteStatus(void*, TfLiteContext*, size_t, size_t, Alloc*);
    return Get<Function>("8AllocateE" + kContext + "mmP" + kAlloc)(room_, &context, call.alignment, call.bytes, alloc) ==
           kTfLiteOk;
#else
    using Function = TfLiteStatus(void*, TfLiteContext*, size_t, size_t, int32_t, int32_t, int32_t, Alloc*);
    return Get<Function>("8AllocateE" + kContext + "mmiiiP" + kAlloc)(
               room_, &context, call.alignment, call.bytes, tensor, call.first, call.last, alloc) == kTfLiteOk;
#endif
  }
  bool Resolve(const Alloc& alloc, char** pointer) {
    using Function = TfLiteStatus(void*, TfLiteContext*, const Alloc&, char**);
    return Get<Function>("12ResolveAllocE" + kContext + "RK" + kAlloc + "PPc")(room_, &context, alloc, pointer) == kTfLiteOk;
  }
  bool Deallocate(const Alloc& alloc) {
    using Function = TfLiteStatus(void*, TfLiteContext*, const Alloc&);
    return Get<Function>("10DeallocateE" + kContext + "RK" + kAlloc)(room_, &context, alloc) == kTfLiteOk;
  }
  bool Commit(bool* moved) {
#if FAKE_GENERATION <= 5
    static_cast<void>(moved);
    return Get<TfLiteStatus(void*, TfLiteContext*)>("6CommitE" + kContext)(room_, &context) == kTfLiteOk;
#elif FAKE_GENERATION <= 8
    return Get<TfLiteStatus(void*, TfLiteContext*, bool*)>("6CommitE" + kContext + "Pb")(room_, &context, moved) == kTfLiteOk;
#else
    return Get<TfLiteStatus(void*, bool*)>("6CommitEPb")(room_, moved) == kTfLiteOk;
#endif
  }
  void Clear() { Get<TfLiteStatus(void*)>(FAKE_GENERATION <= 1 ? "5ClearEv" : "9ClearPlanEv")(room_); }
  void Release() {
#if FAKE_GENERATION >= 2
    Get<TfLiteStatus(void*)>("13ReleaseBufferEv")(room_);
#endif
  }
  void ResetAllocs() { Get<void(void*)>("11ResetAllocsEv")(room_); }
  void PurgeBefore(int node) { Get<void(void*, int32_t)>("17PurgeActiveAllocsEi")(room_, node); }
  void PurgeAfter(int node) { Get<void(void*, int32_t)>("10PurgeAfterEi")(room_, node); }
  void Calculate(const std::vector<Alloc>& allocs, int node) {
    Get<void(void*, const std::vector<Alloc>&, int32_t)>(
        "21CalculateActiveAllocsERKSt6vectorINS_27ArenaAllocWithUsageIntervalESaIS2_EEi")(room_, allocs, node);
  }
  // Inline everywhere, and so there to be called only in what was compiled here.
  bool BufferSize(size_t* size) { return AskSize("13GetBufferSizeEv", size); }
  bool RequiredSize(size_t* size) { return AskSize("18RequiredBufferSizeEv", size); }

 private:
  template <typename Function>
  Function* Find(const std::string& name) {
    return reinterpret_cast<Function*>(dlsym(library_, ("_ZN6tflite17SimpleMemoryArena" + name).c_str()));
  }
  template <typename Function>
  Function* Get(const std::string& name) {
    Function* const found = Find<Function>(name);
    if (found == nullptr) {
      std::fprintf(stderr, "differential: no SimpleMemoryArena::%s in the library\n", name.c_str());
      std::exit(1);
    }
    return found;
  }
  bool AskSize(const std::string& name, size_t* size) {
    auto* const function = Find<size_t(void*)>(name);
    if (function != nullptr) *size = function(room_);
    return function != nullptr;
  }

  void* const library_;
  alignas(64) char room_[256] = {};
};

// Ours, the same way.
class Ours {
 public:
  bool Allocate(const Call& call, int tensor, Alloc* alloc) {
#if FAKE_GENERATION <= 2
    static_cast<void>(tensor);
    return arena_.Allocate(&context, call.alignment, call.bytes, alloc) == kTfLiteOk;
#else
    return arena_.Allocate(&context, call.alignment, call.bytes, tensor, call.first, call.last, alloc) == kTfLiteOk;
#endif
  }
  bool Resolve(const Alloc& alloc, char** pointer) { return arena_.ResolveAlloc(&context, alloc, pointer) == kTfLiteOk; }
  bool Deallocate(const Alloc& alloc) { return arena_.Deallocate(&context, alloc) == kTfLiteOk; }
  bool Commit(bool* moved) {
#if FAKE_GENERATION <= 5
    static_cast<void>(moved);
    return arena_.Commit(&context) == kTfLiteOk;
#elif FAKE_GENERATION <= 8
    return arena_.Commit(&context, moved) == kTfLiteOk;
#else
    return arena_.Commit(moved) == kTfLiteOk;
#endif
  }
  void Clear() { arena_.ClearPlan(); }
  void Release() { arena_.ReleaseBuffer(); }
  void ResetAllocs() { arena_.ResetAllocs(); }
  void PurgeBefore(int node) { arena_.PurgeActiveAllocs(node); }
  void PurgeAfter(int node) { arena_.PurgeAfter(node); }
  void Calculate(const std::vector<tflite::ArenaAllocWithUsageInterval>& allocs, int node) {
    arena_.CalculateActiveAllocs(allocs, node);
  }
  bool BufferSize(size_t* size) { return *size = arena_.GetBufferSize(), true; }
  bool RequiredSize(size_t* size) { return *size = arena_.RequiredBufferSize(), true; }

 private:
  tflite::SimpleMemoryArena arena_{kArenaAlignment};
};

template <typename Arena>
Answer Make(Arena& arena, const Call& call, const std::vector<Alloc>& allocs) {
  Answer answer;
  switch (call.kind) {
    case Call::kAllocate: answer.ok = arena.Allocate(call, static_cast<int>(allocs.size()), &answer.alloc); break;
    case Call::kCommit: answer.ok = arena.Commit(&answer.moved); break;
    case Call::kResolve: {
      char* pointer = nullptr;
      char* base = nullptr;
      answer.ok = arena.Resolve(allocs[call.which], &pointer);
      answer.is_null = pointer == nullptr;
      if (pointer == nullptr) break;
      Alloc first = allocs[call.which];
      first.offset = 0;
      arena.Resolve(first, &base);
      answer.offset = static_cast<size_t>(pointer - base);
      answer.ok = answer.ok && reinterpret_cast<uintptr_t>(base) % kArenaAlignment == 0;
      break;
    }
    case Call::kClear: arena.Clear(); break;
    case Call::kRelease: arena.Release(); break;
#if FAKE_GENERATION <= 5
    case Call::kDeallocate: answer.ok = arena.Deallocate(allocs[call.which]); break;
#else
    case Call::kResetAllocs: arena.ResetAllocs(); break;
    case Call::kPurgeBefore: arena.PurgeBefore(call.first); break;
    case Call::kPurgeAfter: arena.PurgeAfter(call.first); break;
    case Call::kCalculate: arena.Calculate(allocs, call.first); break;
#endif
    default: std::abort();
  }
  return answer;
}

std::string ToText(const Call& call) {
  static const char* const names[] = {"Allocate",    "Deallocate",  "Commit",     "Resolve",    "Clear",
                                      "Release",     "ResetAllocs", "PurgeBefore", "PurgeAfter", "Calculate"};
  const std::string name = names[call.kind];
  switch (call.kind) {
    case Call::kAllocate:
      return name + "(" + std::to_string(call.bytes) + " at " + std::to_string(call.alignment) + ", " +
             std::to_string(call.first) + "-" + std::to_string(call.last) + ")";
    case Call::kDeallocate:
    case Call::kResolve: return name + "(#" + std::to_string(call.which) + ")";
    case Call::kPurgeBefore:
    case Call::kPurgeAfter:
    case Call::kCalculate: return name + "(" + std::to_string(call.first) + ")";
    default: return name;
  }
}

class Comparison {
 public:
  Comparison(Theirs& theirs, uint64_t seed) : theirs_(theirs), random_(seed * 0x9E3779B97F4A7C15u + 7) { theirs.Restart(); }

  // Says whether both agreed to the end.
  bool Run(ArenaCounts* counts) {
    for (int count = 1 + Below(40); count > 0; --count) {
      ++counts->calls;
      const Call call = RandomCall();
      text_ += ToText(call) + "; ";
      const std::string difference = MakeBoth(call, counts);
      if (difference.empty()) continue;
      std::printf("== arenas: %s\n  %s\n", difference.c_str(), text_.c_str());
      return false;
    }
    return true;
  }

 private:
  int Below(size_t limit) { return static_cast<int>(random_() % limit); }

  Call RandomCall() {
    const int kind = Below(100);
    Call call = {};
    call.first = Below(12);
    call.last = Below(5) == 0 ? INT32_MAX : call.first + Below(6);
    call.bytes = Below(8) == 0 ? 0 : static_cast<size_t>(1 + Below(600));
    call.alignment = size_t{1} << (Below(20) == 0 ? 7 : Below(7));  // 128 is above the arena's
    if (!allocs_.empty()) call.which = static_cast<size_t>(Below(allocs_.size()));
    call.kind = kind < 50 || allocs_.empty() ? Call::kAllocate
                : kind < 62                  ? Call::kResolve
                : kind < 72                  ? Call::kCommit
                : kind < 75                  ? Call::kClear
                : kind < 78 && FAKE_GENERATION >= 2 ? Call::kRelease
                                                    : Freeing();
    return call;
  }
  Call::Kind Freeing() {
    if (FAKE_GENERATION <= 5) return Call::kDeallocate;
    static const Call::Kind kinds[] = {Call::kPurgeBefore, Call::kPurgeBefore, Call::kPurgeAfter, Call::kCalculate,
                                       Call::kCalculate, Call::kResetAllocs};
    return kinds[Below(sizeof(kinds) / sizeof(*kinds))];
  }

  // What the answers differ in.
  std::string MakeBoth(const Call& call, ArenaCounts* counts) {
    const Answer their = Make(theirs_, call, allocs_), our = Make(ours_, call, allocs_);
    if (call.kind == Call::kResolve && call.which >= num_committed_ && their.ok && !our.ok && FAKE_GENERATION <= 8) {
      ++counts->spare;
      return "";
    }
    if (call.kind == Call::kCommit) num_committed_ = allocs_.size();
    if (call.kind == Call::kClear) {
      allocs_.clear();
      num_committed_ = 0;
    }
    if (their.ok != our.ok) return their.ok ? "ours refuses" : "upstream refuses";
    if (!their.ok) return "";
    if (call.kind == Call::kAllocate) {
      if (their.alloc.offset != our.alloc.offset || their.alloc.size != our.alloc.size) {
        return "upstream places at " + std::to_string(their.alloc.offset) + ", ours at " + std::to_string(our.alloc.offset);
      }
      allocs_.push_back(our.alloc);
    }
    if (their.offset != our.offset || their.is_null != our.is_null) return "the pointers differ";
    if (their.moved != our.moved) return their.moved ? "only upstream's buffer moved" : "only our buffer moved";
    size_t their_size = 0, our_size = 0;
    if (theirs_.RequiredSize(&their_size) && ours_.RequiredSize(&our_size) && their_size != our_size) {
      return "upstream requires " + std::to_string(their_size) + ", ours " + std::to_string(our_size);
    }
    if (theirs_.BufferSize(&their_size) && ours_.BufferSize(&our_size) && their_size != our_size) {
      return "upstream's buffer has " + std::to_string(their_size) + ", ours " + std::to_string(our_size);
    }
    return "";
  }

  Theirs& theirs_;
  Ours ours_;
  std::mt19937_64 random_;
  std::vector<Alloc> allocs_;
  size_t num_committed_ = 0;  // of them, by the last commit
  std::string text_;
};

}  // namespace

ArenaCounts CompareArenas(void* library, uint64_t sequences, uint64_t seed) {
  ArenaCounts counts;
  Theirs theirs(library);
  for (; counts.sequences < sequences; ++counts.sequences) {
    if (!Comparison(theirs, seed + counts.sequences).Run(&counts)) {
      if (++counts.different == 3) break;
    }
  }
  return counts;
}

}  // namespace differential
