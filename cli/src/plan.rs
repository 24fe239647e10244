//! `tflite-arena plan`: packs the buffers of a CSV file, or makes the calls of a recording again.

mod observer;
mod replay;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use arena_packer::packing::{self, Limits, Plan};
use arena_packer::validate::Clash;
use arena_packer::{Alignment, Bytes};
use arena_report::input::Format;
use arena_report::table::Table;
use arena_report::{Refusal, Strategy, judge};

use crate::bytes;
use crate::failure::Failure;
use crate::files::{self, Input};
use observer::Observer;
use summary::Summary;

/// Pack the buffers of a CSV file into the lowest arena, or make the calls of a recording again
///
/// Of a CSV file, writes the rows that it was given, each with the offset of its buffer; of a recording or a model, a row for
/// each tensor that has bytes of its own in the arena. A line with the figures of the plan goes to standard error. A recording
/// whose calls lead to other places than it says is refused, unless another strategy is asked for. Ctrl-C ends an exact search
/// for a CSV file with the best plan so far. The exit status is 0, but 1 if the arena is higher than --capacity, 2 for a
/// wrong option, and 125 if there is no plan.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording, a model, or CSV: columns id, lower, upper (or end, which is included) and size; alignment, offset (where a
    /// buffer must lie) and gaps if need be; "-" is standard input
    file: PathBuf,

    /// How to pack; without it best, and a recording as it was recorded
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,

    /// A height that is low enough, in bytes or as 512KiB, 3MiB: a search in a CSV file ends as soon as it is met
    #[arg(long, value_name = "BYTES", value_parser = bytes::parse)]
    capacity: Option<usize>,

    /// What offsets are multiples of where a CSV file does not say: a power of two, 1 if not told otherwise
    #[arg(long, value_name = "BYTES", value_parser = power_of_two)]
    alignment: Option<Alignment>,

    /// How long to search in a CSV file: buffers placed by trial; without it, best takes 6,000 or one a buffer, and exact goes on
    /// to its end
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// Where to write, if not to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn power_of_two(text: &str) -> Result<Alignment, String> {
    let bytes = text.parse().map_err(|error| format!("{error}"))?;
    Alignment::new(bytes).map_err(|_| "not a power of two".to_owned())
}

/// Reads, packs, judges, and only then writes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let input = Input::read(&arguments.file)?;
    let (content, summary) = match Format::of(&input.content) {
        Format::Table => plan(&input, arguments)?,
        Format::Recording | Format::Model => replay::plan(&input, arguments)?,
    };
    match arguments.output.as_deref() {
        Some(path) => files::write(&[(path, content)])?,
        None => files::write_to_standard_output(&content)?,
    }
    eprintln!("{summary}");
    Ok(if summary.capacity_is_met() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Plans a table, which comes back with offsets.
fn plan(input: &Input, arguments: &Arguments) -> Result<(Vec<u8>, Summary), Failure> {
    let alignment = arguments.alignment.map_or_else(|| power_of_two("1"), Ok).map_err(Failure::own)?;
    let table = Table::read(&input.content, alignment).map_err(|malformed| input.refused(malformed))?;
    let start = Instant::now();
    let (plan, interrupted) = pack(&table, arguments)?;
    let time = start.elapsed();
    let mut content = Vec::new();
    table.write(&plan.offsets, &mut content).map_err(|error| Failure::own(error.to_string()))?;
    let capacity = arguments.capacity.map(Bytes);
    Ok((content, Summary::of_plan(&table.problem(), &plan, capacity, interrupted, time)))
}

/// Packs; true if the user has ended the search.
fn pack(table: &Table, arguments: &Arguments) -> Result<(Plan, bool), Failure> {
    let problem = &table.problem();
    judge::fixed(problem).map_err(|clash| refused(table, &clash))?;
    let mut observer =
        Observer::start(arguments.steps).map_err(|error| Failure::own(format!("cannot wait for signals: {error}")))?;
    let plan = match arguments.strategy.unwrap_or(Strategy::Best) {
        Strategy::Greedy => packing::greedy(problem),
        Strategy::InOrder => packing::in_order(problem),
        Strategy::Best => {
            let steps = arguments.steps.unwrap_or(packing::best_steps(problem.buffers.len()));
            packing::best(problem, Limits { steps, capacity: arguments.capacity.map(Bytes) })
        }
        Strategy::Exact => {
            let limits = Limits { steps: arguments.steps.unwrap_or(u64::MAX), capacity: arguments.capacity.map(Bytes) };
            packing::exact(problem, limits, &mut observer)
        }
    };
    let interrupted = observer.end();
    let plan = plan.map_err(|error| Failure::own(Refusal::from(error).to_string()))?;
    judge::plan(problem, &plan).map_err(|clash| refused(table, &clash))?;
    Ok((plan, interrupted))
}

fn refused(table: &Table, clash: &Clash) -> Failure {
    Failure::own(match clash {
        Clash::Overlap { first, second, bytes, .. } => {
            format!("{} and {} share the bytes {bytes:?}", table.name(*first), table.name(*second))
        }
        other => other.to_string(),
    })
}
