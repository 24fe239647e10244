//! Generates the C header from `src/` and refuses to build when the committed one differs. Names the shared library.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const HEADER: &str = "include/tflite_arena.h";
const BLESS: &str = "TFLITE_ARENA_BLESS";

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=cbindgen.toml");
    println!("cargo::rerun-if-changed={HEADER}");
    println!("cargo::rerun-if-env-changed={BLESS}");
    name_shared_library();

    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let generated = generate(&root);
    fs::write(out_dir.join("tflite_arena.h"), &generated).expect("OUT_DIR is writable");

    let committed_path = root.join(HEADER);
    if env::var_os(BLESS).is_some_and(|value| value == "1") {
        fs::write(&committed_path, &generated).expect("the header is writable");
        return;
    }
    let committed = fs::read_to_string(&committed_path).unwrap_or_default();
    if committed != generated {
        panic!(
            "{HEADER} is not what src/ says:\n{}\nTo write it anew: {BLESS}=1 cargo build",
            difference(&committed, &generated)
        );
    }
}

/// The name that programs linked with the shared library ask the loader for. It holds as much of the version as changes
/// whenever the ABI does: before 1.0 that is `0.MINOR`.
fn name_shared_library() {
    let version = |part| env::var(format!("CARGO_PKG_VERSION_{part}")).expect("cargo sets the parts of the version");
    let abi = match version("MAJOR").as_str() {
        "0" => format!("0.{}", version("MINOR")),
        major => major.to_owned(),
    };
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtflite_arena.so.{abi}");
}

fn generate(root: &Path) -> String {
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let bindings = cbindgen::Builder::new()
        .with_crate(root)
        .with_config(config)
        .generate()
        .expect("src/ can be turned into a header");
    let mut header = Vec::new();
    bindings.write(&mut header);
    String::from_utf8(header).expect("cbindgen writes UTF-8")
}

/// The lines that differ: what both have at the start and at the end is left out.
fn difference(committed: &str, generated: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (committed.lines().collect(), generated.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut text = format!("@@ line {} @@\n", start + 1);
    for line in &old[start..old.len() - end] {
        text.push_str(&format!("-{line}\n"));
    }
    for line in &new[start..new.len() - end] {
        text.push_str(&format!("+{line}\n"));
    }
    text
}
