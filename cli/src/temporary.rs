//! A folder for what is needed while the program runs.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::{env, io, process};

use crate::preload;

/// A folder that only this user can look into; removed, with what is in it, when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new, empty folder, whose path the dynamic loader can be given.
    pub(crate) fn create() -> io::Result<Self> {
        let named = env::temp_dir();
        Self::create_in(if preload::is_loadable(&named) { &named } else { Path::new("/tmp") })
    }

    fn create_in(parent: &Path) -> io::Result<Self> {
        let mut attempt = 0;
        loop {
            let path = parent.join(format!("tflite-arena-run-{}-{attempt}", process::id()));
            // What someone else prepared under that name is not used.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Where a file of this name is, or would be.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Someone cleaned up before us, or cannot be helped.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn is_new_each_time_private_and_removed_with_all_that_is_in_it() {
        let first = Folder::create().unwrap();
        let second = Folder::create().unwrap();
        assert_ne!(first.0, second.0);
        assert_eq!(fs::metadata(&first.0).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(first.file("status"), "planner pid=1\n").unwrap();
        let path = first.0.clone();
        drop(first);
        assert!(!path.exists());
        assert!(second.0.exists());
    }

    #[test]
    fn a_parent_that_is_not_there_is_an_error() {
        assert!(Folder::create_in(Path::new("/no/such/folder")).is_err());
    }
}
