#!/usr/bin/env bash
# usage: check_sanitizer.sh on|off PROGRAM
# AddressSanitizer is in PROGRAM exactly when it was asked for.
set -euo pipefail
# No `grep -q` here: it ends early, and with pipefail the other side's broken pipe counts as a failure.
found=off
nm "$2" | grep __asan_init > /dev/null && found=on
[ "$found" = "$1" ] || { echo "AddressSanitizer is $found in $2, but should be $1"; exit 1; }
echo "AddressSanitizer is $found"
