#!/usr/bin/env bash
# Plans graphs that were recorded from real models, by greedy and by best: bytes of both arenas, the lower bound of greedy's, and
# microseconds of processor time for planning and executing with a new planner, medians of several runs in turns.
#
#   scripts/bench.sh --recorded                     all of ctests/recorded
#   scripts/bench.sh --recorded --markdown          the table as Markdown
#
# Where greedy meets the lower bound, best should cost hardly more. No time is judged.
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
program=$root/build/bench/recorded
mkdir -p "$(dirname "$program")"
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -I "$root/include" -I "$root/ctests/support" \
    -I "$root/ctests/replay" "$root"/benches/recorded.c "$root"/ctests/replay/graph_file.c \
    "$root"/ctests/support/{check,network,network_text}.c "$root/build/release/libtflite_arena.a" -o "$program"
exec "$program" "$@" "$root"/ctests/recorded/*.graph
