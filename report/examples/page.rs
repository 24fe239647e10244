//! Writes the page of files: `page FILE... > out.html`.
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut maps = Vec::new();
    for path in std::env::args().skip(1) {
        maps.extend(arena_report::input::read(&fs::read(&path)?, &path, None)?);
    }
    print!("{}", arena_report::html::html(&maps, &arena_report::diagnosis::diagnose(&maps)));
    Ok(())
}
