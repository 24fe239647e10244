#!/usr/bin/env bash
# Runs random graphs and random sequences of calls on upstream's planner and on ours in one process, and compares what both do:
# status, memory, sizes, and each tensor's place. The same for the arena class by itself.
#
#   checks/differential/run.sh [--peer VERSION]... [--sequences N] [--seed N] [--show REASON]
#
# The peers are TensorFlow Lite 1.15 and 2.2, compiled from packages of the registry, and the stock runtimes of wheels.txt,
# fetched once into .cache/. A line a peer says how many sequences came out the same; how many were left out because the
# shadow run finds upstream's own plan wrong, or because tensors tie in size and first node, which upstream places in no order
# of its own; and how many differ for a reason that docs/compat.md gives. Any other difference is shown, as small as it
# can be made, and fails the run. --show shows sequences of that verdict as well.
#
# Exit status: 0 all peers compared and nothing different, 77 nothing different but a peer cannot be had, else failed.
# The library must have been built (scripts/build.sh).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/checks/differential
build=$root/build/differential
# shellcheck source=SCRIPTDIR/../upstream/common.sh
. "$root/checks/upstream/common.sh"
# shellcheck source=SCRIPTDIR/fetch.sh
. "$here/fetch.sh"

chosen=()
options=()
while [ $# -gt 0 ]; do
    case $1 in
        --peer | --sequences | --seed | --show)
            [ $# -ge 2 ] || {
                echo "differential: $1 needs a value" >&2
                exit 2
            }
            if [ "$1" = --peer ]; then chosen+=("$2"); else options+=("$1" "$2"); fi
            shift 2
            ;;
        *)
            sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
            exit 2
            ;;
    esac
done

is_chosen() {
    [ ${#chosen[@]} -eq 0 ] || [[ " ${chosen[*]} " == *" $1 "* ]]
}

compared=0 failed=0 missing=0

# compare VERSION GENERATION LIBRARY OPTION...
compare() {
    local version=$1 generation=$2 library=$3 strategy=greedy
    shift 3
    compared=$((compared + 1))
    # Upstream's own; the adapter's default packs lower.
    [ "$version" != 1.15 ] || strategy=in-order
    TFLITE_ARENA_STRATEGY=$strategy "$build/differential_$generation" "$version" "$library" "$@" \
        ${options[@]+"${options[@]}"} || {
        failed=$((failed + 1))
        echo "$version: FAILED"
    }
}

skip() {
    missing=$((missing + 1))
    echo "$1: skipped: $2"
}

# Where the sources are; empty where they cannot be had.
source_1_15=$(package_folder 1.15 tflite) && source_1_15+=/submodules/tensorflow || source_1_15=
source_2_2=$(package_folder 2.2 tfmicro) && source_2_2+=/submodules/tensorflow || source_2_2=

quietly cmake -S "$here" -B "$build" -DTFLITE_1_15_SOURCE_DIR="$source_1_15" -DTFLITE_2_2_SOURCE_DIR="$source_2_2" \
    -DTFLITE_ARENA_LIBRARY="$root/build/release/libtflite_arena.a" -DTFLITE_ARENA_INCLUDE_DIR="$root/include"
quietly cmake --build "$build" --parallel "$(nproc)"

# compare_source VERSION GENERATION SOURCE
compare_source() {
    is_chosen "$1" || return 0
    if [ -n "$3" ]; then
        compare "$1" "$2" "$build/libupstream_${1//./_}.so"
    else
        skip "$1" "its source package cannot be had"
    fi
}
compare_source 1.15 1 "$source_1_15"
compare_source 2.2 3 "$source_2_2"

while read -r version generation python requirement; do
    [[ $version != \#* ]] && is_chosen "$version" || continue
    if library=$(fetch_runtime "$version" "$python" "$requirement"); then
        make_stubs "$library" "$build/stubs_$version.so"
        compare "$version" "$generation" "$library" --stubs "$build/stubs_$version.so"
    else
        skip "$version" "its wheel cannot be had"
    fi
done <"$here/wheels.txt"

echo "differential: $compared peers compared, $failed failed, $missing skipped"
[ "$((compared + missing))" -ge "${#chosen[@]}" ] || {
    echo "differential: some peer that was asked for is not known" >&2
    exit 1
}
[ "$failed" -eq 0 ] && [ "$((compared + missing))" -gt 0 ] || exit 1
[ "$missing" -eq 0 ] || exit 77
