#!/usr/bin/env bash
# Proves that the build refuses a header that src/ does not say: builds a copy of the workspace with one declaration
# changed, and expects the refusal to show the line and the way to mend it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cp -R "$root"/{Cargo.toml,Cargo.lock,build.rs,cbindgen.toml,src,include,packer,planner,report,cli,instances} "$copy"
check() {
    (cd "$copy" && CARGO_TARGET_DIR="$root/target/check-drift" cargo check --locked -p tflite-arena 2>&1)
}

check >/dev/null || { echo "the copy does not build as it is" >&2; exit 1; }

changed=tflite_arena_planner_plan_allocations
sed -i "s/$changed(/${changed}_renamed(/" "$copy/include/tflite_arena.h"
cmp -s "$copy/include/tflite_arena.h" "$root/include/tflite_arena.h" && { echo "nothing was changed" >&2; exit 1; }

if answer=$(check); then
    echo "the build took a header that has drifted" >&2
    exit 1
fi
for expected in "-.*${changed}_renamed(" "+.*$changed(" "TFLITE_ARENA_BLESS=1 cargo build"; do
    grep -q -- "^ *$expected\|$expected" <<<"$answer" || {
        printf 'the refusal does not say "%s":\n%s\n' "$expected" "$answer" >&2
        exit 1
    }
done
echo "a drifted header was refused, with its lines and the way to mend it"
