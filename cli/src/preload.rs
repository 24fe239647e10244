//! Finds the preload library, and puts it before what is preloaded already.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::temporary::Folder;

const FILE: &str = "libtflite_arena_preload.so";

/// The library's absolute path: the one the user names, else the first that exists of the places where it is installed.
pub(crate) fn find(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let places = match named {
        Some(path) => vec![path.to_owned()],
        None => beside(&env::current_exe().map_err(|error| Failure::own(format!("where am I? {error}")))?),
    };
    let Some(found) = places.iter().find(|path| path.is_file()) else {
        let list: String = places.iter().map(|path| format!("\n  {}", path.display())).collect();
        return Err(Failure::own(format!(
            "the preload library is missing; looked for:{list}\nBuild it with scripts/build.sh, or name it with --preload."
        )));
    };
    found.canonicalize().map_err(|error| Failure::own(format!("cannot use {}: {error}", found.display())))
}

/// Whether LD_PRELOAD can name this path: it has no quoting, colons and blanks end a name, and `$` begins a token.
pub(crate) fn is_loadable(path: &Path) -> bool {
    !path.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b':' | b'$') || byte.is_ascii_whitespace())
}

/// A path for LD_PRELOAD: the library's own, or that of a link to it in `folder`.
pub(crate) fn loadable(library: PathBuf, folder: &Folder) -> Result<PathBuf, Failure> {
    if is_loadable(&library) {
        return Ok(library);
    }
    let link = folder.file(FILE);
    symlink(&library, &link)
        .map_err(|error| Failure::own(format!("cannot make a link to {}: {error}", library.display())))?;
    Ok(link)
}

/// Installed together, installed under one prefix, and built in a source tree (target/release beside build/release).
fn beside(executable: &Path) -> Vec<PathBuf> {
    ["", "../lib", "../../build/release"].iter().map(|folder| executable.with_file_name(folder).join(FILE)).collect()
}

/// The value of LD_PRELOAD that puts `library` first: it must be found before a runtime's own planner.
pub(crate) fn prepended(library: &Path, existing: Option<&OsStr>) -> OsString {
    let mut value = library.as_os_str().to_owned();
    if let Some(existing) = existing.filter(|existing| !existing.is_empty()) {
        value.push(":");
        value.push(existing);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_beside_the_executable_then_in_the_prefix_then_in_the_source_tree() {
        let places = beside(Path::new("/opt/tree/target/release/tflite-arena"));
        let expected = ["", "../lib/", "../../build/release/"]
            .map(|folder| PathBuf::from(format!("/opt/tree/target/release/{folder}{FILE}")));
        assert_eq!(places, expected);
    }

    #[test]
    fn a_named_library_that_is_missing_is_not_replaced_by_another() {
        let failure = find(Some(Path::new("/no/such/library.so"))).unwrap_err();
        assert!(failure.to_string().contains("/no/such/library.so"), "{failure}");
    }

    #[test]
    fn comes_before_what_is_preloaded_already() {
        let library = Path::new("/a/b.so");
        assert_eq!(prepended(library, None), "/a/b.so");
        assert_eq!(prepended(library, Some(OsStr::new(""))), "/a/b.so");
        assert_eq!(prepended(library, Some(OsStr::new("/c.so:/d.so"))), "/a/b.so:/c.so:/d.so");
    }
}
