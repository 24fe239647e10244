#!/usr/bin/env bash
# usage: check_install.sh PROFILE NAME
# What scripts/install.sh installs can be used by itself: a C program is compiled through pkg-config and through find_package,
# linked with either library and run. Programs ask the loader for the shared one by NAME. The command line tool works, too.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
profile=$1 name=$2
work=$(mktemp -d)
# With a blank, which all that is installed has to quote.
prefix="$work/some where"
trap 'rm -rf "$work"' EXIT

fail() { echo "$1" >&2; exit 1; }
# quietly COMMAND...: what it says is shown only if it fails.
quietly() { "$@" > "$work/said" 2>&1 || { cat "$work/said" >&2; fail "failed: $*"; }; }

command -v pkg-config > /dev/null || fail "pkg-config is missing; scripts/setup.sh installs it"
flags=()
[ "$profile" != debug ] || flags=(--debug)
quietly "$root/scripts/install.sh" --no-build --prefix "$prefix" ${flags[@]+"${flags[@]}"}

# run_both HOW: $work/static and $work/shared are two different programs that work.
run_both() {
  quietly "$here/check_linkage.sh" "$work/static" "$work/shared" "$name"
  quietly "$work/static"
  LD_LIBRARY_PATH="$prefix/lib" quietly "$work/shared"
  rm "$work/static" "$work/shared"
  echo "through $1: the program works with either library"
}

sources=("$root/ctests/plan_and_execute.c" "$root/ctests/support/check.c")
# pkg-config quotes for the shell.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
compile() {
  eval "options=($(pkg-config --cflags --libs "${@:2}" tflite_arena))"
  quietly "${CC:-cc}" -Wall -Werror -I "$root/ctests/support" "${sources[@]}" "${options[@]}" "${@:2}" -o "$work/$1"
}
compile shared
compile static -static
run_both pkg-config

# The rest may be moved, also to where LD_PRELOAD can name it.
mv "$prefix" "$work/elsewhere"
prefix=$work/elsewhere
list=$(IFS=';' && echo "${sources[*]}")
configure() {
  cmake -S "$root/ctests/installed" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DSOURCES="$list" \
    -DCMAKE_C_FLAGS="-Wall -Werror -I'$root/ctests/support'" -DWANTED_VERSION="$1"
}
version=$("$prefix/bin/tflite-arena" --version | sed 's/.* //')
quietly configure "$version"
quietly cmake --build "$work/build"
cp "$work/build/program_static" "$work/static"
cp "$work/build/program_shared" "$work/shared"
run_both find_package
! configure 99.0 > "$work/said" 2>&1 || fail "find_package took version $version for 99.0"
grep -q "compatible with requested version" "$work/said" || { cat "$work/said" >&2; fail "another failure was expected"; }

"$prefix/bin/tflite-arena" run -- true 2> "$work/said" || fail "tflite-arena run: exit status $?"
grep -q "no planner was created" "$work/said" || { cat "$work/said" >&2; fail "nothing was preloaded"; }
echo "tflite-arena run: found what to preload"
