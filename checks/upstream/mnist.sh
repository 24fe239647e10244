# How two programs are compared that run the package's MNIST models over TensorFlow Lite 1.15, one with its planner and one with
# ours. Sourced.

# defines PROGRAM PATTERN: whether it has such a symbol of its own
defines() {
    local symbols
    symbols=$(nm --demangle --defined-only "$1")
    grep -qE "$2" <<<"$symbols"
}

# compare_mnist BUILD-FOLDER PACKAGE-FOLDER HOW: the programs are BUILD-FOLDER/theirs and ours. HOW says in the last line, and
# before each fault, what was done.
compare_mnist() {
    local build=$1 package=$2 how=$3
    fail() {
        echo "$how: $1" >&2
        exit 1
    }
    # Methods that upstream's classes have and ours have not, and a function that only ours calls.
    local theirs='tflite::(ArenaPlanner::CalculateAllocations|SimpleMemoryArena::)' ours=' tflite_arena_planner_create$'
    defines "$build/theirs" "$theirs" || fail "the program as it is has not upstream's planner"
    ! defines "$build/theirs" "$ours" || fail "our planner is in the program as it is"
    ! defines "$build/ours" "$theirs" || fail "upstream's planner is in the program that has ours"
    defines "$build/ours" "$ours" || fail "no planner is in the program that has ours"

    outputs() { "$build/$1" "$package/data/mnist10.bin" "$package"/data/*.tflite; }
    outputs theirs >"$build/theirs.txt" 2>"$build/err" || fail "as it is it does not run: $(cat "$build/err")"
    rm -f "$build/log"
    TFLITE_ARENA_LOG=$build/log outputs ours >"$build/ours.txt" 2>"$build/err" || fail "it does not run: $(cat "$build/err")"
    grep -q 'event=execute' "$build/log" || fail "our planner has planned nothing"
    [ -s "$build/ours.txt" ] || fail "there are no outputs"
    cmp "$build/theirs.txt" "$build/ours.txt" || fail "the outputs differ"
    echo "TensorFlow Lite 1.15, $how: $(wc -l <"$build/ours.txt") outputs, all as without it"
}
