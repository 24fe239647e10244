#!/usr/bin/env bash
# usage: panics.sh FOLDER ALLOWED
# Looks into the program with the library, linked by link.sh: it may hold no formatting and no unwinding machinery, and
# exactly the calls to panic functions that are listed in the file ALLOWED, each with its reason.
# Exit status: 0 it is so, 1 it is not, 2 it could not be found out.
set -euo pipefail
export LC_ALL=C
trap 'exit 2' ERR
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 allowed=$2
program=$folder/library

cannot_tell() {
    echo "$1" >&2
    exit 2
}

good=0
# none_of WHAT NAMES: there should be none of them.
none_of() {
    if [ -n "$2" ]; then
        printf '%s:\n%s\n' "$1" "$(sed 's/^/  /' <<<"$2")"
        good=1
    fi
}

readelf --file-header "$program" | grep 'Machine:.*X86-64' >/dev/null ||
    cannot_tell "only x86-64 instructions can be read here"

# Names without the hash that the compiler adds, and without versions.
hash='s/::h[0-9a-f]{16}//g'
nm --demangle=rust "$program" | sed -E "$hash"'; s/^[0-9a-f ]{16} . //; s/@.*//' >"$folder/symbols"
[ "$(grep -cxFf "$folder/declared" "$folder/symbols")" -eq "$(wc -l <"$folder/declared")" ] ||
    cannot_tell "the program lacks names of our functions; is it stripped?"
grep '^arena_planner::' "$folder/symbols" >/dev/null && grep '^arena_packer::' "$folder/symbols" >/dev/null ||
    cannot_tell "the program names no function inside the library; are its symbols stripped, or mangled in a new way?"

objdump --disassemble --no-show-raw-insn --demangle=rust "$program" | sed -E "$hash" |
    awk -f "$here/references.awk" >"$folder/references"
# What every_function.c calls is known, so this tells whether calls were seen at all.
awk -F ' -> ' '{ print $2 }' "$folder/references" | sort -u | comm -23 "$folder/declared" - >"$folder/unseen"
[ ! -s "$folder/unseen" ] ||
    cannot_tell "no call was seen to $(tr '\n' ' ' <"$folder/unseen"); does objdump write in a new way?"

none_of "formatting machinery is linked" "$(grep -E '(^|[^A-Za-z0-9_])fmt([^A-Za-z0-9_]|$)' "$folder/symbols" || true)"
none_of "unwinding machinery is linked" "$(
    grep -E '_Unwind_|eh_personality|gxx_personality|panic_cleanup|panic_unwind' "$folder/symbols" || true
    readelf --section-headers --wide "$program" | grep -o '\.gcc_except_table' || true
    readelf --dynamic "$program" | grep -o 'libgcc_s[^]]*' || true
)"

# Panic functions are the standard library's, its panic handler, abort and the trap instruction; what they do among
# themselves is no call of ours. One whose name is not known here shows as a caller of one that is: all end in abort.
panic_word='panic|fail|handle_error|handle_alloc_error|capacity_overflow|rust_begin_unwind'
panic_function="(core|alloc|std|__rustc)::[a-z0-9_:]*($panic_word)[a-z0-9_:]*(<.*)?|abort|ud2"
grep -E -- " -> ($panic_function)\$" "$folder/references" | grep -vE "^($panic_function) -> " |
    sort >"$folder/panic_calls" || true
linked=$(grep -xE "$panic_function" "$folder/symbols" || true)
[ -z "$linked" ] || [ -s "$folder/panic_calls" ] ||
    cannot_tell "no call was seen to panic functions that are linked: $linked"

{ grep -v '^#' "$allowed" || true; } >"$folder/allowed_lines"
no_reason=$(grep -vE '^.+ -> .+: .+' "$folder/allowed_lines" || true)
[ -z "$no_reason" ] || cannot_tell "$allowed gives no reason for: $no_reason"
# The reason follows the first colon that no other colon touches; names have pairs.
sed -E 's/([^:]): .*/\1/' "$folder/allowed_lines" | sort >"$folder/allowed"
none_of "calls to panic functions that are not allowed" "$(comm -23 "$folder/panic_calls" "$folder/allowed")"
none_of "no longer there, so to be taken out of $(basename "$allowed")" \
    "$(comm -13 "$folder/panic_calls" "$folder/allowed")"
echo "calls to panic functions: $(wc -l <"$folder/panic_calls"), allowed: $(wc -l <"$folder/allowed")"
[ "$good" -ne 0 ] || echo "no formatting and no unwinding machinery"
exit "$good"
