#!/usr/bin/env bash
# usage: check_docs_selftest.sh ABI_MD EXPORTED OVERLAY COMPAT_MD FOLDER...
# The checks of the documents find what they are there to find: each alteration makes them fail with status 1 and the name of
# the culprit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
abi=$1 exported=$2 overlay=$3 compat=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# must_find TEXT COMMAND...
must_find() {
  local text=$1 said status=0
  shift
  said=$("$@") || status=$?
  if [ "$status" -ne 1 ] || ! grep -F -- "$text" <<< "$said" > /dev/null; then
    echo "expected status 1 and \"$text\", got status $status from: $*"
    echo "$said"
    exit 1
  fi
}
mirror() { must_find "$1" "$here/check_mirror.sh" "$work/abi.md" "$exported" "$overlay"; }
tests() { must_find "$1" "$here/check_named_tests.sh" "$work/compat.md" "${folders[@]}"; }
folders=("$@")

sed '/`SimpleMemoryArena::PurgeAfter`/d' "$abi" > "$work/abi.md"
mirror 'SimpleMemoryArena::PurgeAfter'
sed '/`ArenaPlanner::~ArenaPlanner`/d' "$abi" > "$work/abi.md"
mirror 'ArenaPlanner::~ArenaPlanner'
sed 's/`ArenaPlanner::GetAllocInfo`/`ArenaPlanner::GetAllocTime`/' "$abi" > "$work/abi.md"
mirror 'ArenaPlanner::GetAllocTime'
sed 's/`tflite_resizable_aligned_buffer_get_ptr`/`tflite_resizable_aligned_buffer_get_pointer`/' "$abi" > "$work/abi.md"
mirror 'tflite_resizable_aligned_buffer_get_pointer'
sed '/`ArenaPlanner::BasePointer`/s/`tflite_[a-z_]*`/yes/' "$abi" > "$work/abi.md"
mirror 'ArenaPlanner::BasePointer'

sed 's/lifetimes.c:a_temporary_lives_at_its_node_only/lifetimes.c:no_such_test/' "$compat" > "$work/compat.md"
tests 'lifetimes.c:no_such_test'
sed 's/`u2_keep_everything.c`/`u2_keep_nothing.c`/' "$compat" > "$work/compat.md"
tests 'u2_keep_nothing.c'
sed 's/`u4_moving_sizes.c`, `bare_arena.c:[a-z_]*`/trust me/' "$compat" > "$work/compat.md"
tests 'trust me'
echo "every alteration was found"
