#!/usr/bin/env bash
# Runs real models in a stock TFLite runtime, on its own planner and on ours, and compares. One command, from a fresh clone.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    cat <<'END'
usage: scripts/demo.sh [--runtime 2.14|2.15|2.16] [--models PATTERN] [--json FILE] [--offline] [--no-fallback]

Builds the release, fetches a stock TFLite runtime and models (once, into .cache/), runs every model stock and
swapped, and prints what the planner did and whether the outputs are the same. Ends with a report of where the memory
of the heaviest model goes, and where its page is. Exit status 0 only if all is right.

  --runtime VERSION   which stock runtime (default 2.14)
  --models PATTERN    only models whose name, or wheel/name, matches the shell pattern
  --json FILE         write all rows to FILE as well
  --offline           do not run a runtime: plan and execute graphs recorded from the models, from C
  --no-fallback       fail where Python 3.11 or the network is missing, instead of going on as with --offline
END
}

die() {
    echo "demo: $*" >&2
    exit 1
}

runtime=2.14
pattern='*'
json=
reason=
fallback=1
while [ $# -gt 0 ]; do
    case $1 in
        --runtime | --models | --json)
            [ $# -ge 2 ] || die "$1 needs a value"
            case $1 in
                --runtime) runtime=$2 ;;
                --models) pattern=$2 ;;
                --json) json=$2 ;;
            esac
            shift
            ;;
        --offline) reason="--offline was given" ;;
        --no-fallback) fallback= ;;
        --help | -h)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
    shift
done
[ -f "$root/scripts/demo/requirements/runtime-$runtime.txt" ] || die "no runtime $runtime: 2.14, 2.15 or 2.16"

"$root/scripts/setup.sh" --quiet --for demo
"$root/scripts/build.sh"

# shellcheck source=SCRIPTDIR/demo/prepare.sh
. "$root/scripts/demo/prepare.sh"

if [ -z "$reason" ]; then
    if ! python=$("$root/scripts/demo/find_python.sh"); then
        reason="no CPython 3.11 for x86-64 Linux that can make virtual environments was found on PATH"
    elif ! prepare "$runtime" "$python"; then
        reason="the runtime or the models could not be downloaded (is there a network?)"
    fi
    [ -z "$reason" ] || [ -n "$fallback" ] || die "$reason"
fi

if [ -z "$reason" ]; then
    "$cache/venv-$runtime/bin/python" "$root/scripts/demo/demo.py" --runtime "$runtime" --cache "$cache" \
        --models "$pattern" ${json:+--json "$json"}
    exit
fi

# The main job on what the clone itself holds.
echo "demo: $reason"
echo "demo: so no stock runtime is run; these graphs were recorded from the models and are planned and executed from C"
echo
graphs=()
for graph in "$root"/ctests/recorded/*.graph; do
    name=$(basename "$graph" .graph)
    # shellcheck disable=SC2053 # the right side is a pattern
    if [ -f "$graph" ] && [[ $name == $pattern ]]; then graphs+=("$graph"); fi
done
[ ${#graphs[@]} -gt 0 ] || die "no recorded graph matches $pattern"
"$root/build/release/ctests/replay_recorded" "${graphs[@]}"
[ -z "$json" ] || printf '{"mode": "recorded", "graphs": %d}\n' ${#graphs[@]} >"$json"
