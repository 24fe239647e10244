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
# shellcheck source=SCRIPTDIR/mnist.sh
. "$root/checks/upstream/mnist.sh"

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
compare_mnist "$build" "$package" "linked with our planner first"
