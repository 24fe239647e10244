// Linked in: whoever links the adapter has chosen it, so it serves every planner.
#include "host.h"

namespace tflite_arena {

bool HostConstructs(const Construction&) { return false; }

}  // namespace tflite_arena
