#!/usr/bin/env bash
# What tflite_arena_swap (cmake/) does with targets of every kind, and what it says where it cannot.
# Usage: swap_test.sh CMAKE C++-COMPILER C-LIBRARY
set -euo pipefail

cmake=$1
library=$(realpath "$3")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$tests/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CXX=$2
cd "$work"

fail() {
    echo "swap_test: $1" >&2
    [ ! -e said ] || cat said >&2
    exit 1
}

# configure SOURCE-FOLDER BUILD-FOLDER CMAKE-OPTION...: what it says is in the file said, as one line.
configure() {
    local status=0
    "$cmake" -S "$1" -B "$2" -Wno-dev "${@:3}" >output 2>&1 || status=$?
    tr -s ' \n' '  ' <output >said
    return "$status"
}

build() { "$cmake" --build "$1" --parallel "$(nproc)" >said 2>&1 || fail "$1 cannot be built"; }

same() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# symbols PROGRAM PATTERN: how many such symbols it defines
symbols() { nm --demangle --defined-only "$1" | grep -cE "$2" || true; }

test_every_kind_of_target() {
    configure "$tests/swap" kinds -DTFLITE_ARENA_LIBRARY="$library" || fail "it is not configured"
    build kinds
    same "upstream's" "upstream's planner
an arena of 77777 bytes
the second allocation at 77777" "$(kinds/driver_theirs)"
    same "upstream's own functions in upstream's" 2 "$(symbols kinds/driver_theirs '::UpstreamsOwn\(')"
    same "our functions in upstream's" 0 "$(symbols kinds/driver_theirs ' tflite_arena_planner_create$')"

    local runtime program
    for runtime in tensorflow-lite tensorflow-lite-shared tensorflow-lite-objects; do
        program=kinds/driver_$runtime
        same "$runtime" "an arena of 384 bytes
dumper: kTfLiteArenaRw Dump: 2 nodes, 384 bytes, 3 allocs
dumper: kTfLiteArenaRwPersistent Dump: 2 nodes, 0 bytes, 0 allocs
the second allocation at 128" "$($program)"
        [ "$runtime" != tensorflow-lite-shared ] || program=$(find kinds -name 'libtensorflow-lite-shared.so')
        same "upstream's own functions in $runtime" 0 "$(symbols "$program" '::UpstreamsOwn\(')"
        same "our functions in $runtime" 1 "$(symbols "$program" ' tflite_arena_planner_create$')"
    done
}

# refused FAULT TEXT CMAKE-OPTION...: configuring fails with this text, and names the function and the target.
refused() {
    ! configure "$tests/swap/faults" faults -DTFLITE_ARENA_LIBRARY="$library" -DFAULT="$1" "${@:3}" ||
        fail "with '$1' it is configured"
    grep -qF "tflite_arena_swap(tensorflow-li" said || fail "the target is not named"
    grep -qF -- "$2" said || fail "with '$1' it does not say '$2'"
}

test_what_is_refused() {
    configure "$tests/swap/faults" faults -DTFLITE_ARENA_LIBRARY="$library" -DFAULT= || fail "without a fault it is refused"
    refused "no target" "there is no such target"
    refused "no planner" "upstream's arena_planner.cc was looked for and is not among"
    refused "no arena" "upstream's simple_memory_arena.cc was looked for and is not among"
    refused "no sources" "upstream's arena_planner.cc was looked for and is not among"
    refused "two planners" "which arena_planner.cc is upstream's?"
    refused "expression" "arena_planner.cc is in a generator expression"
    refused "twice" "has been swapped already"
    refused "no library" "TFLITE_ARENA_LIBRARY=/no/such/library.a is missing" -DTFLITE_ARENA_LIBRARY=/no/such/library.a
}

# In a source tree that has not been built, with a build script that copies the library to where it belongs.
test_the_library_is_built_if_it_is_not_there() {
    mkdir -p tree/cpp/tests tree/scripts
    cp -R "$root"/cmake "$root"/include tree
    cp -R "$root"/cpp/*.{cc,h,inc,cmake} "$root"/cpp/overlay tree/cpp
    cp -R "$tests"/{swap,generations,*.h} tree/cpp/tests

    ! configure tree/cpp/tests/swap built -DTFLITE_ARENA_CARGO=NO || fail "it needs neither library nor Cargo"
    grep -q "libtflite_arena.a is missing, and so is Cargo" said || fail "it does not say what is missing"

    cat >tree/scripts/build.sh <<END
#!/bin/sh
echo "\$@" >>"$work/calls"
mkdir -p "$work/tree/build/release" && cp "$library" "$work/tree/build/release"
END
    chmod +x tree/scripts/build.sh
    configure tree/cpp/tests/swap built -DTFLITE_ARENA_CARGO=/bin/true || fail "it is not configured"
    for _ in 1 2; do
        build built
        same "calls of the build script" "--libraries" "$(cat calls)"
    done
    same "the first line" "an arena of 384 bytes" "$(built/driver_tensorflow-lite | sed 1q)"
}

for name in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do "$name"; done
