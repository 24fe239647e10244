#!/usr/bin/env bash
# What the preload library is made of, and what it does in processes of every kind.
# Usage: preload_test.sh PRELOAD-LIBRARY LOAD-AND-RUN OLDER-RUNTIME NEWER-RUNTIME BLIND
set -euo pipefail

load_and_run=$(realpath "$2")
older=$(realpath "$3")
newer=$(realpath "$4")
blind=$(realpath "$5")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The dynamic loader takes no path with a blank in LD_PRELOAD, and the build's may have one.
preload=$work/$(basename "$1")
cp "$1" "$preload"
cd "$work"

fail() {
    echo "preload_test: $1" >&2
    exit 1
}

same() { [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"; }

# Runs the command with the library preloaded; what it appended to the status file is in status.
preloaded() {
    : >status
    env TFLITE_ARENA_RUN_STATUS="$work/status" LD_PRELOAD="$preload" "$@"
}

test_needs_only_libc() {
    local needed
    needed=$(readelf -dW "$preload" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libdl|libpthread)\.so' || true)
    same "needed libraries" "" "$needed"
}

test_exports_only_the_constructor() {
    local arguments="EP13TfLiteContextSt10unique_ptrINS_9GraphInfoESt14default_deleteIS4_EEbii"
    same "exported symbols" "_ZN6tflite12ArenaPlannerC1$arguments _ZN6tflite12ArenaPlannerC2$arguments" \
        "$(nm -D --defined-only "$preload" | awk '{print $3}' | LC_ALL=C sort | paste -sd ' ')"
}

test_harmless_where_there_is_no_runtime() {
    same "ls" "$(ls /)" "$(preloaded ls / 2>&1)"
    same "status of ls" "" "$(cat status)"
    same "a shell and its children" "3 ok" "$(preloaded bash -c 'set -- $(printf "a b c"); echo $# $(echo ok)' 2>&1)"
    same "status of the shell" "" "$(cat status)"
    preloaded env -i /bin/true
}

test_serves_a_runtime_of_today() {
    same "without us" "own planner, arena of 77777 bytes" "$("$load_and_run" "$newer")"
    same "with us" "other planner, arena of 384 bytes" "$(preloaded "$load_and_run" "$newer" 2>&1)"
    grep -qE '^planner pid=[0-9]+$' status || fail "status: $(cat status)"
    same "status lines" 1 "$(wc -l <status)"
}

# What the runtime's structs hold is read by our own idea of them.
test_logs_and_records() {
    mkdir recordings
    preloaded env TFLITE_ARENA_LOG=log TFLITE_ARENA_RECORD=recordings TFLITE_ARENA_STRATEGY=greedy "$load_and_run" "$newer" >/dev/null
    grep -q '^{"name":"A","type":0,"bytes":256,"allocation_type":2,"place":{"arena":2,"offset":64,"size":256,' recordings/*.json ||
        fail "recording: $(cat recordings/*.json)"
    grep -q '^{"op":"ADD","inplace":0,"inputs":\[0\],' recordings/*.json || fail "recording: $(cat recordings/*.json)"
    grep -q ' event=tensor tensor=2 name="B" type=NOTYPE bytes=64 first=1 last=end offset=320 ' log || fail "log: $(cat log)"
}

test_leaves_an_older_runtime_alone() {
    local output
    output=$(preloaded "$load_and_run" "$older" 2>err)
    same "older runtime" "own planner, arena of 77777 bytes" "$output"
    grep -q "is older than TensorFlow Lite 2.14" err || fail "nothing said about $older: $(cat err)"
    same "status" "older $older" "$(cat status)"
}

# Of which generation it is cannot be seen, so it is not touched.
test_leaves_a_runtime_alone_that_it_cannot_look_into() {
    local output
    output=$(preloaded env LD_PRELOAD="$preload:$newer:$blind" "$load_and_run" "$newer" 2>err)
    same "runtime of today, unseen" "own planner, arena of 77777 bytes" "$output"
    grep -q "$newer cannot be looked into" err || fail "nothing said about $newer: $(cat err)"
}

# Loaded, but no planner made.
test_names_runtimes_that_it_saw() {
    cp "$newer" "$work/libtensorflowlite_seen.so"
    preloaded env LD_PRELOAD="$preload:$work/libtensorflowlite_seen.so" /bin/true
    grep -qx "object $work/libtensorflowlite_seen.so" status || fail "status: $(cat status)"
}

for name in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do "$name"; done
