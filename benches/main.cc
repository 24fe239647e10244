// Times both planners on the same graphs. scripts/bench.sh builds and runs it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include "table.h"

namespace {

int Usage() {
  std::fputs("usage: bench [--quick] [--markdown] [--graph NAME]... [--tensors N]... [--only-ours]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::KindName> kinds;
  std::vector<int> sizes;
  int largest = 100'000;
  bool with_upstream = true;
  auto format = bench::Format::kText;
  for (int i = 1; i < argc; i++) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--quick")) {
      largest = 10'000;
    } else if (is("--markdown")) {
      format = bench::Format::kMarkdown;
    } else if (is("--only-ours")) {
      with_upstream = false;
    } else if (is("--graph") && i + 1 < argc) {
      const char* wanted = argv[++i];
      const size_t before = kinds.size();
      for (const bench::KindName& kind : bench::kKinds) {
        if (std::strcmp(kind.name, wanted) == 0) kinds.push_back(kind);
      }
      if (kinds.size() == before) return Usage();
    } else if (is("--tensors") && i + 1 < argc) {
      const int size = std::atoi(argv[++i]);
      if (size < 10) return Usage();
      sizes.push_back(size);
    } else {
      return Usage();
    }
  }
  if (kinds.empty()) kinds.assign(std::begin(bench::kKinds), std::end(bench::kKinds));
  if (sizes.empty()) {
    for (int size : {100, 300, 1'000, 3'000, 10'000, 30'000, 100'000}) {
      if (size <= largest) sizes.push_back(size);
    }
  }

  bench::PrintHeading(format);
  for (const bench::KindName& kind : kinds) {
    for (int size : sizes) {
      try {
        bench::PrintRow(bench::Measure(kind.kind, size, with_upstream), format);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "bench: %s, %d tensors: %s\n", kind.name, size, error.what());
        return 1;
      }
    }
  }
}
