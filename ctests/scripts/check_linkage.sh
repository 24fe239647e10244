#!/usr/bin/env bash
# usage: check_linkage.sh STATIC_PROGRAM SHARED_PROGRAM NAME
# The two variants of a test really are two: one carries the library, the other asks the loader for it, by NAME.
set -euo pipefail
# No `grep -q` here: it ends early, and with pipefail the other side's broken pipe counts as a failure.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libtflite_arena.*\)\]$/\1/p'; }
carries_library() { nm --defined-only "$1" | grep ' [Tt] tflite_arena_version$' > /dev/null; }

fail() { echo "$1"; exit 1; }
[ -z "$(needed "$1")" ] || fail "$1 needs the shared library"
carries_library "$1" || fail "$1 does not carry the static library"
[ "$(needed "$2")" = "$3" ] || fail "$2 should need $3, but needs: $(needed "$2")"
carries_library "$2" && fail "$2 carries the static library"
echo "one static, one that needs $3"
