#!/usr/bin/env bash
# Runs the tests, and installs what they need first.
#
#   scripts/test.sh             quick: formatting, lints, unit and property tests, the C and C++ harness, header drift,
#                               size and panic checks
#   scripts/test.sh --full      and: struct layouts against TFLite's headers, upstream's own tests, upstream's planners against
#                               ours, a real runtime linked with ours first and one with its source swapped, sanitizers,
#                               memory checker, recordings against their schema, the demo on all three stock runtimes,
#                               preloading as documented, and reports in Chromium
#   scripts/test.sh --nightly   and: a hundred times as many random graphs
#
# A step that cannot run here (no network, no Python 3.11) is skipped with a line that says so; with
# TFLITE_ARENA_NO_SKIP=1 it fails instead. The last line counts the steps.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

level=quick
case ${1-} in
    "") ;;
    --full) level=full ;;
    --nightly) level=nightly ;;
    *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

passed=0 failed=() skipped=()

# step NAME COMMAND...: runs it, shows what it says, and goes on whatever comes of it. Exit status 77 means skipped.
step() {
    local name=$1 status=0 start=$SECONDS
    shift
    printf '\n==> %s\n' "$name"
    "$@" || status=$?
    if [ "$status" -eq 77 ] && [ "${TFLITE_ARENA_NO_SKIP-}" != 1 ]; then
        skipped+=("$name")
        echo "--- $name: skipped"
    elif [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        echo "--- $name: passed in $((SECONDS - start)) s"
    else
        failed+=("$name")
        echo "--- $name: FAILED with status $status"
    fi
}

ctest_in() {
    local folder=$1
    shift
    ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
}

rust_lints() {
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets -- -D warnings
}

rust_tests() {
    cargo test --locked --workspace "$@"
}

# variant NAME CMAKE-OPTION...: the C and C++ harness once more, built another way.
variant() {
    local folder=build/$1
    shift
    cmake -S ctests -B "$folder" -DCMAKE_BUILD_TYPE=Debug -DTFLITE_ARENA_INCLUDE_DIR="$root/include" \
        -DTFLITE_ARENA_LIBRARY="$root/build/release/libtflite_arena.a" "$@" >/dev/null
    cmake --build "$folder" --parallel "$(nproc)" >/dev/null
    ctest_in "$folder"
}

layouts() {
    (cd checks/layout && cargo test --locked)
}

# What is tested on models that the demo has downloaded; without them these tests pass by.
real_models() {
    [ -d .cache/models/mediapipe ] || return 77
    cargo test --locked -p arena-report --test real_models
    cargo test --locked -p tflite-arena-cli --test report the_readme_s_example
}

step "system packages" scripts/setup.sh --quiet
step "build" scripts/build.sh
step "formatting and lints" rust_lints
step "unit and property tests" rust_tests
step "C and C++ harness" ctest_in build/release
step "header drift is noticed" scripts/check_drift.sh
step "size" scripts/check_size.sh
step "size check can fail" scripts/check_size.sh --self-test
step "panics" scripts/check_panics.sh
step "panic check can fail" scripts/check_panics.sh --self-test
if [ "$level" != quick ]; then
    step "layouts against TFLite's headers" layouts
    step "upstream's own tests" checks/upstream/run.sh
    step "linked first into TensorFlow Lite" checks/upstream/link_first.sh
    step "source swap into TFLite 1.15" checks/upstream/source_swap.sh
    step "differential test against upstream's planners" checks/differential/run.sh
    step "C and C++ harness under sanitizers" variant sanitized -DTFLITE_ARENA_SANITIZE=address,undefined
    step "C and C++ harness under the memory checker" variant valgrind -DTFLITE_ARENA_VALGRIND=ON
    step "recordings against their schema" scripts/demo/test.sh
    for runtime in 2.14 2.15 2.16; do
        step "demo on runtime $runtime" scripts/demo.sh --runtime "$runtime"
    done
    step "models' files against the runtime, and the README's example" real_models
    step "runtime, log, recording and reports agree" checks/agree/run.sh
    step "their comparison can fail" checks/agree/run.sh --self-test
    step "preloading as documented" checks/preload_steps.sh
    step "demo without network" scripts/demo.sh --offline
    step "reports in a browser" checks/browser/run.sh
    step "browser check can fail" checks/browser/run.sh --self-test
fi
if [ "$level" = nightly ]; then
    step "many more random graphs" env TFLITE_ARENA_TEST_SCALE=100 cargo test --release --locked -p arena-packer -p arena-planner
    step "many more sequences against upstream's planners" checks/differential/run.sh --sequences 400000
fi

printf '\n'
for name in ${failed[@]+"${failed[@]}"}; do echo "failed: $name"; done
for name in ${skipped[@]+"${skipped[@]}"}; do echo "skipped: $name"; done
echo "$passed passed, ${#failed[@]} failed, ${#skipped[@]} skipped"
[ "${#failed[@]}" -eq 0 ]
