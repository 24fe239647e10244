//! `tflite-arena generate`: writes a packing problem.

use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use packing_instances::{Interval, Kind};

use crate::failure::Failure;
use crate::files;

/// Write a packing problem as CSV, the same for the same kind, size and seed
///
/// The pieces of a "cut" problem come from a full rectangle, 1048576 high: that is its optimum.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What it looks like
    #[arg(value_parser = kinds())]
    kind: Kind,

    /// How many buffers there are at the least
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    buffers: u32,

    /// Chance begins with this number
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name))
        .try_map(|name| Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("no such kind"))
}

/// Writes to standard output.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let problem = arguments.kind.generate(arguments.buffers as usize, arguments.seed);
    let mut text = String::from("id,lower,upper,size\n");
    for (id, Interval { lower, upper, size }) in problem.into_iter().enumerate() {
        text += &format!("{id},{lower},{upper},{size}\n");
    }
    files::write_to_standard_output(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
