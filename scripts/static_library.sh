#!/usr/bin/env bash
# usage: scripts/static_library.sh CARGO_ARCHIVE RESULT [--without-unwind-tables]
# Makes the static library that is shipped out of the one that cargo builds. Cargo's holds, besides ours, the Rust compiler's own
# versions of libm's and libgcc's functions, hidden: a program with calls to those would be linked with them, and fail. Here
# our objects become one, in which only the C ABI's functions can be seen. RESULT is written only if it changes.
#
# --without-unwind-tables leaves out what debuggers and crash reporters need to see the callers of our functions: a seventh of
# the whole, for what never throws.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
usage() {
    sed -n '2s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
[ $# -ge 2 ] || usage
# The compiler's name and version would be in every program.
remove=(--remove-section=.comment)
case ${3-} in
    "") ;;
    --without-unwind-tables) remove+=(--remove-section=.eh_frame --remove-section=.rela.eh_frame) ;;
    *) usage ;;
esac
archive=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the crates that we are made of compile to is named after ours; with link-time optimisation there is nothing else of them.
mapfile -t members < <(ar t "$archive" | grep '^tflite_arena\.')
[ ${#members[@]} -gt 0 ] || {
    echo "static_library.sh: $1 holds no object of ours" >&2
    exit 1
}
(cd "$work" && ar x "$archive" "${members[@]}")
(cd "$work" && ld -r -o whole.o "${members[@]}")
objcopy --keep-global-symbols="$root/ctests/exported_symbols.txt" "${remove[@]}" "$work/whole.o" "$work/tflite_arena.o"
ar crD "$work/result.a" "$work/tflite_arena.o"
cmp -s "$work/result.a" "$2" || cp "$work/result.a" "$2"
