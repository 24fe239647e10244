//! What the preload library reports of the processes that it was loaded into, and what that means for the user.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::{env, process};

use crate::elf::{self, Planner};

/// The file that the library appends to; removed when dropped.
pub(crate) struct StatusFile(PathBuf);

impl StatusFile {
    /// A new, empty file, which only this user can write.
    pub(crate) fn create() -> io::Result<Self> {
        let mut attempt = 0;
        loop {
            let path = env::temp_dir().join(format!("tflite-arena-run-{}-{attempt}", process::id()));
            // Exclusive, so that a name that someone else prepared is not followed.
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(_) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// What was reported so far.
    pub(crate) fn read(&self) -> io::Result<Status> {
        Ok(Status::parse(&fs::read_to_string(&self.0)?))
    }
}

impl Drop for StatusFile {
    fn drop(&mut self) {
        // Someone cleaned up before us, or cannot be helped.
        let _ = fs::remove_file(&self.0);
    }
}

/// The reports of all processes together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// Our planner was created at least once.
    planner_created: bool,
    /// Runtimes that are too old and kept their own planner.
    older: BTreeSet<PathBuf>,
    /// Objects that look like TensorFlow Lite, in processes that made no planner.
    objects: BTreeSet<PathBuf>,
}

impl Status {
    fn parse(text: &str) -> Self {
        let mut status = Self::default();
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("planner", _)) => status.planner_created = true,
                Some(("older", path)) => _ = status.older.insert(path.into()),
                Some(("object", path)) => _ = status.objects.insert(path.into()),
                // A line that a full disk cut off.
                _ => {}
            }
        }
        status
    }

    /// Why nothing was swapped, and what can be done; nothing where a planner of ours was created.
    pub(crate) fn explanation(&self) -> Option<String> {
        if self.planner_created {
            return None;
        }
        let mut text = String::from("no planner was created: nothing ran on tflite-arena.");
        for path in &self.older {
            text += &format!("\n  {}\n    is older than TensorFlow Lite 2.14 and kept its own planner", path.display());
        }
        let mut reachable = 0;
        for path in &self.objects {
            let planner = elf::planner_in(path);
            reachable += usize::from(planner == Ok(Planner::Exported));
            text += &format!("\n  {}\n    {}", path.display(), verdict(&planner));
        }
        if self.older.is_empty() && self.objects.is_empty() {
            text += "\nNo object that looks like TensorFlow Lite was loaded. One that is linked statically into a program\n\
                     cannot be reached by preloading.";
        }
        if reachable == 0 {
            text += "\nPreload into a runtime that exports tflite::ArenaPlanner, such as tflite-runtime 2.14, or link the\n\
                     adapter first (-ltflite_arena_cpp -ltflite_arena before the runtime's own library), or build the\n\
                     runtime from source with it.";
        }
        Some(text)
    }
}

/// Whether preloading could have replaced an object's planner.
fn verdict(planner: &Result<Planner, String>) -> String {
    match planner {
        Ok(Planner::Exported) => {
            "exports tflite::ArenaPlanner, but created none: was a model's memory allocated?".into()
        }
        Ok(Planner::OtherGeneration) => "exports tflite::ArenaPlanner of a generation that is not supported".into(),
        Ok(Planner::Hidden) => {
            "does not export tflite::ArenaPlanner: its planner cannot be replaced by preloading".into()
        }
        Err(error) => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_planner_anywhere_is_enough() {
        assert_eq!(Status::parse("object /a/libtflite.so\nplanner pid=7\n").explanation(), None);
    }

    #[test]
    fn objects_are_named_once_with_a_verdict() {
        let text = Status::parse("object /no/libtflite.so\nobject /no/libtflite.so\n").explanation().unwrap();
        assert_eq!(text.matches("/no/libtflite.so").count(), 1, "{text}");
        assert!(text.contains("cannot be read: No such file"), "{text}");
        assert!(text.contains("link the\nadapter first"), "{text}");
    }

    #[test]
    fn an_older_runtime_is_named() {
        let text = Status::parse("older /opt/my runtime.so\n").explanation().unwrap();
        assert!(text.contains("/opt/my runtime.so\n    is older than TensorFlow Lite 2.14"), "{text}");
    }

    #[test]
    fn without_any_report_static_linking_is_suspected() {
        let text = Status::parse("").explanation().unwrap();
        assert!(text.contains("statically"), "{text}");
        assert_eq!(Status::parse("obj"), Status::default());
    }

    #[test]
    fn the_file_is_new_each_time_and_removed() {
        let first = StatusFile::create().unwrap();
        let second = StatusFile::create().unwrap();
        assert_ne!(first.path(), second.path());
        fs::write(first.path(), "planner pid=1\n").unwrap();
        assert!(first.read().unwrap().planner_created);
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists());
    }
}
