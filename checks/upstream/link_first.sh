#!/usr/bin/env bash
# Builds TensorFlow Lite 1.15 from source (a few minutes the first time), and links a program with it twice: as it is, and with our
# planner first. Upstream's planner is not in the second one, and both give the same outputs for the package's MNIST models.
#
# Exit status: 0 so it is, 77 the package cannot be had (no network, and Cargo has not kept it), else failed.
# The library must have been built (scripts/build.sh).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=SCRIPTDIR/common.sh
. "$root/checks/upstream/common.sh"

fail() {
    echo "link_first: $1" >&2
    exit 1
}

# defines PROGRAM PATTERN: whether it has such a symbol of its own
defines() {
    local symbols
    symbols=$(nm --demangle --defined-only "$1")
    grep -qE "$2" <<<"$symbols"
}

package=$(package_folder 1.15 tflite)
messages=$(cargo build --locked --quiet --release --features runtime --message-format json \
    --manifest-path "$upstream/packages/1.15/Cargo.toml" --target-dir "$root/target/upstream-1.15")
runtime=$(grep -o '"out_dir":"[^"]*/tflite-[^"]*"' <<<"$messages" | sed 's/^[^:]*:"//; s/"$//')/libtensorflow-lite.a
build=$root/build/link-first
quietly cmake -S "$upstream/link_first" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTENSORFLOW_LITE="$runtime" \
    -DTFLITE_SOURCE_DIR="$package/submodules/tensorflow" \
    -DFLATBUFFERS_DIR="$package/submodules/downloads/flatbuffers/include" \
    -DTFLITE_ARENA_LIBRARY="$root/build/release/libtflite_arena.a" -DTFLITE_ARENA_INCLUDE_DIR="$root/include"
quietly cmake --build "$build" --parallel "$(nproc)"

# Methods that upstream's classes have and ours have not.
theirs='tflite::(ArenaPlanner::CalculateAllocations|SimpleMemoryArena::)'
defines "$build/theirs" "$theirs" || fail "the program as it is has not upstream's planner"
! defines "$build/ours" "$theirs" || fail "upstream's planner is in the program that has ours"
defines "$build/ours" ' tflite::ArenaPlanner::ArenaPlanner\(' || fail "no planner is in the program that has ours"

outputs() { "$build/$1" "$package/data/mnist10.bin" "$package"/data/*.tflite; }
outputs theirs >"$build/theirs.txt"
rm -f "$build/log"
TFLITE_ARENA_LOG=$build/log outputs ours >"$build/ours.txt"
grep -q 'event=execute' "$build/log" || fail "our planner has planned nothing"
cmp "$build/theirs.txt" "$build/ours.txt" || fail "the outputs differ"
[ -s "$build/ours.txt" ] || fail "there are no outputs"
echo "TensorFlow Lite 1.15, linked with our planner first: $(wc -l <"$build/ours.txt") outputs, all as without it"
