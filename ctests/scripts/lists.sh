# Sourced by the symbol checks: lists of names, one a line.

# The names of a list file: without comments, sorted.
read_list() {
  { grep -v '^#' "$1" || true; } | LC_ALL=C sort -u
}

# compare_lists NAME_A FILE_A NAME_B FILE_B: says what only one has; fails when that is anything.
compare_lists() {
  local only_a only_b
  only_a=$(LC_ALL=C comm -23 "$2" "$4")
  only_b=$(LC_ALL=C comm -13 "$2" "$4")
  [ -z "$only_a" ] || printf 'in %s, but not in %s:\n%s\n' "$1" "$3" "$only_a"
  [ -z "$only_b" ] || printf 'in %s, but not in %s:\n%s\n' "$3" "$1" "$only_b"
  [ -z "$only_a$only_b" ]
}
