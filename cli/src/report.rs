//! `tflite-arena report`: tells where the memory goes.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arena_report::diagnosis::{Finding, diagnose};
use arena_report::{MemoryMap, Strategy, input, json, text};
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::CommandLine;
use crate::failure::Failure;
use crate::files::{self, Input};

/// Tell where the memory of a network goes, and what can be done about it
///
/// Writes a summary to standard output, or to standard error when one of the files is "-", which is standard output. The exit
/// status is 0, and 125 if an input is refused or a file cannot be written.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Recordings, .tflite models, or CSV files as `plan` takes them; "-" is standard input. Recordings of one process belong
    /// together
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Plan anew, in this way; without it recordings are shown as they are, and the rest is planned by "best"
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,

    /// Only this one of several graphs, counted from 1 as in the summary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    graph: Option<u32>,

    /// All that is known, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Reads all, and only then writes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let outputs = [arguments.json.as_deref()];
    refuse_twice("INPUT", arguments.inputs.iter().map(PathBuf::as_path));
    refuse_twice("FILE", outputs.into_iter().flatten());

    let maps = read(arguments)?;
    let findings = diagnose(&maps);
    let mut files = Vec::new();
    if let Some(path) = &arguments.json {
        files.push((path.as_path(), json::json(&maps, &findings).into_bytes()));
    }
    files::write(&files)?;
    summarize(&maps, &findings, files.iter().any(|(path, _)| files::is_standard(path)))?;
    Ok(ExitCode::SUCCESS)
}

/// Standard input cannot be read twice, nor can two files go to standard output.
fn refuse_twice<'a>(what: &str, paths: impl Iterator<Item = &'a Path>) {
    if paths.filter(|path| files::is_standard(path)).count() > 1 {
        let text = format!("only one {what} can be \"-\"");
        CommandLine::command().error(ErrorKind::ArgumentConflict, text).exit();
    }
}

fn read(arguments: &Arguments) -> Result<Vec<MemoryMap>, Failure> {
    let mut maps = Vec::new();
    for path in &arguments.inputs {
        let input = Input::read(path)?;
        let read = input::read(&input.content, input.title(), arguments.strategy);
        maps.extend(read.map_err(|refusal| input.refused(refusal))?);
    }
    if let Some(number) = arguments.graph {
        let at = number as usize - 1;
        if at >= maps.len() {
            return Err(Failure::own(format!("there is no graph {number}, there are {}", maps.len())));
        }
        maps = vec![maps.swap_remove(at)];
    }
    Ok(maps)
}

fn summarize(maps: &[MemoryMap], findings: &[Finding], to_standard_error: bool) -> Result<(), Failure> {
    let wants_colours = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
    if to_standard_error {
        let summary = text::text(maps, findings, wants_colours && io::stderr().is_terminal());
        // Nobody can be told.
        let _ = io::stderr().lock().write_all(summary.as_bytes());
        return Ok(());
    }
    let summary = text::text(maps, findings, wants_colours && io::stdout().is_terminal());
    files::write_to_standard_output(summary.as_bytes())
}
