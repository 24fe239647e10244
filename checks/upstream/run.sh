#!/usr/bin/env bash
# Runs the tests that TensorFlow Lite 1.15 and 2.2 have of their planner and arena, unmodified, over ours. They come out of
# packages of the registry, see packages/; gtest and gmock are the system's.
#
# Exit status: 0 all passed, 77 a package cannot be had (no network, and Cargo has not kept it), else failed.
# The library must have been built (scripts/build.sh).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=SCRIPTDIR/common.sh
. "$root/checks/upstream/common.sh"

# defined SOURCE-FOLDER: the tests that upstream's files define, as SUITE.NAME.
defined() {
    cat "$1"/tensorflow/lite/{arena_planner,simple_memory_arena}_test.cc | tr '\n' ' ' |
        grep -oE '\bTEST(_[FP])? *\( *\w+ *, *\w+ *\)' | sed -E 's/.*\( *(\w+) *, *(\w+) *\)/\1.\2/' | sort
}

# passed LOG: the definitions of which tests have passed. Those with parameters are called INSTANCE/SUITE.NAME/NUMBER.
passed() {
    sed -nE 's,.*\[       OK \] (\w+/)?(\w+\.\w+)(/\w+)? .*,\2,p' "$1" | sort -u
}

# run_tests GENERATION SOURCE-FOLDER STRATEGY: builds and runs them, and counts.
run_tests() {
    local generation=$1 source=$2 strategy=$3 build=$root/build/upstream-$1 log
    quietly cmake -S "$upstream" -B "$build" -DTFLITE_SOURCE_DIR="$source" -DTFLITE_ARENA_TEST_STRATEGY="$strategy" \
        -DTFLITE_ARENA_LIBRARY="$root/build/release/libtflite_arena.a" -DTFLITE_ARENA_INCLUDE_DIR="$root/include"
    quietly cmake --build "$build" --parallel "$(nproc)"
    log=$build/tests.log
    ctest --test-dir "$build" --no-tests=error --verbose --exclude-regex '_fails$' >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
    quietly ctest --test-dir "$build" --no-tests=error --output-on-failure --tests-regex '_fails$'

    # A test that did not run has not failed either.
    defined "$source" >"$build/defined"
    passed "$log" >"$build/passed"
    [ -s "$build/defined" ] && diff "$build/defined" "$build/passed" >&2 || {
        echo "upstream: not all tests of $generation ran and passed, see $log" >&2
        return 1
    }
    echo "TensorFlow Lite $generation: all $(wc -l <"$build/defined") tests passed, in" \
        "$(grep -c '\[       OK \]' "$log") instances, strategy $strategy"
}

folder_1_15=$(package_folder 1.15 tflite)
folder_2_2=$(package_folder 2.2 tfmicro)
# Placed in the order of execution up to 2.1, the largest first from 2.2 on: set here, whatever the default is.
run_tests 1.15 "$folder_1_15/submodules/tensorflow" in-order
run_tests 2.2 "$folder_2_2/submodules/tensorflow" greedy
