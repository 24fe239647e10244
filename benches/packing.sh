#!/usr/bin/env bash
# Packs problems with each strategy, and prints how far above the lower bound the arenas end, after how many steps and how long.
#
#   scripts/bench.sh --packing                     all of them
#   scripts/bench.sh --packing --markdown          the table as Markdown
#   scripts/bench.sh --packing --only PATTERN      problems whose names match, as grep -E does
#   scripts/bench.sh --packing --steps N           how long exact may search: 100,000 steps if not said otherwise
#
# Problems are made by `tflite-arena generate`, the cut ones so that the lower bound is the optimum. Files in
# ../shared/data/*/*.csv are packed as well, where there are any; those from runtimes at multiples of 64 bytes.
#
# The columns, for each strategy: per cent above the lower bound, with a * where the plan is proven optimal; steps, each a
# buffer placed by trial; milliseconds without reading and writing. A second table has the files that name a capacity, as
# A.1048576.csv does: how long exact takes to meet it, within a hundred times as many steps. No time is judged: the bench fails
# only where a plan does.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=$root/target/release/tflite-arena
data=$root/../shared/data
strategies=(greedy best exact)
only=. steps=100000 markdown=

usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
        --markdown) markdown=1 ;;
        --only) only=${2-} && shift ;;
        --steps) steps=${2-} && shift ;;
        *) usage ;;
    esac
    shift || usage
done
[[ $steps =~ ^[0-9]+$ && -n $only ]] || usage

cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml" -p tflite-arena-cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# row CELL...: right-aligned but for the first.
row() {
    if [ -n "$markdown" ]; then
        printf '| %s ' "$@"
        printf '|\n'
    else
        printf '%-36s%12s%16s' "${@:1:3}"
        printf '%12s' "${@:4}"
        printf '\n'
    fi
}

head_row() {
    row "$@"
    [ -z "$markdown" ] || { printf '|---' && printf '|--:%.0s' "${@:2}" && printf '|\n'; }
}

# figure NAME SUMMARY: what follows the name in the line that the tool prints.
figure() {
    sed -nE "s/.*(^|, )$1 ([0-9.]+).*/\\2/p" <<<"$2"
}

steps_of() {
    sed -nE 's/.* ([0-9]+) steps.*/\1/p' <<<"$1"
}

milliseconds_of() {
    sed -nE 's/.* ([0-9.]+) s($|,.*)/\1/p' <<<"$1" | awk '{ printf "%.2f", 1000 * $1 }'
}

is_wanted() {
    grep -qE -- "$only" <<<"$1"
}

# measure NAME FILE [OPTION...]: a row of the table, if the problem is wanted.
measure() {
    local name=$1 file=$2 strategy said options cells
    shift 2
    is_wanted "$name" || return 0
    cells=("$name")
    for strategy in "${strategies[@]}"; do
        options=(--strategy "$strategy" "$@")
        [ "$strategy" != exact ] || options+=(--steps "$steps")
        said=$("$tool" plan "$file" "${options[@]}" -o "$work/plan.csv" 2>&1) || {
            echo "packing.sh: $name, $strategy: $said" >&2
            exit 1
        }
        [ "$strategy" != greedy ] || cells+=("${said%% *}" "$(figure 'lower bound' "$said")")
        cells+=("$(figure gap "$said")$(grep -q ', optimal' <<<"$said" && echo '*' || echo ' ')")
        cells+=("$(steps_of "$said")" "$(milliseconds_of "$said")")
    done
    row "${cells[@]}"
}

generated() {
    local kind buffers
    for kind in chain residual u-net inception transformer uniform; do
        "$tool" generate "$kind" --buffers 200 >"$work/$kind.csv"
        measure "$kind 200" "$work/$kind.csv"
    done
    for buffers in 25 50 100 200 400; do
        "$tool" generate cut --buffers "$buffers" >"$work/cut.csv"
        measure "cut $buffers" "$work/cut.csv"
    done
}

recorded() {
    local file name options
    for file in "$data"/{minimalloc,runtime,large}/*.csv; do
        name=$(basename "$(dirname "$file")")/$(basename "$file" .csv)
        options=()
        [[ $name != runtime/* ]] || options=(--alignment 64)
        measure "$name" "$file" ${options[@]+"${options[@]}"}
    done
}

# met_capacities: a row for each file that names one.
met_capacities() {
    local file name capacity said met sum=0
    for file in "$data"/minimalloc/?.*.csv; do
        name=minimalloc/$(basename "$file" .csv) capacity=${file%.csv} met=yes
        capacity=${capacity##*.}
        is_wanted "$name" || continue
        said=$("$tool" plan "$file" --strategy exact --capacity "$capacity" --steps "$((100 * steps))" \
            -o "$work/plan.csv" 2>&1) || {
            [ $? -eq 1 ] || { echo "packing.sh: $name: $said" >&2 && exit 1; }
            met=no
        }
        sum=$(awk -v sum="$sum" -v more="$(milliseconds_of "$said")" 'BEGIN { printf "%.2f", sum + more }')
        row "$name" "$capacity" "$(figure height "$said")" "$met" "$(steps_of "$said")" "$(milliseconds_of "$said")"
    done
    row "sum" "" "" "" "" "$sum"
}

cells=("problem" "buffers" "lower bound")
for strategy in "${strategies[@]}"; do cells+=("$strategy, %" "steps" "ms"); done
head_row "${cells[@]}"
generated
if [ -d "$data" ]; then
    recorded
    echo
    head_row "problem" "capacity" "height" "met" "steps" "ms"
    met_capacities
else
    echo "skipped: the files in ../shared/data, which is not there"
fi
