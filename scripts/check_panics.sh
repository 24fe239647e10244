#!/usr/bin/env bash
# Looks into a C program that calls every function, linked with the release library, as it is and without its cargo
# features: no formatting, no unwinding, and no calls to panic functions but those that checks/size/panic_calls.txt lists.
#
#   scripts/check_panics.sh               the check
#   scripts/check_panics.sh --self-test   shows that it fails when it should
set -euo pipefail
# shellcheck source=SCRIPTDIR/../checks/size/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../checks/size/common.sh"

find_planted_panics() {
    copy_workspace
    plant tflite_arena_version \
        'core::hint::black_box(core::hint::black_box([1_u8; 4])[core::hint::black_box(3)]);'
    plant tflite_arena_status_text \
        'core::hint::black_box(alloc::vec::Vec::<u8>::with_capacity(core::hint::black_box(3)));'
    plant tflite_arena_graph_destroy \
        'if core::hint::black_box(false) { unsafe { core::arch::asm!("ud2") } }'
    link_copy "$work/panicking"
    ends_with 1 "$parts/panics.sh" "$work/panicking" "$parts/panic_calls.txt"
    says '^  tflite_arena_version -> core::panicking::panic_bounds_check$'
    says '^  tflite_arena_status_text -> alloc::raw_vec::(handle_error|capacity_overflow)$'
    says '^  tflite_arena_graph_destroy -> ud2$'

    # With all that was found allowed, it passes; without one reason it does not.
    { grep -v '^#' "$parts/panic_calls.txt" || true; } >"$work/allowed"
    grep -E '^  .+ -> ' <<<"$said" | sed 's/^  //; s/$/: planted/' >>"$work/allowed"
    ends_with 0 "$parts/panics.sh" "$work/panicking" "$work/allowed"
    sed '$s/: planted//' "$work/allowed" >"$work/no_reason"
    ends_with 2 "$parts/panics.sh" "$work/panicking" "$work/no_reason"
    says 'gives no reason for: '
}

find_planted_machinery() {
    copy_workspace
    local sink='fn write_str(&mut self, _: &str) -> core::fmt::Result { Ok(()) }'
    plant tflite_arena_version "struct Sink; impl core::fmt::Write for Sink { $sink }"
    plant tflite_arena_version \
        'let _ = core::fmt::write(&mut Sink, format_args!("{}", core::hint::black_box(7)));'
    plant tflite_arena_status_text 'unsafe extern "C" { safe fn _Unwind_GetIP(context: usize) -> usize; }'
    plant tflite_arena_status_text \
        'if core::hint::black_box(false) { core::hint::black_box(_Unwind_GetIP(0)); }'
    link_copy "$work/machinery"
    ends_with 1 "$parts/panics.sh" "$work/machinery" "$parts/panic_calls.txt"
    says '^formatting machinery is linked:'
    says '^  core::fmt::write$'
    says '^unwinding machinery is linked:'
    says '^  _Unwind_GetIP$'
    says '^  libgcc_s'
}

self_test() {
    link_own
    ends_with 0 "$parts/panics.sh" "$work" "$parts/panic_calls.txt"

    { cat "$parts/panic_calls.txt" && echo 'tflite_arena_version -> core::gone: no more'; } >"$work/one_gone"
    ends_with 1 "$parts/panics.sh" "$work" "$work/one_gone"
    says '^  tflite_arena_version -> core::gone$'

    # Without the names nothing can be found, which is not the same as nothing being there.
    strip "$work/library"
    ends_with 2 "$parts/panics.sh" "$work" "$parts/panic_calls.txt"
    says 'stripped'

    find_planted_panics
    find_planted_machinery
    echo "planted panics, formatting, unwinding, a call that is gone and a stripped program were found"
}

case ${1-} in
    "")
        link_own
        link_features "" "$work/plain"
        judgement=0
        for folder in "$work" "$work/plain"; do
            "$parts/panics.sh" "$folder" "$parts/panic_calls.txt" || judgement=$?
        done
        exit "$judgement"
        ;;
    --self-test) self_test ;;
    *)
        echo "usage: scripts/check_panics.sh [--self-test]" >&2
        exit 2
        ;;
esac
