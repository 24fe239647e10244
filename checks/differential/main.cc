// Compares upstream's planner and arena, out of a shared library, with ours of the same generation: see run.sh.
//
//   VERSION LIBRARY [--stubs LIBRARY] [--sequences N] [--seed N] [--show REASON]
//
// --stubs is loaded first, for what LIBRARY takes from elsewhere. --show prints sequences of that verdict.
#include <dlfcn.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "arena.h"
#include "generator.h"
#include "judge.h"
#include "proof.h"
#include "shrink.h"

namespace differential {
namespace {

struct Options {
  const char* version = nullptr;
  const char* library = nullptr;
  const char* stubs = nullptr;
  const char* show = nullptr;
  uint64_t sequences = 4000;
  uint64_t seed = 1;
};

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* option) { return std::strcmp(argv[i], option) == 0 && i + 1 < argc; };
    if (is("--stubs")) options.stubs = argv[++i];
    else if (is("--sequences")) options.sequences = std::strtoull(argv[++i], nullptr, 10);
    else if (is("--seed")) options.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (is("--show")) options.show = argv[++i];
    else if (options.version == nullptr) options.version = argv[i];
    else options.library = argv[i];
  }
  if (options.library == nullptr || options.sequences == 0) {
    std::fprintf(stderr, "usage: VERSION LIBRARY [--stubs LIBRARY] [--sequences N] [--seed N] [--show REASON]\n");
    std::exit(2);
  }
  return options;
}

void* Load(const char* file, int flags) {
  void* const library = dlopen(file, flags);
  if (library == nullptr) {
    std::fprintf(stderr, "differential: %s\n", dlerror());
    std::exit(1);
  }
  return library;
}

class Comparison {
 public:
  Comparison(const Options& options, const PlannerClass& upstream, const PlannerClass& ours)
      : options_(options), upstream_(upstream), ours_(ours) {}

  void Take(uint64_t seed, const Sequence& sequence) {
    const Verdict verdict = Judge(options_.version, sequence, upstream_, ours_);
    ++totals_[verdict.kind];
    if (verdict.shares) ++shared_;
    if (verdict.has_ties) ++with_ties_;
    if (!verdict.reason.empty()) ++reasons_[verdict.kind][verdict.reason];
    const bool asked = options_.show != nullptr && verdict.reason.find(options_.show) != std::string::npos;
    if (verdict.kind != Verdict::kDifferent && !asked) return;
    constexpr int kMost = 3;  // of one sort
    if (shown_[verdict.reason]++ < kMost) Show(seed, sequence, verdict);
  }

  void Print() {
    uint64_t all = 0;
    for (const auto& total : totals_) all += total.second;
    std::printf("%s: %" PRIu64 " sequences, %" PRIu64 " the same (%" PRIu64 " with shared bytes, %" PRIu64
                " with ties), %" PRIu64 " tied, %" PRIu64 " upstream wrong, %" PRIu64 " explained, %" PRIu64 " different\n",
                options_.version, all, totals_[Verdict::kSame], shared_, with_ties_, totals_[Verdict::kTied],
                totals_[Verdict::kUpstreamWrong], totals_[Verdict::kExplained], totals_[Verdict::kDifferent]);
    for (const auto& [kind, reasons] : reasons_) {
      for (const auto& [reason, count] : reasons) {
        std::printf("  %8" PRIu64 " %s: %s\n", count, NameOf(kind), reason.c_str());
      }
    }
  }

  // Whether nothing differed, and enough was compared for that to mean something.
  bool Passed() {
    if (kGeneration >= 7 && shared_ == 0) std::printf("  no bytes were shared: nothing is known of sharing\n");
    return totals_[Verdict::kDifferent] == 0 && totals_[Verdict::kSame] > 0 && (kGeneration < 7 || shared_ > 0);
  }

 private:
  static const char* NameOf(Verdict::Kind kind) {
    return kind == Verdict::kUpstreamWrong ? "upstream wrong" : kind == Verdict::kExplained ? "explained" : "DIFFERENT";
  }

  void Show(uint64_t seed, const Sequence& sequence, const Verdict& verdict) {
    const Sequence small = Shrink(sequence, [&](const Sequence& smaller) {
      const Verdict its = Judge(options_.version, smaller, upstream_, ours_);
      return its.kind == verdict.kind && its.reason == verdict.reason;
    });
    const Verdict its = Judge(options_.version, small, upstream_, ours_);
    std::printf("== %s, seed %" PRIu64 ", %s\n  %s\n%s", options_.version, seed, its.reason.c_str(), its.detail.c_str(),
                ToText(small).c_str());
  }

  const Options& options_;
  const PlannerClass& upstream_;
  const PlannerClass& ours_;
  std::map<Verdict::Kind, uint64_t> totals_;
  std::map<Verdict::Kind, std::map<std::string, uint64_t>> reasons_;
  std::map<std::string, int> shown_;
  uint64_t shared_ = 0;
  uint64_t with_ties_ = 0;
};

bool PlannersAgree(const Options& options, const PlannerClass& upstream, const PlannerClass& ours) {
  Comparison comparison(options, upstream, ours);
  uint64_t seed = options.seed;
  for (uint64_t compared = 0; compared < options.sequences; ++seed) {
    const Sequence sequence = RandomSequence(kGeneration, seed);
    if (!IsSound(sequence)) continue;
    comparison.Take(seed, sequence);
    ++compared;
  }
  comparison.Print();
  return comparison.Passed();
}

bool ArenasAgree(const Options& options, void* library) {
  const ArenaCounts counts = CompareArenas(library, options.sequences, options.seed);
  std::printf("%s, arenas alone: %" PRIu64 " sequences of %" PRIu64 " calls, %" PRIu64 " explained, %" PRIu64
              " different\n",
              options.version, counts.sequences, counts.calls, counts.spare, counts.different);
  return counts.different == 0;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (options.stubs != nullptr) Load(options.stubs, RTLD_NOW | RTLD_GLOBAL);
  void* const library = Load(options.library, RTLD_LAZY | RTLD_LOCAL);
  const std::unique_ptr<PlannerClass> upstream = ClassOf(library);
  const std::unique_ptr<PlannerClass> ours = OurClass();
  if (upstream == nullptr) return 1;
  const std::string doubt = SpeaksAgainstTwo(options.version, options.library, *upstream, *ours);
  if (!doubt.empty()) {
    std::printf("%s: not two implementations: %s\n", options.version, doubt.c_str());
    return 1;
  }
  const bool planners = PlannersAgree(options, *upstream, *ours);
  const bool arenas = ArenasAgree(options, library);
  return planners && arenas ? 0 : 1;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) { return differential::Main(argc, argv); }
