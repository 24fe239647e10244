#!/usr/bin/env bash
# usage: check_mirror.sh ABI_MD EXPORTED OVERLAY
# The table of upstream's methods in ABI_MD: each row's C functions are in the list EXPORTED, and each method is declared
# in the class of that name in the headers of the folder OVERLAY. And no method that is declared there in public is missing
# from the table.
# Exit status: 0 so it is, 1 it is not, 2 it could not be found out.
set -euo pipefail
trap 'exit 2' ERR
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lists.sh"
abi=$1 exported=$2 overlay=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

read_list "$exported" > "$work/exported"
sed -n 's/^| `\([A-Za-z]*::~\{0,1\}[A-Za-z]*\)` |.*/\1/p' "$abi" | LC_ALL=C sort -u > "$work/listed_methods"
{ grep -E '^\| `[A-Za-z]+::' "$abi" || true; } | { grep -oE '`tflite_[a-z_]+`' || true; } | tr -d '`' |
  LC_ALL=C sort -u > "$work/listed_functions"

# What stands before a "(" between "class NAME" and its "private:", at the depth of the class: Class::method.
cat "$overlay"/tflite_arena/*.h | sed 's,//.*,,' | awk '
  /^class [A-Za-z]+ .*\{/ || /^class [A-Za-z]+ \{/ { class = $2; public = 1 }
  /private:/ { public = 0 }
  /^};/ { class = "" }
  class == "ArenaPlanner" || class == "SimpleMemoryArena" || class == "ResizableAlignedBuffer" {
    if (public && !/= delete/ && match($0, /^ +([A-Za-z_:]+[A-Za-z_:<>, *&]* )?~?[A-Za-z]+\(/) && substr($0, 1, 3) ~ /^  [^ ]/) {
      name = substr($0, RSTART, RLENGTH - 1)
      sub(/.* /, "", name)
      print class "::" name
    }
  }' | LC_ALL=C sort -u > "$work/declared_methods"

for names in exported listed_methods listed_functions declared_methods; do
  [ -s "$work/$names" ] || { echo "no names: $names" >&2; exit 2; }
done

good=0
compare_lists "$(basename "$abi")" "$work/listed_methods" "the overlay's headers" "$work/declared_methods" || good=1
unknown=$(LC_ALL=C comm -23 "$work/listed_functions" "$work/exported")
[ -z "$unknown" ] || { printf 'in %s, but not exported:\n%s\n' "$(basename "$abi")" "$unknown"; good=1; }
bare=$(grep -E '^\| `[A-Za-z]+::' "$abi" | grep -v '`tflite_' || true)
[ -z "$bare" ] || { printf 'without a C function:\n%s\n' "$bare"; good=1; }
[ "$good" -ne 0 ] || echo "$(wc -l < "$work/listed_methods") methods, $(wc -l < "$work/listed_functions") C functions: all there"
exit "$good"
