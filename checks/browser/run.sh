#!/usr/bin/env bash
# Opens reports in a headless Chromium: of 60, 1,200 and 10,000 tensors, and one whose names try to be more than names.
#
#   checks/browser/run.sh               finds, points, zooms, walks, sorts, in light and dark; no message, no request
#   checks/browser/run.sh --self-test   planted faults: each has to be noticed
#   checks/browser/run.sh --loading     a table of loading times
#
# Exit status: 0 all is right, 77 there is no Chromium, no Python 3.11 or no network, else failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/checks/browser

case ${1-} in
    "") what=check ;;
    --self-test) what=self-test ;;
    --loading) what=loading ;;
    *)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac

"$root/scripts/setup.sh" --quiet --for browser || {
    echo "browser: there is no Chromium with its driver" >&2
    exit 77
}
# shellcheck source=SCRIPTDIR/../../scripts/demo/prepare.sh
. "$root/scripts/demo/prepare.sh"
python=$("$root/scripts/demo/find_python.sh") || {
    echo "browser: there is no Python 3.11" >&2
    exit 77
}
(flock 9 && prepare_venv browser "$python" "$here/requirements.txt") 9>"$cache/lock" || {
    echo "browser: the packages that drive it could not be downloaded" >&2
    exit 77
}
python=$cache/venv-browser/bin/python

program=$root/target/release/tflite-arena
"$root/scripts/build.sh"
folder=$(mktemp -d) # in prepare.sh's own, which is removed
while read -r kind buffers; do
    table=$folder/$kind-$buffers-buffers
    "$program" generate "$kind" --buffers "$buffers" >"$table.unplanned"
    "$program" plan "$table.unplanned" >"$table.csv" 2>/dev/null
    "$program" report "$table.csv" --html "$table.html" >/dev/null
done <<'END_OF_TABLES'
u-net 60
inception 1200
residual 10000
END_OF_TABLES
"$python" "$here/recording.py" "$folder"
"$program" report "$folder"/hostile-*.json --html "$folder/hostile.html" >/dev/null
"$python" "$here/check.py" "$what" "$folder"
