#!/usr/bin/env bash
# usage: growth.sh FOLDER BUDGET
# How much larger the program with the library is than the one with stubs, both linked by link.sh: the stripped files,
# and what is loaded of them. Neither may have grown by more than the number in the file BUDGET.
# Exit status: 0 it has not, 1 it has, 2 it could not be found out.
set -euo pipefail
export LC_ALL=C
trap 'exit 2' ERR
folder=$1
budget=$(grep -v '^#' "$2")
[[ $budget =~ ^[0-9]+$ ]] || { echo "$2 does not hold one number" >&2; exit 2; }

# sizes PROGRAM: a line for each kind of section, and one for the file.
sizes() {
    strip -o "$1.stripped" "$1"
    size -A "$1.stripped" | awk -v file="$(wc -c <"$1.stripped")" '
        function kind(section) {
            if (section ~ /^\.(text|init|fini|plt)/) return "code"
            if (section ~ /^\.rodata/) return "constants"
            if (section ~ /^\.(data|bss)/) return "data"
            if (section ~ /^\.eh_frame/) return "stack unwinding tables"
            return "for the dynamic linker"
        }
        # Three columns with numbers in the last two: a section. Those without an address are not loaded.
        NF == 3 && $2 ~ /^[0-9]+$/ && $3 > 0 { bytes[kind($1)] += $2; loaded += $2 }
        END {
            for (k in bytes) print k "\t" bytes[k]
            print "all that is loaded\t" loaded
            print "stripped file\t" file
        }' | sort
}

sizes "$folder/stubs" >"$folder/stubs.sizes"
sizes "$folder/library" >"$folder/library.sizes"
join -t $'\t' "$folder/stubs.sizes" "$folder/library.sizes" |
    awk -F '\t' '{ print $1 "\t" $2 "\t" $3 "\t" $3 - $2 }' | sort -t $'\t' -k 4,4n >"$folder/growth"
{
    printf 'bytes\twith stubs\twith library\tgrowth\n'
    cat "$folder/growth"
} | awk -F '\t' '{ printf "%-24s%12s%14s%10s\n", $1, $2, $3, $4 }'

growth=$(awk -F '\t' '/^(stripped file|all that is loaded)\t/ && $4 > most { most = $4 } END { print most + 0 }' \
    "$folder/growth")
if [ "$growth" -gt "$budget" ]; then
    echo "a program grows by $growth bytes, $((growth - budget)) above the budget of $budget; the largest pieces:"
    nm --size-sort --reverse-sort --radix=d --print-size --demangle=rust "$folder/library" |
        sed -nE '1,15s/^[0-9]+ 0*([0-9]+) . /  \1  /p'
    exit 1
fi
echo "a program grows by $growth bytes; $budget are allowed"
