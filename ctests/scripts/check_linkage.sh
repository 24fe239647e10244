#!/usr/bin/env bash
# usage: check_linkage.sh STATIC_PROGRAM SHARED_PROGRAM
# The two variants of a test really are two: one carries the library, the other asks the loader for it.
set -euo pipefail
# No `grep -q` here: it ends early, and with pipefail the other side's broken pipe counts as a failure.
needs_library() { readelf -d "$1" | grep 'NEEDED.*libtflite_arena' > /dev/null; }
carries_library() { nm --defined-only "$1" | grep ' [Tt] tflite_arena_version$' > /dev/null; }

fail() { echo "$1"; exit 1; }
needs_library "$1" && fail "$1 needs the shared library"
carries_library "$1" || fail "$1 does not carry the static library"
needs_library "$2" || fail "$2 does not need the shared library"
carries_library "$2" && fail "$2 carries the static library"
echo "one static, one shared"
