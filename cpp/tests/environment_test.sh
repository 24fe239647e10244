#!/usr/bin/env bash
# What the environment variables make the adapter do. Usage: environment_test.sh CHAIN-PROGRAM CHAIN-PROGRAM-WITHOUT-INSPECT
set -euo pipefail

chain=$(realpath "$1")
without_inspect=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "environment_test: $1" >&2
    for file in out err log ./*.json; do [ ! -e "$file" ] || { echo "--- $file"; cat "$file"; } >&2; done
    exit 1
}

# Runs the program with these variables; what it wrote is in out and err.
run() {
    rm -rf out err log ./*.json
    env "$@" "$chain" >out 2>err || fail "$*: exit status $?"
}

has() { grep -q -- "$2" "$1" || fail "$1 has no line like: $2"; }

test_silent_by_default() {
    run TFLITE_ARENA_LOG= TFLITE_ARENA_RECORD= TFLITE_ARENA_STRATEGY=
    [ ! -s err ] || fail "something on stderr"
    has out '^early execute 1$'
    has out '^plan 0$'
    has out '^execute 0$'
}

# Nothing has its place before Execute. Then x lies at 0 to the end, A:256 from 64, B from 320: 384 bytes are needed, which is
# also what all together take (64 + 256 + 64) and, since all three meet at the last node, the lower bound. The weights are not
# placed. After the rewind to node 0, B has no place.
test_log() {
    run TFLITE_ARENA_LOG=log
    has log 'event=create$'
    has log 'event=plan nodes=2 tensors=4 ns=[0-9]*$'
    local size="nodes=2 tensors=4" whole="placed=3 naive=384 arena=384 lower_bound=384 persistent=0 padding=0"
    has log "event=execute first=0 last=1 ns=[0-9]* $size $whole planning_ns=[0-9]*\$"
    has log "event=reset_after node=0 $size placed=2 naive=320 arena=320 lower_bound=320 persistent=0 padding=0 planning_ns=[0-9]*\$"
    for event in release acquire reset; do has log "event=$event\$"; done
    has log 'event=grow arena=rw before=0 after=384$'
    has log "event=tensor tensor=0 name=\"in 'quotes'\" type=NOTYPE bytes=64 first=0 last=end offset=0 arena=rw root=0 previous=none\$"
    has log 'event=tensor tensor=1 name="back.slash tab" type=NOTYPE bytes=256 first=0 last=1 offset=64 .*$'
    has log 'event=tensor tensor=2 name="grüß and ?" type=NOTYPE bytes=64 first=1 last=end offset=320 .*$'
    [ "$(grep -c event=tensor log)" -eq 3 ] || fail "weights are not placed"
    has log "event=destroy $size $whole planning_ns=[0-9]*\$"
    # What all calls took is what each took, the one that failed among them.
    local calls sum
    calls=$(sed -nE 's/.* event=(plan|execute) .* ns=([0-9]+).*/\2/p' log | paste -sd +)
    sum=$(sed -nE 's/.* event=destroy .*planning_ns=([0-9]+)$/\1/p' log)
    [ "$sum" -ge $((calls)) ] || fail "planning_ns=$sum, but the calls took $calls"
    has log 'event=error call=execute status=106 text=".*"$'
    [ "$(grep -c "^tflite-arena pid=[0-9]* planner=1 subgraph=3 event=" log)" -eq "$(wc -l <log)" ] || fail "a stray line"
    [ ! -s err ] || fail "something on stderr"
    local lines
    lines=$(wc -l <log)
    TFLITE_ARENA_LOG=log "$chain" >/dev/null
    [ "$(wc -l <log)" -eq $((2 * lines)) ] || fail "the log was not appended to"
}

test_log_to_stderr() {
    run TFLITE_ARENA_LOG=stderr
    has err '^tflite-arena pid=.* event=execute'
    [ ! -e stderr ] || fail "a file named stderr"
}

test_record() {
    run TFLITE_ARENA_RECORD=. TFLITE_ARENA_STRATEGY=greedy
    local files=(tflite-arena-*-1.json)
    [ ${#files[@]} -eq 1 ] || fail "${#files[@]} recordings"
    [[ ${files[0]} =~ ^tflite-arena-[0-9]+-1\.json$ ]] || fail "no recording but ${files[0]}"
    sed -E 's/"pid":[0-9]+/"pid":PID/; s/"ns":[0-9]+/"ns":NS/; s/"library":"[0-9.]+"/"library":"VERSION"/' "${files[0]}" >got
    cat >expected <<'JSON'
{"tflite_arena_recording":1,"library":"VERSION","pid":PID,"planner":1,"subgraph":3,"options":{"strategy":"greedy","alignment":64,"preserve_all_tensors":false,"preserve_inputs":true,"replace_range":false},
"tensors":[
{"name":"in \"quotes\"","type":0,"shape":[1,16],"bytes":64,"allocation_type":2,"place":{"arena":2,"offset":0,"size":64,"first":0,"last":null,"root":0}},
{"name":"back\\slash\u0009tab","type":0,"shape":[],"bytes":256,"allocation_type":2,"place":{"arena":2,"offset":64,"size":256,"first":0,"last":1,"root":1}},
{"name":"grüß and \ufffd","type":0,"bytes":64,"allocation_type":2,"place":{"arena":2,"offset":320,"size":64,"first":1,"last":null,"root":2}},
{"name":"","type":0,"bytes":1000,"allocation_type":1}],
"nodes":[
{"op":"CUSTOM","custom":"My\"Op\"\u0001","inplace":0,"inputs":[0,3,-1],"outputs":[1],"temporaries":[]},
{"op":"SOFTMAX","inplace":12,"inputs":[1],"outputs":[2],"temporaries":[]}],
"inputs":[0],"outputs":[2],"variables":[],
"events":[
{"event":"create","arena":0,"persistent":0},
{"event":"error","arena":0,"persistent":0,"call":"execute","status":106,"text":"nothing has been planned","ns":NS,"first":0,"last":1},
{"event":"plan","arena":0,"persistent":0,"ns":NS,"sizes":[[64,2],[256,2],[64,2],[1000,1]]},
{"event":"grow","arena":384,"persistent":0,"of":2,"before":0,"after":384},
{"event":"execute","arena":384,"persistent":0,"ns":NS,"first":0,"last":1,"changed":[],"temporaries":[]},
{"event":"reset_after","arena":384,"persistent":0,"node":0},
{"event":"release","arena":0,"persistent":0},
{"event":"grow","arena":320,"persistent":0,"of":2,"before":0,"after":320},
{"event":"acquire","arena":320,"persistent":0},
{"event":"reset","arena":320,"persistent":0}],
"totals":{"naive":384,"arena":384,"lower_bound":384,"persistent":0,"padding":0,"placed":3}}
JSON
    cmp got expected || fail "another recording than expected"
    [ -z "$(find . -name '*.tmp')" ] || fail "a temporary file was left behind"
}

# Silent where nobody asks: then nothing is registered with the planner.
test_library_without_inspect() {
    local chain=$without_inspect
    run TFLITE_ARENA_LOG=
    [ ! -s err ] || fail "something on stderr"
    run TFLITE_ARENA_LOG=log TFLITE_ARENA_RECORD=.
    has err '^tflite-arena: built without the feature inspect'
    [ "$(wc -l <err)" -eq 1 ] || fail "said more than once"
    has log 'event=execute .* arena=384 '
    ! grep -qE 'event=(tensor|grow)' log || fail "told all the same"
    has ./*.json '"event":"execute","arena":384,'
    has ./*.json '"place":{"arena":2,"offset":320,'
    ! grep -q '"grow"' ./*.json || fail "told all the same"
}

test_bad_values() {
    run TFLITE_ARENA_STRATEGY=Greedy
    has err '^tflite-arena: TFLITE_ARENA_STRATEGY=Greedy is not a strategy'
    [ "$(wc -l <err)" -eq 1 ] || fail "said more than once"
    has out '^plan 1$'
    has out '^error .*these are: greedy in-order best exact$'

    run TFLITE_ARENA_LOG=/no/such/folder/log
    has err '^tflite-arena: TFLITE_ARENA_LOG=/no/such/folder/log cannot be used: No such file'
    has out '^execute 0$'

    run TFLITE_ARENA_RECORD=out
    has err "^tflite-arena: TFLITE_ARENA_RECORD=$work/out cannot be used: Not a directory"
    has out '^execute 0$'
}

test_strategies_can_be_asked_for() {
    local strategy
    for strategy in greedy in-order best exact; do
        run TFLITE_ARENA_STRATEGY=$strategy
        has out '^execute 0$'
    done
}

for name in $(declare -F | sed -n 's/^declare -f \(test_.*\)/\1/p'); do "$name"; done
