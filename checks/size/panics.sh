#!/usr/bin/env bash
# usage: panics.sh FOLDER ALLOWED
# Looks into the program with the library, linked by link.sh: it may hold no formatting and no unwinding machinery, and
# exactly the calls to panic functions that are listed in the file ALLOWED, each with its reason.
# Exit status: 0 it is so, 1 it is not, 2 it could not be found out.
set -euo pipefail
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
    [ -z "$2" ] || {
        printf '%s is linked:\n%s\n' "$1" "$(sed 's/^/  /' <<<"$2")"
        good=1
    }
}

readelf --file-header "$program" | grep 'Machine:.*X86-64' >/dev/null ||
    cannot_tell "only x86-64 instructions can be read here"

# Names without the hash that the compiler adds.
nm --demangle=rust "$program" | sed -E 's/^[0-9a-f ]{16} . //; s/::h[0-9a-f]{16}$//; s/@.*//' >"$folder/symbols"
[ "$(grep -cxFf "$folder/declared" "$folder/symbols")" -eq "$(wc -l <"$folder/declared")" ] ||
    cannot_tell "the program lacks names of our functions; is it stripped?"
grep '^arena_planner::' "$folder/symbols" >/dev/null ||
    cannot_tell "the program names no function inside the library; are its symbols stripped, or mangled in a new way?"

objdump --disassemble --no-show-raw-insn --demangle=rust "$program" | awk -f "$here/references.awk" >"$folder/references"
# What main calls is known, so this tells whether calls were seen at all.
awk -F ' -> ' '{ print $2 }' "$folder/references" | LC_ALL=C sort -u | LC_ALL=C comm -23 "$folder/declared" - >"$folder/unseen"
[ ! -s "$folder/unseen" ] || cannot_tell "no call was seen to $(tr '\n' ' ' <"$folder/unseen"); objdump says it in a new way"

none_of "formatting machinery" "$(grep -E '(^|[^A-Za-z0-9_])fmt([^A-Za-z0-9_]|$)' "$folder/symbols" || true)"
none_of "unwinding machinery" "$(
    grep -E '_Unwind_|eh_personality|gxx_personality|panic_cleanup|panic_unwind' "$folder/symbols" || true
    readelf --section-headers --wide "$program" | grep -o '\.gcc_except_table' || true
    readelf --dynamic "$program" | grep -o 'libgcc_s[^]]*' || true
)"

# Panic functions are the standard library's, the panic handler, abort and the trap instruction; what they do among
# themselves is no call of ours. One that goes by a name not known here shows as a caller of one that is known: in the
# end all abort.
panic_function='(core|alloc|std|__rustc)::.*(panic|fail|handle_error|handle_alloc_error|overflow|rust_begin_unwind).*|abort|ud2'
grep -E -- " -> ($panic_function)\$" "$folder/references" | grep -vE "^($panic_function) -> " |
    LC_ALL=C sort >"$folder/panic_calls" || true
linked=$(grep -xE "$panic_function" "$folder/symbols" || true)
[ -z "$linked" ] || [ -s "$folder/panic_calls" ] ||
    cannot_tell "no call was seen to panic functions that are linked: $linked"

{ grep -v '^#' "$allowed" || true; } >"$folder/allowed_lines"
no_reason=$(grep -vE '^.+ -> .+: .+' "$folder/allowed_lines" || true)
[ -z "$no_reason" ] || cannot_tell "$allowed gives no reason for: $no_reason"
# The reason follows the first colon that no other colon touches; names have pairs.
sed -E 's/([^:]): .*/\1/' "$folder/allowed_lines" | LC_ALL=C sort >"$folder/allowed"
none_of "a panic that is not allowed" "$(LC_ALL=C comm -23 "$folder/panic_calls" "$folder/allowed")"
gone=$(LC_ALL=C comm -13 "$folder/panic_calls" "$folder/allowed")
[ -z "$gone" ] || {
    printf 'no longer there, so no longer to be allowed in %s:\n%s\n' "$(basename "$allowed")" "$(sed 's/^/  /' <<<"$gone")"
    good=1
}
echo "calls to panic functions: $(wc -l <"$folder/panic_calls"), allowed: $(wc -l <"$folder/allowed")"
exit "$good"
