#!/usr/bin/env bash
# Measures planning against upstream's planner, compiled as it is from a package of the registry, in one program.
#
#   scripts/bench.sh                   the whole table; with 100,000 tensors upstream takes up to half a minute a row
#   scripts/bench.sh --quick           up to 10,000 tensors
#   scripts/bench.sh --markdown        the table as Markdown
#   scripts/bench.sh --graph NAME      only this graph, as it is called in the table
#   scripts/bench.sh --tensors N       only this size
#   scripts/bench.sh --only-ours       without upstream, for a profiler
#   scripts/bench.sh --packing ...     something else: how low each strategy packs; benches/packing.sh has its options
#   scripts/bench.sh --recorded ...    something else: real models, by greedy and by best; benches/recorded.sh has its options
#   scripts/bench.sh --browser         something else: how long reports take to open in Chromium
#   scripts/bench.sh --inspect ...     something else: what it costs to be able to show what the planner does
#
# The options combine, and --graph and --tensors can be given more than once. The columns:
#
#   upstream ms, ours ms   processor time for planning and executing with a new planner: medians of several runs, in turns
#   walk ms                one walk over all nodes and tensors through the callbacks that ours uses; no planner can be faster
#   T(2N) / T(N)           ours on a graph twice as large
#   arena                  how far the last tensor reaches. Each tensor must lie at the same offset in both plans
#   heap                   bytes that planning itself takes at its peak, divided by the number of tensors
#
# No time is judged: the bench fails only where the plans differ.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case ${1-} in
    --packing | --recorded | --inspect)
        bench=$root/benches/${1#--}.sh
        shift
        exec "$bench" "$@"
        ;;
    --browser)
        exec "$root/checks/browser/run.sh" --loading
        ;;
    --help | -h)
        sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac

for tool in cargo cmake make c++; do
    command -v "$tool" >/dev/null || {
        echo "bench.sh: $tool is missing; scripts/setup.sh installs what is needed" >&2
        exit 1
    }
done

# shellcheck source=SCRIPTDIR/../checks/upstream/common.sh
. "$root/checks/upstream/common.sh"

# TensorFlow Lite 2.2, the first generation that places greedily.
tflite=$(package_folder 2.2 tfmicro)/submodules/tensorflow
quietly "$root/scripts/build.sh" --libraries
quietly cmake -S "$root/benches" -B "$root/build/bench" -DCMAKE_BUILD_TYPE=Release \
    -DTFLITE_ARENA_LIBRARY="$root/build/release/libtflite_arena.a" \
    -DTFLITE_ARENA_INCLUDE_DIR="$root/include" -DTFLITE_SOURCE_DIR="$tflite"
quietly cmake --build "$root/build/bench" --parallel "$(nproc)"
exec "$root/build/bench/bench" "$@"
