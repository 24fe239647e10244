# shellcheck shell=sh
# Sourced, by those who try what the documents show.

# blocks FILE HEADING LANGUAGE: the fenced blocks of this language under this heading, one after the other; fails if there is none
blocks() {
    awk -v heading="## $2" -v fence="\`\`\`$3" '
        fenced && $0 == "```" { fenced = 0; next }
        fenced { if (wanted) print; next }
        /^```/ { fenced = 1; wanted = inside && $0 == fence; found = found || wanted; next }
        /^## / { inside = $0 == heading }
        END { exit !found }
    ' "$1" || { echo "no block of language '$3' under '$2' in $1" >&2; return 1; }
}
