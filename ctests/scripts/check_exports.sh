#!/usr/bin/env bash
# usage: check_exports.sh LIST HEADER LIBRARY
# The functions that the header declares, and those that the library, shared or static, shows, are those of LIST.
# Exit status: 0 they are, 1 they are not, 2 it could not be found out.
set -euo pipefail
trap 'exit 2' ERR
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lists.sh"
list=$1 header=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

read_list "$list" > "$work/listed"

# The preprocessor takes comments away; its line markers tell the header's own lines from those of the
# system headers that it includes. What stands before a "(" there and is no pointer is a function.
"${CC:-cc}" -x c -E "$header" |
  awk -v name="$header" '/^# /{ split($0, quoted, "\""); own = (quoted[2] == name); next } own' |
  sed -E 's/[A-Za-z0-9_]+[[:space:]]*\([[:space:]]*\*//g' | grep -oE '\b[a-z_][a-z0-9_]*[[:space:]]*\(' | tr -d ' (' | LC_ALL=C sort -u > "$work/declared"

case $library in
  *.a) table=--extern-only ;;
  *) table=--dynamic ;;
esac
nm "$table" --defined-only "$library" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u > "$work/shown"

for names in listed declared shown; do
  [ -s "$work/$names" ] || { echo "no names $names" >&2; exit 2; }
done

good=0
compare_lists "$(basename "$list")" "$work/listed" "$(basename "$header")" "$work/declared" || good=1
compare_lists "$(basename "$list")" "$work/listed" "$(basename "$library")" "$work/shown" || good=1
[ "$good" -ne 0 ] || echo "$(wc -l < "$work/listed") functions: list, header and library agree"
exit "$good"
