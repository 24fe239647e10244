#!/usr/bin/env bash
# usage: check_replay.sh REPLAY_RECORDED FOLDER_OF_TEST_GRAPHS
# The replay's exit status and last line for a good graph, a wrong expectation and malformed files.
set -euo pipefail
replay=$1 graphs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect STATUS LINE COMMAND...: LINE must be printed, by either stream.
expect() {
  local wanted=$1 line=$2 status=0
  shift 2
  "$@" > "$work/said" 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$line" "$work/said"; then
    echo "expected status $wanted and \"$line\", got status $status from: $*"
    cat "$work/said"
    exit 1
  fi
}

good=$graphs/small.graph
expect 0 '1 of 1 recorded graphs: sizes as expected, bytes intact' "$replay" "$good"
expect 0 '2 of 2 recorded graphs' "$replay" "$good" "$good"

sed 's/^expect arena 384/expect arena 320/' "$good" > "$work/arena.graph"
expect 1 'expected 320, is 384' "$replay" "$work/arena.graph"
expect 1 '1 of 2 recorded graphs' "$replay" "$work/arena.graph" "$good"
sed 's/^expect persistent 128/expect persistent 64/' "$good" > "$work/persistent.graph"
expect 1 'expected 64, is 128' "$replay" "$work/persistent.graph"

# malformed LINE MESSAGE: the good graph with LINE put in behind its tensors.
malformed() {
  awk -v line="$1" '/^node/ && !done { print line; done = 1 } { print }' "$good" > "$work/bad.graph"
  local at
  at=$(grep -nxF -- "$1" "$work/bad.graph" | cut -d: -f1)
  expect 2 "bad.graph:$at: $2" "$replay" "$work/bad.graph"
}
malformed 'tensor 9 64 2' 'tensors are out of order'
malformed 'tensor 5 many 2' 'not a number'
malformed 'tensor 5 64' 'a number is missing'
malformed 'tensor 5 64 2 7' 'too many words'
malformed 'node 0 i 9' 'no such tensor'
malformed 'node 0 i -2' 'no such tensor'
malformed 'node 0 0' 'expected i, o or t'
malformed 'node 0 i zero' 'not a tensor index'
malformed 'expect miracles 1' 'unknown expectation'
malformed 'surprise' 'unknown word'

: > "$work/empty.graph"
expect 2 'no tensors' "$replay" "$work/empty.graph"
expect 2 'cannot be read' "$replay" "$work/none.graph"
expect 2 'usage:' "$replay"
echo "replay tells good from bad"
