// Rows as text.
#pragma once

#include "measure.h"

namespace bench {

enum class Format { kText, kMarkdown };

void PrintHeading(Format format);
void PrintRow(const Row& row, Format format);

}  // namespace bench
