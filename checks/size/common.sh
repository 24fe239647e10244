# Sourced by the size and the panic check: the library, as it is and with faults planted.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
parts=$root/checks/size
header=$root/include/tflite_arena.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# link_own: builds the library as it is, and links the programs into $work.
link_own() {
    "$root/scripts/build.sh" --libraries
    "$parts/link.sh" "$root/build/release/libtflite_arena.a" "$header" "$work"
}

target=$root/target/check-size/target

# link_features LIST FOLDER: builds the library with these cargo features and no others, and links the programs into FOLDER.
link_features() {
    mkdir "$2"
    build_in "$root" "$2" --no-default-features --features "$1"
}

# build_in WORKSPACE FOLDER [CARGO-OPTION...]
build_in() {
    local workspace=$1 folder=$2
    shift 2
    # Cargo tells what it does, but not that it did nothing.
    (cd "$workspace" && CARGO_TARGET_DIR=$target cargo build --release --locked -p tflite-arena "$@" 2>&1 |
        sed '/^ *Finished /d') >&2
    "$root/scripts/static_library.sh" "$target/release/libtflite_arena.a" "$folder/libtflite_arena.a" --without-unwind-tables
    "$parts/link.sh" "$folder/libtflite_arena.a" "$header" "$folder"
}

# The copy stays in one place, so that what it is built from is built once.
copy=$root/target/check-size/workspace

copy_workspace() {
    rm -rf "$copy"
    mkdir -p "$copy"
    cp -R "$root"/{Cargo.toml,Cargo.lock,build.rs,cbindgen.toml,src,include,packer,planner,report,cli,instances} "$copy"
}

# plant FUNCTION STATEMENT: makes it the first statement of an exported function of the copy.
plant() {
    sed -i "/fn $1(.*{\$/a $2" "$copy"/src/*.rs
    grep -xF -- "$2" "$copy"/src/*.rs >/dev/null || {
        echo "nothing could be planted in $1" >&2
        exit 1
    }
}

# link_copy FOLDER [CARGO-OPTION...]: builds the copy, and links the programs into FOLDER.
link_copy() {
    local folder=$1
    shift
    mkdir "$folder"
    build_in "$copy" "$folder" "$@"
}

# ends_with STATUS COMMAND...: the command has to end with that status; what it said is kept for `says`.
ends_with() {
    local expected=$1 status=0
    shift
    said=$("$@" 2>&1) || status=$?
    [ "$status" -eq "$expected" ] || {
        printf 'expected status %s, got %s from: %s\n%s\n' "$expected" "$status" "$*" "$said" >&2
        exit 1
    }
}

# says PATTERN: the last command has to have said it.
says() {
    grep -E -- "$1" <<<"$said" >/dev/null || {
        printf 'expected "%s" in:\n%s\n' "$1" "$said" >&2
        exit 1
    }
}
