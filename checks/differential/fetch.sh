# shellcheck shell=bash
# Sourced, with $root set: the runtimes of wheels.txt below $cache, each fetched once.

# shellcheck disable=SC2154 # root is set by who sources this
cache=$root/.cache

# A Python that has pip; those that the demo has made do, whatever version they are.
python_with_pip() {
    local candidate
    for candidate in "$cache"/venv-*/bin/python "$("$root/scripts/demo/find_python.sh" || true)" python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -m pip --version >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    echo "differential: no Python with pip was found" >&2
    return 1
}

# fetch_runtime VERSION PYTHON-VERSION REQUIREMENT: prints where the shared library is that the wheel carries. A stamp is written
# when it is complete, and holds what was asked for.
fetch_runtime() {
    local folder=$cache/runtimes/$1 python download wheel library
    if [ "$(cat "$folder/stamp" 2>/dev/null)" != "$3" ]; then
        python=$(python_with_pip) || return 1
        mkdir -p "$folder"
        download=$(mktemp -d "$cache/run.XXXXXX")
        echo "$3" >"$download/requirement"
        PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CACHE_DIR=$cache/pip "$python" -m pip download --quiet --no-deps \
            --only-binary :all: --require-hashes --python-version "$2" --implementation cp --abi "cp$2" \
            --platform manylinux2014_x86_64 --dest "$download" -r "$download/requirement" >&2 &&
            wheel=$(find "$download" -name '*.whl') &&
            "$python" -m zipfile -e "$wheel" "$download/unpacked" &&
            library=$(find "$download/unpacked" -name '_pywrap_tensorflow_interpreter_wrapper.so') &&
            mv "$library" "$folder/runtime.so" &&
            echo "$3" >"$folder/stamp" || {
            rm -rf "$download"
            return 1
        }
        rm -rf "$download"
    fi
    echo "$folder/runtime.so"
}

# make_stubs LIBRARY OUTPUT: a shared library with what the other one takes from Python. It is never called or looked at: of the
# runtime only the planner is used.
make_stubs() {
    if [ ! "$2" -nt "$1" ]; then
        nm -D --undefined-only "$1" | awk '$2 ~ /^_?Py/ { print "char " $2 "[1024];" }' |
            cc -shared -fPIC -w -x c - -o "$2"
    fi
}
