// Makes a sequence smaller for as long as something holds of it.
#pragma once

#include <functional>

#include "sequence.h"

namespace differential {

Sequence Shrink(Sequence sequence, const std::function<bool(const Sequence&)>& holds);

}  // namespace differential
