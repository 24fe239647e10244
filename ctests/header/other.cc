#define HEADER_OTHER_UNIT
#include "alone.inc"
