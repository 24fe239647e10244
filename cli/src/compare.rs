//! `tflite-arena compare`: tells what changed between two files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arena_report::comparison::{Comparison, json};
use arena_report::{Strategy, text};
use clap::ValueEnum;

use crate::failure::Failure;
use crate::files::{self, Input};
use crate::usage::refuse_twice;

/// Tell what changed between two recordings, or two versions of a model
///
/// Graphs are compared in their order. Tensors are the same where their names are; of several of one name, or of none, the first is
/// the same as the first. Of the rest, those of one size and kind are the same where the same node makes them. The exit status is 0, 1 with
/// --fail-if-larger if it is, 2 for a wrong option, and 125 if a file cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording, a model, or a table as of "plan"; "-" is standard input
    before: PathBuf,

    /// Another one
    after: PathBuf,

    /// Plan both anew, in this way; without it recordings are compared as they are
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,

    /// Tell everything that changed, not only the ten tensors and operators that matter most
    #[arg(long)]
    all: bool,

    /// End with exit status 1 if an arena, or what is persistent, takes more than before
    #[arg(long)]
    fail_if_larger: bool,

    /// How to tell
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// An object
    Json,
}

/// Reads both, compares and tells.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    refuse_twice("compare", "file", [&arguments.before, &arguments.after].into_iter());
    let read = |path: &Path| {
        let input = Input::read(path)?;
        input.maps(input.name(), arguments.strategy)
    };
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let comparisons: Vec<_> = before.iter().zip(&after).map(|(before, after)| Comparison::new(before, after)).collect();
    let told = match arguments.format {
        Format::Json => json(&comparisons, [before.len(), after.len()]) + "\n",
        Format::Text => {
            let told = |comparison: &Comparison| text::comparison(comparison, arguments.all);
            let mut told = comparisons.iter().map(told).collect::<Vec<_>>().join("\n");
            if before.len() != after.len() {
                told += &format!("\nThere are {} graphs, and there were {}.\n", after.len(), before.len());
            }
            told
        }
    };
    files::write_to_standard_output(told.as_bytes())?;
    let is_larger = comparisons.iter().any(Comparison::is_larger);
    Ok(if arguments.fail_if_larger && is_larger { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
