#!/usr/bin/env bash
# Prints the path of a Python that the runtimes' wheels fit: CPython 3.11 for x86-64 Linux.
# Exit status 0: it can make virtual environments. 2: it cannot (Debian puts that into a package of its own).
# 1: there is none, and nothing is printed.
set -euo pipefail

fits='import platform, sys
here = (sys.implementation.name, sys.version_info[:2], sys.platform, platform.machine())
sys.exit(here != ("cpython", (3, 11), "linux", "x86_64"))'

without_venv=
while read -r candidate; do
    # A candidate may be a shim for a version that is not installed; then it only fails.
    "$candidate" -c "$fits" 2>/dev/null || continue
    python=$("$candidate" -c 'import sys; print(sys.executable)')
    if "$python" -c 'import venv; from ensurepip import bootstrap' 2>/dev/null; then
        echo "$python"
        exit 0
    fi
    without_venv=${without_venv:-$python}
done < <(type -aP python3.11 python3 python)

[ -n "$without_venv" ] || exit 1
echo "$without_venv"
exit 2
