#!/usr/bin/env bash
# usage: link.sh LIBRARY HEADER FOLDER
# Links every_function.c with the static library and with stubs, and leaves in FOLDER:
#   library, stubs   the two programs, not stripped
#   declared         the names of the functions that the header declares
# Exit status: 0 done, 1 the program forgets a function, or does not work with the library, 2 it could not be linked.
set -euo pipefail
export LC_ALL=C
trap 'exit 2' ERR
here=$(cd "$(dirname "$0")" && pwd)
library=$1 header=$2 folder=$3

compile() {
    "${CC:-cc}" -std=c99 -Os -Wall -Werror -ffunction-sections -fdata-sections -I "$(dirname "$header")" "$@"
}

# One function a line. The preprocessor takes comments away, and each declaration ends with a semicolon.
"${CC:-cc}" -E -P -x c "$header" | tr '\n' ' ' | tr ';' '\n' | tr -s ' ' |
    grep -E '^ ?[A-Za-z_][A-Za-z0-9_ *]*[ *]tflite_[a-z0-9_]+\(' >"$folder/declarations"
grep -oE 'tflite_[a-z0-9_]+\(' "$folder/declarations" | tr -d '(' | sort -u >"$folder/declared"

{
    echo "#include \"$(basename "$header")\""
    sed -E 's/$/ { return 0; }/; s/^( ?void tflite_.*)\{ return 0; \}$/\1{ }/' "$folder/declarations"
} >"$folder/stubs.c"

compile -c "$here/every_function.c" -o "$folder/every_function.o"
compile -c "$folder/stubs.c" -o "$folder/stubs.o"
nm --undefined-only "$folder/every_function.o" | awk '{ print $NF }' | grep '^tflite_' | sort -u >"$folder/called"
forgotten=$(comm -23 "$folder/declared" "$folder/called")
if [ -n "$forgotten" ]; then
    printf 'every_function.c does not call:\n%s\n' "$forgotten"
    exit 1
fi

link() {
    "${CC:-cc}" "$folder/every_function.o" "$1" -Wl,--gc-sections -o "$2"
}
link "$folder/stubs.o" "$folder/stubs"
link "$library" "$folder/library"
wrong=0
"$folder/library" || wrong=$?
if [ "$wrong" -ne 0 ]; then
    echo "every_function.c, linked with the library: exit status $wrong"
    exit 1
fi
