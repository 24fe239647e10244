// Compares upstream's planner, out of a shared library, with ours of the same generation: see run.sh.
//
//   NAME LIBRARY [--stubs LIBRARY] [--sequences N] [--seed N] [--show REASON]
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "generator.h"
#include "judge.h"
#include "shrink.h"

namespace differential {
namespace {

struct Options {
  const char* name = nullptr;
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
    else if (options.name == nullptr) options.name = argv[i];
    else options.library = argv[i];
  }
  if (options.library == nullptr) {
    std::fprintf(stderr, "usage: differential NAME LIBRARY [--stubs LIBRARY] [--sequences N] [--seed N] [--show REASON]\n");
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

void Show(uint64_t seed, const Sequence& sequence, const Verdict& verdict, const PlannerClass& upstream,
          const PlannerClass& ours) {
  const Sequence small = Shrink(sequence, [&](const Sequence& smaller) {
    const Verdict its = Judge(smaller, upstream, ours);
    return its.kind == verdict.kind && its.reason == verdict.reason;
  });
  std::printf("== seed %llu, %s\n  %s\n%s", static_cast<unsigned long long>(seed), verdict.reason.c_str(),
              Judge(small, upstream, ours).detail.c_str(), ToText(small).c_str());
}

std::string Counted(const std::map<std::string, uint64_t>& counts) {
  std::string text;
  for (const auto& [reason, count] : counts) text += "\n    " + std::to_string(count) + " " + reason;
  return text;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (options.stubs != nullptr) Load(options.stubs, RTLD_NOW | RTLD_GLOBAL);
  const std::unique_ptr<PlannerClass> upstream = ClassOf(Load(options.library, RTLD_LAZY | RTLD_LOCAL));
  const std::unique_ptr<PlannerClass> ours = OurClass();
  if (upstream == nullptr) return 1;
  std::map<Verdict::Kind, std::map<std::string, uint64_t>> counts;
  std::map<Verdict::Kind, uint64_t> totals;
  std::map<std::string, int> shown;
  uint64_t compared = 0;
  for (uint64_t seed = options.seed; compared < options.sequences; ++seed) {
    const Sequence sequence = RandomSequence(kGeneration, seed);
    if (!IsSound(sequence)) continue;
    ++compared;
    const Verdict verdict = Judge(sequence, *upstream, *ours);
    ++totals[verdict.kind];
    if (!verdict.reason.empty()) ++counts[verdict.kind][verdict.reason];
    const bool show = verdict.kind == Verdict::kDifferent ||
                      (options.show != nullptr && verdict.reason.find(options.show) != std::string::npos);
    if (show && shown[verdict.reason]++ < 3) Show(seed, sequence, verdict, *upstream, *ours);
  }
  std::printf("%s: %llu sequences: %llu the same, %llu tied, %llu upstream wrong, %llu explained, %llu different\n",
              options.name, static_cast<unsigned long long>(compared), static_cast<unsigned long long>(totals[Verdict::kSame]),
              static_cast<unsigned long long>(totals[Verdict::kTied]),
              static_cast<unsigned long long>(totals[Verdict::kUpstreamWrong]),
              static_cast<unsigned long long>(totals[Verdict::kExplained]),
              static_cast<unsigned long long>(totals[Verdict::kDifferent]));
  if (totals[Verdict::kUpstreamWrong]) std::printf("  upstream wrong:%s\n", Counted(counts[Verdict::kUpstreamWrong]).c_str());
  if (totals[Verdict::kExplained]) std::printf("  explained:%s\n", Counted(counts[Verdict::kExplained]).c_str());
  if (totals[Verdict::kDifferent]) std::printf("  different:%s\n", Counted(counts[Verdict::kDifferent]).c_str());
  return totals[Verdict::kDifferent] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace differential

int main(int argc, char** argv) { return differential::Main(argc, argv); }
