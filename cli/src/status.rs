//! What the preload library reports of the processes that it was loaded into, and what that means for the user.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::elf::{self, Planner};

/// The reports of all processes together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// Our planner was created at least once.
    planner_created: bool,
    /// Runtimes that are, or may be, too old and kept their own planner.
    older: BTreeSet<PathBuf>,
    /// Objects that look like TensorFlow Lite, in processes that made no planner.
    objects: BTreeSet<PathBuf>,
}

impl Status {
    /// What was reported so far into a file. Where nothing was, the file need not be there.
    pub(crate) fn read(file: &Path) -> io::Result<Self> {
        match fs::read_to_string(file) {
            Ok(text) => Ok(Self::parse(&text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

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
            text += &format!(
                "\n  {}\n    kept its own planner: it is older than TensorFlow Lite 2.14, or cannot be looked into",
                path.display()
            );
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
                     adapter first, or build the runtime from source with it: docs/integrate.md has the steps.";
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
        assert!(text.contains("/opt/my runtime.so\n    kept its own planner: it is older"), "{text}");
    }

    #[test]
    fn without_any_report_static_linking_is_suspected() {
        let text = Status::parse("").explanation().unwrap();
        assert!(text.contains("statically"), "{text}");
        assert_eq!(Status::parse("obj"), Status::default());
    }
}
