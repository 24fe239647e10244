#!/bin/sh
# usage: check_readme.sh README INCLUDE_DIR LIBRARY
# Compiles the C program of the README as a user would, runs it, and compares what it prints with the block behind it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# block N: the N-th fenced block from the first one in C on.
block() {
    awk -v wanted="$1" '
        /^```c$/ { started = 1 }
        started && /^```/ { inside = !inside; if (inside) n++; next }
        inside && n == wanted
    ' "$2"
}
block 1 "$1" >"$folder/readme.c"
block 2 "$1" >"$folder/expected"
[ -s "$folder/readme.c" ] && [ -s "$folder/expected" ] || { echo "the blocks were not found in $1" >&2; exit 1; }

cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$2" "$folder/readme.c" "$3" -o "$folder/readme"
"$folder/readme" >"$folder/printed"
diff "$folder/expected" "$folder/printed"
