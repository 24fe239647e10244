#!/usr/bin/env bash
# What it costs to be able to show what the planner does, where nobody asks to be shown anything: microseconds of processor time for
# planning and executing with a new planner, by the library with the cargo feature `inspect` and by one without it, in one
# program; medians of runs in turns, greedy. The ratio should be 1, within what two copies of the library without it differ by.
#
#   scripts/bench.sh --inspect                     a chain, and all of ctests/recorded
#   scripts/bench.sh --inspect --markdown          the table as Markdown
#
# No time is judged.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case ${1-} in
    "" | --markdown) ;;
    *)
        sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac

"$root/scripts/build.sh" --libraries >&2
(cd "$root" && CARGO_TARGET_DIR=$root/target/bench-inspect cargo build --release --locked -p tflite-arena \
    --no-default-features --features best,exact 2>&1 | sed '/^ *Finished /d') >&2
folder=$root/build/bench
mkdir -p "$folder"
cp "$root/target/release/libtflite_arena.so" "$folder/with_inspect.so"
for copy in without_inspect without_inspect_copy; do
    cp "$root/target/bench-inspect/release/libtflite_arena.so" "$folder/$copy.so"
done
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -I "$root/include" -I "$root/ctests/support" \
    -I "$root/ctests/replay" "$root"/benches/inspect.c "$root"/ctests/replay/graph_file.c \
    "$root"/ctests/support/{check,network,network_text}.c "$root/build/release/libtflite_arena.a" -ldl -o "$folder/inspect"
"$folder/inspect" "$folder"/{with_inspect,without_inspect,without_inspect_copy}.so "$@" "$root"/ctests/recorded/*.graph
