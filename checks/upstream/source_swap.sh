#!/usr/bin/env bash
# Builds TensorFlow Lite 1.15 from source in a CMake project that calls tflite_arena_swap, and without that call, as far as the
# package's MNIST models need it. Upstream's planner is not in the swapped one, and both give the same outputs.
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
build=$root/build/source-swap
quietly cmake -S "$upstream/source_swap" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DTFLITE_SOURCE_DIR="$package/submodules/tensorflow" -DDOWNLOADS_DIR="$package/submodules/downloads"
quietly cmake --build "$build" --parallel "$(nproc)"
compare_mnist "$build" "$package" "with our planner swapped in"
