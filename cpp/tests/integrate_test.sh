#!/usr/bin/env bash
# Runs the steps of docs/integrate.md that need no download, as they stand there, with a made-up runtime.
# Usage: integrate_test.sh C++-COMPILER
set -euo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TFLITE_ARENA=$(cd "$tests/../.." && pwd)
# shellcheck source=SCRIPTDIR/../../ctests/scripts/blocks.sh
. "$TFLITE_ARENA/ctests/scripts/blocks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RUNTIME=$work/runtime
# The made-up runtime's headers want to know which generation to be.
CXX=$1
CXXFLAGS="-DFAKE_GENERATION=9"
export TFLITE_ARENA RUNTIME CXX CXXFLAGS

fail() {
    echo "integrate_test: $1" >&2
    [ ! -e "$work/said" ] || cat "$work/said" >&2
    exit 1
}

# Its source, with a CMakeLists.txt, and a library of it.
make_runtime() {
    mkdir "$RUNTIME"
    cp -R "$tests"/swap/runtime/tensorflow "$tests"/generations/tensorflow_root/tensorflow "$tests"/generations/types/types.h \
        "$tests"/{check,test_graph}.h "$tests"/../runtime.h "$RUNTIME"
    cat >"$RUNTIME/CMakeLists.txt" <<'END'
file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/tensorflow/lite/*.cc)
add_library(tensorflow-lite STATIC ${sources})
target_include_directories(tensorflow-lite PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
END
    mkdir "$work/objects"
    (
        cd "$work/objects"
        "$CXX" $CXXFLAGS -I"$RUNTIME" -c "$RUNTIME"/tensorflow/lite/*.cc
        ar crs "$RUNTIME/libtensorflow-lite.a" ./*.o
    )
}

# follow HEADING: in a folder with app.cc. The commands are shown before they are run, and c++ is the compiler that was named.
follow() {
    rm -rf "$work/app" && mkdir -p "$work/app" "$work/bin"
    ln -sf "$(command -v "$CXX")" "$work/bin/c++"
    printf '%s\n' '#include "tensorflow/lite/interpreter.h"' 'int main() { tflite::RunChain(); }' >"$work/app/app.cc"
    blocks "$TFLITE_ARENA/docs/integrate.md" "$1" cmake >"$work/app/CMakeLists.txt"
    blocks "$TFLITE_ARENA/docs/integrate.md" "$1" sh | sed "s/^c++ /&$CXXFLAGS /" >"$work/steps"
    (cd "$work/app" && PATH=$work/bin:$PATH bash -euxo pipefail "$work/steps") >"$work/said" 2>&1 || fail "$1: a step failed"
}

# planned TIMES: programs ran on our planner, and none on upstream's
planned() {
    [ "$(grep -c '^an arena of 384 bytes$' "$work/said")" -eq "$1" ] || fail "not $1 programs had our planner"
    ! grep -q "upstream's planner" "$work/said" || fail "a program had upstream's planner"
    [ "$(grep -c 'event=execute' "$work/app/arena.log")" -eq "$1" ] || fail "not $1 executions in the log"
}

test_link_first() {
    follow "Link first"
    planned 2
    # As the document says of the option.
    sed -i 's/-Wl,--undefined=tflite_arena_cpp_link_first//' "$work/steps"
    (cd "$work/app" && bash -euo pipefail "$work/steps") >"$work/said" 2>&1 || fail "without the option it is not linked"
    grep -q "upstream's planner" "$work/said" || fail "the option makes no difference"
}

test_source_swap() {
    follow "Swap the source"
    planned 1
    grep -q ' T tflite_arena_planner_create$' "$work/said" || fail "the last step shows no function of ours"
}

make_runtime
for name in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do "$name"; done
