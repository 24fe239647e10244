//! Where the package registry's copy of the real headers lies.

use std::path::PathBuf;

use cargo_metadata::{CargoOpt, MetadataCommand};

/// The folder into which Cargo unpacked the package that carries TFLite's headers.
pub fn reference_package() -> PathBuf {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .features(CargoOpt::SomeFeatures(vec!["reference-header".into()]))
        .other_options(["--locked", "--filter-platform", "x86_64-unknown-linux-gnu"].map(String::from))
        .exec()
        .expect("cargo metadata finds the package");
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == "edgefirst-tflite-sys")
        .expect("the package is a dependency");
    package
        .manifest_path
        .parent()
        .expect("a manifest lies in a folder")
        .into()
}
