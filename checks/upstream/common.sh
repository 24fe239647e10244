# What the checks and the bench with upstream's source share. Sourced, with `root` set.
upstream=$root/checks/upstream

# package_folder GENERATION PACKAGE: where Cargo unpacked it.
package_folder() {
    local metadata
    metadata=$(cargo metadata --locked --quiet --format-version 1 --filter-platform x86_64-unknown-linux-gnu \
        --manifest-path "$upstream/packages/$1/Cargo.toml") || {
        echo "upstream: the package $2 cannot be had" >&2
        exit 77
    }
    grep -o "\"manifest_path\":\"[^\"]*/$2-[^\"]*/Cargo.toml\"" <<<"$metadata" | sed 's/^[^:]*:"//; s,/Cargo.toml"$,,'
}

# quietly COMMAND...: what it says is shown only if it fails.
quietly() {
    local log
    log=$("$@" 2>&1) || {
        echo "$log" >&2
        return 1
    }
}
