//! Reads from a runtime's file whether preloading can replace its planner.

use std::fs::File;
use std::path::Path;

use object::{Object, ObjectSymbol, ReadCache};

/// `tflite::ArenaPlanner`'s constructor in the generations that the preload library serves.
const CONSTRUCTOR: &str = include!("../../cpp/constructor.inc");

/// Its name without the arguments, by which other generations are recognised.
const ANY_CONSTRUCTOR: &str = "_ZN6tflite12ArenaPlannerC1E";

/// What the dynamic symbol table says of the planner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Planner {
    /// Exported: a preloaded constructor takes its place.
    Exported,
    /// Exported with other arguments: an older or a newer generation.
    OtherGeneration,
    /// Not exported: nothing preloaded can take its place.
    Hidden,
}

/// Looks into the file, which may be anything: what is not sound ELF is an error, in words.
pub(crate) fn planner_in(path: &Path) -> Result<Planner, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    // Reads only what is asked for: runtimes can be a gigabyte large.
    let cache = ReadCache::new(file);
    let parsed = object::File::parse(&cache).map_err(|error| error.to_string())?;
    let mut planner = Planner::Hidden;
    for symbol in parsed.dynamic_symbols().filter(ObjectSymbol::is_definition) {
        match symbol.name() {
            Ok(CONSTRUCTOR) => return Ok(Planner::Exported),
            Ok(name) if name.starts_with(ANY_CONSTRUCTOR) => planner = Planner::OtherGeneration,
            // A name that cannot be read is not the one we look for.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(planner)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::{env, fs, process};

    /// A file with these bytes, for as long as `look` takes.
    fn with_file<T>(name: &str, bytes: &[u8], look: impl FnOnce(&Path) -> T) -> T {
        let path = env::temp_dir().join(format!("tflite-arena-elf-{}-{name}", process::id()));
        fs::write(&path, bytes).unwrap();
        let seen = look(&path);
        fs::remove_file(&path).unwrap();
        seen
    }

    #[test]
    fn a_file_that_is_missing_or_no_elf_is_an_error() {
        assert!(planner_in(Path::new("/no/such/file")).unwrap_err().contains("No such file"));
        for (name, bytes) in [("empty", &b""[..]), ("text", b"#!/bin/sh\n"), ("magic", b"\x7fELF")] {
            with_file(name, bytes, |path| assert!(planner_in(path).is_err(), "{name}"));
        }
    }

    #[test]
    fn this_program_has_no_planner() {
        assert_eq!(planner_in(&env::current_exe().unwrap()), Ok(Planner::Hidden));
    }

    /// Whatever is cut off or flipped in a real file, there is an answer or an error, and no panic.
    #[test]
    fn damaged_files_are_survived() {
        let whole = fs::read("/bin/true").unwrap();
        assert_eq!(with_file("whole", &whole, planner_in), Ok(Planner::Hidden));
        for cut in (0..whole.len()).step_by(whole.len() / 64) {
            // Section headers, through which symbols are found, are at the end.
            with_file("cut", &whole[..cut], |path| assert!(planner_in(path).is_err(), "cut at {cut}"));
        }
        for at in (0..0x400).step_by(7) {
            let mut flipped = whole.clone();
            flipped[at] ^= 0xff;
            let seen = with_file("flipped", &flipped, planner_in);
            assert!(matches!(seen, Ok(Planner::Hidden) | Err(_)), "flipped at {at}: {seen:?}");
        }
    }
}
