#!/usr/bin/env bash
# Measures how much a C program that calls every function grows by the release library, built without the cargo features
# `best`, `exact` and `inspect`; no more than checks/size/budget.txt is allowed. Such a library has to refuse what it lacks.
# Prints what each of the features adds to its size.
#
#   scripts/check_size.sh               the check
#   scripts/check_size.sh --self-test   shows that it fails when it should
set -euo pipefail
# shellcheck source=SCRIPTDIR/../checks/size/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../checks/size/common.sh"

# growth_of FOLDER: of what is loaded, in bytes; the file grows in whole pages.
growth_of() {
    { "$parts/growth.sh" "$1" "$parts/budget.txt" || true; } | sed -nE 's/^all that is loaded .* ([0-9]+)$/\1/p'
}

# run_without_features FOLDER: how the program ends that asks the library there for what the features add.
run_without_features() {
    "${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I "$(dirname "$header")" "$parts/without_features.c" \
        "$1/libtflite_arena.a" -o "$1/without_features"
    "$1/without_features"
}

what_features_add() {
    local plain growth features
    plain=$(growth_of "$work/plain")
    for features in best exact inspect best,exact,inspect; do
        link_features "$features" "$work/$features"
        growth=$(growth_of "$work/$features")
        echo "$features: $((growth - plain)) bytes more, $growth loaded in all"
    done
}

self_test() {
    link_features "" "$work/plain"
    ends_with 0 "$parts/growth.sh" "$work/plain" "$parts/budget.txt"
    local growth
    growth=$(sed -nE 's/^a program grows by ([0-9]+) bytes;.*/\1/p' <<<"$said")

    echo "$growth" >"$work/just_enough"
    ends_with 0 "$parts/growth.sh" "$work/plain" "$work/just_enough"
    echo $((growth - 1)) >"$work/one_too_few"
    ends_with 1 "$parts/growth.sh" "$work/plain" "$work/one_too_few"
    says "grows by $growth bytes, 1 above the budget"
    echo "some" >"$work/no_number"
    ends_with 2 "$parts/growth.sh" "$work/plain" "$work/no_number"

    # A function that is new in the header, and a library whose functions do nothing.
    mkdir "$work/include" "$work/forgetful" "$work/idle"
    { cat "$header" && echo 'void tflite_arena_new_function(void);'; } >"$work/include/tflite_arena.h"
    ends_with 1 "$parts/link.sh" "$work/plain/libtflite_arena.a" "$work/include/tflite_arena.h" \
        "$work/forgetful"
    says '^tflite_arena_new_function$'
    ends_with 1 "$parts/link.sh" "$work/plain/stubs.o" "$header" "$work/idle"
    says 'exit status [0-9]+$'

    # A library that lacks nothing refuses nothing.
    ends_with 0 run_without_features "$work/plain"
    link_features best,exact,inspect "$work/whole"
    ends_with 15 run_without_features "$work/whole"

    copy_workspace
    plant tflite_arena_version 'static TABLE: [u8; 60 * 1024] = [1; 60 * 1024]; core::hint::black_box(&TABLE);'
    link_copy "$work/planted" --no-default-features
    ends_with 1 "$parts/growth.sh" "$work/planted" "$parts/budget.txt"
    says 'above the budget of [0-9]+; the largest pieces:'
    says '^ *61440 .*TABLE'
    echo "a table of 60 KiB, a byte too many, a forgotten function and an idle library were found"
}

case ${1-} in
    "")
        link_features "" "$work/plain"
        judgement=0
        "$parts/growth.sh" "$work/plain" "$parts/budget.txt" || judgement=$?
        run_without_features "$work/plain" || {
            echo "what is not part of the build is not refused as it should be" >&2
            judgement=1
        }
        what_features_add
        exit "$judgement"
        ;;
    --self-test) self_test ;;
    *)
        echo "usage: scripts/check_size.sh [--self-test]" >&2
        exit 2
        ;;
esac
