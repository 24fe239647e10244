#!/usr/bin/env bash
# Builds the libraries, the command line tool and the C and C++ side. Says a line for each step that had something to do.
#
#   scripts/build.sh [--debug]
#
# What comes out (with --debug, the same under target/debug and build/debug):
#   target/release/libtflite_arena.a, libtflite_arena.so, tflite-arena
#   build/release/libtflite_arena_preload.so, and the test programs
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
profile=release
build_type=Release

usage() {
    echo "usage: scripts/build.sh [--debug]" >&2
    exit 2
}

for argument in "$@"; do
    case $argument in
        --debug) profile=debug build_type=Debug ;;
        *) usage ;;
    esac
done

for tool in cargo cmake make c++; do
    command -v "$tool" >/dev/null || {
        echo "build.sh: $tool is missing; scripts/setup.sh installs what is needed" >&2
        exit 1
    }
done

# Runs the command with its output kept back, and says how many files it linked. All of it is shown if it fails.
summarised() {
    local log linked
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then
        linked=$(grep -c ' Linking ' "$log") || true
        [ "$linked" -eq 0 ] || echo "build/$profile: linked $linked libraries and programs"
        rm -f "$log"
    else
        local status=$?
        cat "$log" >&2
        rm -f "$log"
        return "$status"
    fi
}

build_rust() {
    local flags=(--locked -p tflite-arena -p tflite-arena-cli)
    [ "$profile" = debug ] || flags+=(--release)
    # Cargo itself tells what it does, and says nothing but a last line when there is nothing to do.
    (cd "$root" && cargo build "${flags[@]}" 2>&1 | sed '/^ *Finished /d') >&2
}

build_cpp() {
    local folder=$root/build/$profile
    [ -e "$folder/CMakeCache.txt" ] || echo "build/$profile: configuring, then building"
    summarised cmake -S "$root/ctests" -B "$folder" \
        -DCMAKE_BUILD_TYPE="$build_type" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        -DTFLITE_ARENA_LIBRARY="$root/target/$profile/libtflite_arena.a" \
        -DTFLITE_ARENA_INCLUDE_DIR="$root/include"
    summarised cmake --build "$folder" --parallel "$(nproc)"
}

build_rust
build_cpp
