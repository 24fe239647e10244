#!/usr/bin/env bash
# usage: check_symbols_selftest.sh EXPORTS IMPORTS HEADER SHARED_LIBRARY STATIC_LIBRARY
# The symbol checks find what they are there to find: each altered list or header makes them fail with
# status 1 and the name of the culprit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exports=$1 imports=$2 header=$3 library=$4 archive=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# must_find NAME COMMAND...
must_find() {
  local name=$1 said status=0
  shift
  said=$("$@") || status=$?
  if [ "$status" -ne 1 ] || ! grep -qx "$name" <<< "$said"; then
    echo "expected status 1 and \"$name\", got status $status from: $*"
    echo "$said"
    exit 1
  fi
}

grep -v '^tflite_arena_version$' "$exports" > "$work/lacks_one"
must_find tflite_arena_version "$here/check_exports.sh" "$work/lacks_one" "$header" "$library"
must_find tflite_arena_version "$here/check_exports.sh" "$work/lacks_one" "$header" "$archive"

{ cat "$exports"; echo tflite_arena_no_such_function; } > "$work/one_too_many"
must_find tflite_arena_no_such_function "$here/check_exports.sh" "$work/one_too_many" "$header" "$library"

{ cat "$header"; echo 'void smuggled_in(void);'; } > "$work/header.h"
must_find smuggled_in "$here/check_exports.sh" "$exports" "$work/header.h" "$library"

grep -v '^free$' "$imports" > "$work/no_free"
must_find free "$here/check_imports.sh" "$work/no_free" "$library"
must_find free "$here/check_imports.sh" "$work/no_free" "$archive" "$exports"
echo "every alteration was found"
