#include "alone.inc"
