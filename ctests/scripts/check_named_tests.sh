#!/usr/bin/env bash
# usage: check_named_tests.sh DOCUMENT FOLDER...
# Each test that DOCUMENT names, as `file.c` or `file.cc:function`, exists below one of the folders, and is used there; and
# each row of a table whose last column is "shown by" names one.
# Exit status: 0 so it is, 1 it is not, 2 it could not be found out.
set -euo pipefail
trap 'exit 2' ERR
document=$1
shift
named=$(grep -oE '`[a-z0-9_]+\.cc?(:[A-Za-z0-9_]+)?`' "$document" | tr -d '`' | LC_ALL=C sort -u)
[ -n "$named" ] || { echo "$document names no test" >&2; exit 2; }

good=0 count=0
for name in $named; do
  count=$((count + 1))
  file=${name%%:*} function=${name#*:}
  mapfile -t found < <(find "$@" -name "$file" -type f)
  if [ "${#found[@]}" -ne 1 ]; then
    echo "$name: ${#found[@]} files of that name"
    good=1
  elif [ "$function" != "$name" ]; then
    # A line where it is defined, and another where it is used.
    defined=$(grep -cE "^(static )?void $function\(" "${found[0]}" || true)
    used=$(grep -cE "\b$function\b" "${found[0]}" || true)
    [ "$defined" -eq 1 ] && [ "$used" -ge 2 ] || { echo "$name: defined $defined times, used $used times"; good=1; }
  fi
done

rows=$(awk -F '|' '
  !/^\|/ { inside = 0; next }
  !inside { inside = 1; shown = $(NF - 1) ~ /shown by/; next }
  shown && !/^\|-/ && $(NF - 1) !~ /`[a-z0-9_]+\.cc?(:[A-Za-z0-9_]+)?`/' "$document")
[ -z "$rows" ] || { printf 'rows without a test:\n%s\n' "$rows"; good=1; }
[ "$good" -ne 0 ] || echo "$count tests are named, and exist"
exit "$good"
