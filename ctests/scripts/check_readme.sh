#!/bin/sh
# usage: check_readme.sh README INCLUDE_DIR LIBRARY
# Compiles the C program of the README as a user would, runs it, and compares what it prints with the block behind it.
set -eu
# shellcheck source=SCRIPTDIR/blocks.sh
. "$(dirname "$0")/blocks.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

blocks "$1" "From C" c >"$folder/readme.c"
blocks "$1" "From C" "" >"$folder/expected"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$2" "$folder/readme.c" "$3" -o "$folder/readme"
"$folder/readme" >"$folder/printed"
diff "$folder/expected" "$folder/printed"
