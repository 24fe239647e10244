#!/usr/bin/env bash
# Records ctests/recorded/*.graph again, or into the folder given: for maintainers, after a change of what is recorded.
# These graphs are what the demo falls back to and what the C tests replay; look at the difference before committing it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
runtime=2.14
out=${1:-$root/ctests/recorded}

"$root/scripts/setup.sh" --quiet --for demo
"$root/scripts/build.sh"
# shellcheck source=SCRIPTDIR/prepare.sh
. "$root/scripts/demo/prepare.sh"

python=$("$root/scripts/demo/find_python.sh") || { echo "record_models: needs CPython 3.11 with venv" >&2; exit 1; }
prepare "$runtime" "$python" || { echo "record_models: downloading failed" >&2; exit 1; }
"$cache/venv-$runtime/bin/python" "$root/scripts/demo/record_models.py" "$cache" "$out" "$runtime"
