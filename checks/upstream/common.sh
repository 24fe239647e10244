# What the checks and the bench with upstream's source share. Sourced, with `root` set.
upstream=$root/checks/upstream

# package_folder GENERATION PACKAGE: where Cargo unpacked it. From then on it can be built without a network, too.
package_folder() {
    local manifest=$upstream/packages/$1/Cargo.toml platform=x86_64-unknown-linux-gnu metadata
    cargo fetch --locked --quiet --manifest-path "$manifest" --target $platform || {
        echo "upstream: the package $2 cannot be had" >&2
        exit 77
    }
    metadata=$(cargo metadata --locked --offline --quiet --format-version 1 --manifest-path "$manifest" \
        --filter-platform $platform)
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
