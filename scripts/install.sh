#!/usr/bin/env bash
# Builds, and installs header, libraries, pkg-config file, CMake package and the command line tool.
#
#   scripts/install.sh [--prefix DIR] [--debug] [--no-build]
#
#   --prefix DIR   where to (default /usr/local)
#   --debug        the debug build
#   --no-build     what scripts/build.sh has built already
#
# With DESTDIR set, as packagers do, all goes below that folder.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=/usr/local
profile=release
build=1

usage() {
    echo "usage: scripts/install.sh [--prefix DIR] [--debug] [--no-build]" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
        --prefix)
            [ $# -ge 2 ] || usage
            prefix=$(realpath -m "$2")
            shift
            ;;
        --debug) profile=debug ;;
        --no-build) build= ;;
        *) usage ;;
    esac
    shift
done

if [ -n "$build" ]; then
    flags=()
    [ "$profile" = release ] || flags=(--debug)
    "$root/scripts/build.sh" ${flags[@]+"${flags[@]}"}
fi

configured=$(mktemp -d)
trap 'rm -rf "$configured"' EXIT
cmake -S "$root/cmake" -B "$configured" -DCMAKE_INSTALL_PREFIX="$prefix" -DTFLITE_ARENA_PROFILE=$profile >/dev/null
cmake --install "$configured"
