#!/usr/bin/env bash
# Tests the demo's own judgement, and recordings against docs/record.schema.json; scripts/build.sh comes first.
#
# Exit status: 0 all is well, 77 the runtime cannot be had (no network, no Python 3.11), else failed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=SCRIPTDIR/prepare.sh
. "$root/scripts/demo/prepare.sh"

python=$("$root/scripts/demo/find_python.sh") || {
    echo "demo/test: there is no Python 3.11" >&2
    exit 77
}
prepare 2.14 "$python" || {
    echo "demo/test: the runtime or the models could not be downloaded" >&2
    exit 77
}
"$cache/venv-2.14/bin/python" -m unittest discover "$root/scripts/demo"
