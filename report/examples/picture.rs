//! Writes the SVG picture of a file.
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("no file")?;
    let maps = arena_report::input::read(&fs::read(&path)?, &path, None)?;
    print!("{}", arena_report::svg::svg(&maps[0]));
    Ok(())
}
