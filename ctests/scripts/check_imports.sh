#!/usr/bin/env bash
# usage: check_imports.sh ALLOWED SHARED_LIBRARY
#        check_imports.sh ALLOWED STATIC_LIBRARY EXPORTED
# What the library takes from elsewhere is in the list ALLOWED. Of a static library that is what a
# program takes along that uses every function of the list EXPORTED.
# Exit status: 0 it is, 1 it is not, 2 it could not be found out.
set -euo pipefail
trap 'exit 2' ERR
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lists.sh"
allowed=$1 library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

linked=$library
if [ "${library%.a}" != "$library" ]; then
  linked=$work/linked.so
  mapfile -t roots < <(read_list "$3" | sed 's/^/-Wl,-u,/')
  "${CC:-cc}" -shared -nostdlib -Wl,--gc-sections -o "$linked" "${roots[@]}" "$library"
fi
read_list "$allowed" > "$work/allowed"
nm -D --undefined-only "$linked" | awk '{ print $NF }' | sed 's/@.*//' | LC_ALL=C sort -u > "$work/imported"
[ -s "$work/imported" ] || { echo "no imports found in $library" >&2; exit 2; }

extra=$(LC_ALL=C comm -13 "$work/allowed" "$work/imported")
if [ -n "$extra" ]; then
  printf '%s imports what %s does not allow:\n%s\n' "$(basename "$library")" "$(basename "$allowed")" "$extra"
  exit 1
fi
echo "$(wc -l < "$work/imported") imports, all allowed"
