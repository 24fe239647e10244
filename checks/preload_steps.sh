#!/usr/bin/env bash
# Runs the steps of docs/integrate.md for preloading, as they stand there, with a stock runtime and a real model.
#
# Exit status: 0 they work, 77 the runtime cannot be had (no network, no Python 3.11), else failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=SCRIPTDIR/../ctests/scripts/blocks.sh
. "$root/ctests/scripts/blocks.sh"
# shellcheck source=SCRIPTDIR/../scripts/demo/prepare.sh
. "$root/scripts/demo/prepare.sh"

python=$("$root/scripts/demo/find_python.sh") || {
    echo "preload_steps: there is no Python 3.11" >&2
    exit 77
}
prepare 2.14 "$python" || {
    echo "preload_steps: the runtime or the models could not be downloaded" >&2
    exit 77
}

heading="Preload a stock runtime"
folder=$(mktemp -d) # in prepare.sh's own, which is removed
blocks "$root/docs/integrate.md" "$heading" python >"$folder/app.py"
blocks "$root/docs/integrate.md" "$heading" sh >"$folder/steps"
cp "$cache/models/mediapipe/hand_recrop.tflite" "$folder/model.tflite"
(
    export TFLITE_ARENA=$root PATH=$cache/venv-2.14/bin:$PATH
    cd "$folder" && bash -euo pipefail steps
)
runs=$(sed -n 's/^tflite-arena pid=\([0-9]*\) .*event=execute .*/\1/p' "$folder/arena.log" | sort -u | wc -l)
[ "$runs" -eq 2 ] || {
    echo "preload_steps: of the two ways of preloading, $runs used our planner" >&2
    exit 1
}
echo "docs/integrate.md: the model ran on our planner both ways"
