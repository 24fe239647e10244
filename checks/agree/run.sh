#!/usr/bin/env bash
# Runs a real model in stock runtimes, on our planner, and compares what GetAllocInfo, the log, the recording and the reports say of it:
# they have to agree to the byte.
#
#   checks/agree/run.sh               the comparison
#   checks/agree/run.sh --self-test   shows that a number that was changed is found
#
# Exit status: 0 they agree, 77 a runtime cannot be had (no network, no Python 3.11), else they do not.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
parts=$root/checks/agree
# shellcheck source=SCRIPTDIR/../../scripts/demo/prepare.sh
. "$root/scripts/demo/prepare.sh"

python=$("$root/scripts/demo/find_python.sh") || {
    echo "agree: there is no Python 3.11" >&2
    exit 77
}
"$root/scripts/build.sh"
work=$(mktemp -d) # in prepare.sh's own, which is removed
"${CXX:-c++}" -std=c++17 -O1 -fPIC -shared -Wall -Wextra -Wpedantic -Werror -I "$root/cpp" -I "$root/include" \
    "$parts/spy.cc" -o "$work/spy.so" -ldl

tool=$root/target/release/tflite-arena

# record RUNTIME MODEL STRATEGY: leaves what is said of it in $work/RUNTIME-MODEL-STRATEGY
record() {
    local folder=$work/$1-$2-$3
    mkdir "$folder"
    # The spy comes before ours, which `run` has put first.
    # shellcheck disable=SC2016 # the inner shell expands it
    SPY=$work/spy.so PYTHONPATH=$root/scripts/demo "$tool" run --strategy "$3" --log "$folder/log" --record "$folder/recording" -- \
        sh -c 'LD_PRELOAD=$SPY:$LD_PRELOAD exec "$@"' sh \
        "$cache/venv-$1/bin/python" "$parts/app.py" "$cache/models/mediapipe/$2.tflite" >"$folder/alloc_info"
    "$tool" report "$folder"/recording/*.json --json "$folder/report.json" --html "$folder/report.html" \
        --csv "$folder/report.csv" >/dev/null
}

# compare FOLDER
compare() {
    "$python" "$parts/agree.py" "$1/alloc_info" "$1/log" "$1"/recording/*.json "$1"/report.{json,html,csv}
}

for runtime in 2.14 2.16; do
    prepare "$runtime" "$python" || {
        echo "agree: the runtime or the models could not be downloaded" >&2
        exit 77
    }
    for model in face_detection_short_range pose_landmark_full; do
        for strategy in greedy best; do
            record "$runtime" "$model" "$strategy"
            [ "${1-}" = --self-test ] || compare "$work/$runtime-$model-$strategy"
        done
    done
done

if [ "${1-}" = --self-test ]; then
    whole=$work/2.16-face_detection_short_range-greedy
    for change in 'alloc_info:s/^1769472 /1769473 /' 'log:s/ persistent=768072 / persistent=768073 /' \
        'log:s/\(event=tensor tensor=3 .*\)offset=196608/\1offset=196544/' 'report.html:s/"lower_bound":1507328/"lower_bound":1507329/' \
        'report.csv:s/,589824/,589888/'; do
        cp -R "$whole" "$work/changed"
        sed -i "${change#*:}" "$work/changed/${change%%:*}"
        ! cmp -s "$whole/${change%%:*}" "$work/changed/${change%%:*}" || {
            echo "agree: nothing to change by $change" >&2
            exit 1
        }
        ! compare "$work/changed" 2>/dev/null || {
            echo "agree: $change is not found" >&2
            exit 1
        }
        rm -r "$work/changed"
    done
    echo "five changed numbers were found"
fi
