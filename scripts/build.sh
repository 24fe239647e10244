#!/usr/bin/env bash
# Builds the libraries, the command line tool and the C and C++ side. Says a line for each step that had something to do.
#
#   scripts/build.sh [--debug] [--libraries]
#
# What comes out (with --debug, the same under target/debug and build/debug):
#   build/release/libtflite_arena.a, libtflite_arena.so   the C library
#   target/release/tflite-arena                           the command line tool
#   build/release/libtflite_arena_preload.so, and the test programs; not with --libraries
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
profile=release
build_type=Release
libraries_only=

usage() {
    echo "usage: scripts/build.sh [--debug] [--libraries]" >&2
    exit 2
}

for argument in "$@"; do
    case $argument in
        --debug) profile=debug build_type=Debug ;;
        --libraries) libraries_only=1 ;;
        *) usage ;;
    esac
done

folder=$root/build/$profile

for tool in cargo cmake make c++ objcopy; do
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
    local flags=(--locked)
    [ "$profile" = debug ] || flags+=(--release)
    # Cargo itself tells what it does, and says nothing but a last line when there is nothing to do.
    (cd "$root" && cargo build "${flags[@]}" 2>&1 | sed '/^ *Finished /d') >&2
}

# Puts what is shipped where it is used from: the archive without what is not ours, the shared library under its own name.
ship_libraries() {
    local built=$root/target/$profile/libtflite_arena soname tables=()
    [ "$profile" = debug ] || tables=(--without-unwind-tables)
    mkdir -p "$folder"
    "$root/scripts/static_library.sh" "$built.a" "$folder/libtflite_arena.a" ${tables[@]+"${tables[@]}"}
    soname=$(readelf --dynamic "$built.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p')
    cmp -s "$built.so" "$folder/$soname" || cp --remove-destination "$built.so" "$folder/$soname"
    ln -sf "$soname" "$folder/libtflite_arena.so"
}

build_cpp() {
    [ -e "$folder/CMakeCache.txt" ] || echo "build/$profile: configuring, then building"
    summarised cmake -S "$root/ctests" -B "$folder" \
        -DCMAKE_BUILD_TYPE="$build_type" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        -DTFLITE_ARENA_LIBRARY="$folder/libtflite_arena.a" \
        -DTFLITE_ARENA_INCLUDE_DIR="$root/include"
    summarised cmake --build "$folder" --parallel "$(nproc)"
}

build_rust
ship_libraries
[ -n "$libraries_only" ] || build_cpp
