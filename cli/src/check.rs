//! `tflite-arena check`: holds the memory of models against limits.

mod github;

use std::path::PathBuf;
use std::process::ExitCode;

use arena_report::Strategy;
use arena_report::check::{Outcome, Rules, check, json};
use arena_report::text::printable;
use clap::ValueEnum;

use crate::bytes;
use crate::failure::Failure;
use crate::files::{self, Input};
use crate::usage::refuse_twice;

/// Check that models, recordings or tables keep to limits, for build servers
///
/// Each planner or subgraph is held against each limit. Where several are of one process or one model, so are the sums of their
/// bytes, as if all were there at the same time. The exit status is 0 if all limits are kept, 1 if not, 2 for a wrong
/// option, and 125 if a file cannot be read.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Recordings, models, or tables as of "plan"; "-" is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    rules: RuleArguments,

    /// Judge how this strategy would place the tensors, instead of where they lie
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,

    /// How to tell
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct RuleArguments {
    /// The most that an arena may take: bytes, or as 512KiB, 3MiB
    #[arg(long, value_name = "BYTES", value_parser = bytes::parse)]
    max_arena: Option<usize>,

    /// The most that persistent tensors may take
    #[arg(long, value_name = "BYTES", value_parser = bytes::parse)]
    max_persistent: Option<usize>,

    /// How far an arena may be above its lower bound
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    max_gap: Option<f64>,

    /// Run the graph on simulated memory, in which no data may be lost, and compare all places with each other
    #[arg(long)]
    validate: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A line a rule
    Text,
    /// An object
    Json,
    /// A workflow command a broken rule, which GitHub shows as an annotation
    Github,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent),
        _ => Err("not a number from 0 up".to_owned()),
    }
}

/// Reads all, judges all, and tells.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let &RuleArguments { max_arena, max_persistent, max_gap, validate } = &arguments.rules;
    refuse_twice("check", "INPUT", arguments.inputs.iter());
    let read = |path: &PathBuf| {
        let input = Input::read(path)?;
        input.maps(input.name(), arguments.strategy)
    };
    let maps = arguments.inputs.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let outcomes = check(&maps, &Rules { max_arena, max_persistent, max_gap, validate });
    let told = match arguments.format {
        Format::Text => outcomes.iter().map(line).collect(),
        Format::Json => json(&outcomes) + "\n",
        Format::Github => {
            let told = |outcome: &Outcome| match outcome.passed {
                true => line(outcome),
                false => github::command(outcome, &arguments.inputs),
            };
            outcomes.iter().map(told).collect()
        }
    };
    files::write_to_standard_output(told.as_bytes())?;
    Ok(if outcomes.iter().all(|outcome| outcome.passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn line(outcome: &Outcome) -> String {
    let Outcome { rule, subject, text, .. } = outcome;
    let verdict = if outcome.passed { "pass" } else { "FAIL" };
    // A name with a line break in it must not look like a line of its own.
    printable(&format!("{verdict} {rule}: {subject}: {text}")).into_owned() + "\n"
}
