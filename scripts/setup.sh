#!/usr/bin/env bash
# Installs the system packages that are missing: through apt when run as root, else it says what to install and fails.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    cat <<'END'
usage: scripts/setup.sh [--quiet] [--for demo|test|browser]

Checks for Rust and for the Debian packages that building and testing need, and installs missing packages as root.
Does nothing, fast, when all is there.

  --quiet       print nothing when nothing is missing
  --for demo    what scripts/demo.sh needs: compiler, binutils, CMake, support for Python's virtual environments
  --for test    that, and what the tests need besides: valgrind, pkg-config, libclang, gtest and gmock
                (the default)
  --for browser what the demo needs, and Chromium with its driver, which are some 100 MB
END
}

quiet=
purpose="test"
while [ $# -gt 0 ]; do
    case $1 in
        --quiet) quiet=1 ;;
        --for)
            purpose=${2-}
            shift
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift || true
done
case $purpose in demo | test | browser) ;; *)
    usage >&2
    exit 2
    ;;
esac

missing=()
# need_command COMMAND PACKAGE: a tool from elsewhere is as good as Debian's
need_command() {
    command -v "$1" >/dev/null || missing+=("$2")
}
# need_header HEADER PACKAGE: likewise
need_header() {
    g++ -E -x c++ - <<<"#include <$1>" >/dev/null 2>&1 || missing+=("$2")
}
need_command cmake cmake
need_command make make
need_command g++ g++
need_command objcopy binutils
# Python is not installed here: without it the demo shows its main job on recorded graphs.
find_status=0
python=$("$root/scripts/demo/find_python.sh") || find_status=$?
if [ "$find_status" = 2 ] && [[ $python == /usr/bin/* ]]; then
    missing+=(python3.11-venv)
fi
if [ "$purpose" = test ]; then
    need_command valgrind valgrind
    need_command pkg-config pkg-config
    need_header gtest/gtest.h libgtest-dev
    need_header gmock/gmock.h libgmock-dev
    # bindgen loads the library and has it parse headers, which include the compiler's own.
    if [ -z "${LIBCLANG_PATH-}" ] && ! { compgen -G '/usr/lib/llvm-*/lib/libclang*.so*' &&
        compgen -G '/usr/lib/llvm-*/lib/clang/*/include/stddef.h'; } >/dev/null; then
        missing+=(libclang-dev)
    fi
fi
if [ "$purpose" = browser ]; then
    need_command chromium chromium
    need_command chromedriver chromium-driver
fi

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "setup: missing; install as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}"
    install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
    # The package lists may be absent or too old; refreshing them takes long, so only then.
    "${install[@]}" || { apt-get update -q && "${install[@]}"; }
fi

for tool in cargo rustc; do
    if ! "$tool" --version >/dev/null 2>&1; then
        echo "setup: $tool is missing or does not run; install a stable Rust toolchain and put it on PATH" >&2
        exit 1
    fi
done

[ -n "$quiet" ] || echo "setup: all that the $purpose needs is there"
