#include "table.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr const char* kHeadings[] = {"graph",      "tensors",          "upstream ms", "ours ms",       "upstream / ours",
                                     "walk ms",    "ours / walk",      "T(2N) / T(N)", "arena upstream", "arena ours",
                                     "heap upstream", "heap ours"};
constexpr int kGraphWidth = 18;

int Width(size_t column) {
  return column ? static_cast<int>(std::strlen(kHeadings[column])) : kGraphWidth;
}

void PrintCells(const std::vector<std::string>& cells, Format format) {
  for (size_t column = 0; column < cells.size(); column++) {
    const char* cell = cells[column].c_str();
    if (format == Format::kMarkdown) {
      std::printf("| %s ", cell);
    } else {
      std::printf("%*s  ", column ? Width(column) : -kGraphWidth, cell);
    }
  }
  std::puts(format == Format::kMarkdown ? "|" : "");
  std::fflush(stdout);
}

std::string Grouped(size_t number) {
  std::string digits = std::to_string(number);
  for (size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

// Three digits that count, as more would be noise.
std::string Rounded(double value) {
  char text[32];
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  value < 1 ? std::snprintf(text, sizeof text, "%.3g", value)
            : std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

}  // namespace

void PrintHeading(Format format) {
  PrintCells({std::begin(kHeadings), std::end(kHeadings)}, format);
  if (format == Format::kMarkdown) {
    std::printf("|---|");
    for (size_t column = 1; column < std::size(kHeadings); column++) std::printf("--:|");
    std::puts("");
  }
}

void PrintRow(const Row& row, Format format) {
  const auto upstream = [&row](auto text_of) { return row.upstream ? text_of(*row.upstream) : std::string("-"); };
  const char* graph = "";
  for (const KindName& kind : kKinds) {
    if (kind.kind == row.kind) graph = kind.name;
  }
  PrintCells({graph, Grouped(static_cast<size_t>(row.num_tensors)),
              upstream([](const Side& side) { return Rounded(side.ms); }), Rounded(row.ours.ms),
              upstream([&row](const Side& side) { return Rounded(side.ms / row.ours.ms); }), Rounded(row.floor_ms),
              Rounded(row.ours.ms / row.floor_ms), Rounded(row.doubling),
              upstream([](const Side& side) { return Grouped(side.arena); }), Grouped(row.ours.arena),
              upstream([](const Side& side) { return Rounded(side.heap_a_tensor); }), Rounded(row.ours.heap_a_tensor)},
             format);
}

}  // namespace bench
