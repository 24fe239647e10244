//! `tflite-arena report`: tells where the memory goes.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arena_report::diagnosis::{Finding, diagnose};
use arena_report::model_explorer::{Values, model_explorer};
use arena_report::{MemoryMap, Strategy, csv, html, json, svg, text, trace};

use crate::failure::Failure;
use crate::files::{self, Input};
use crate::usage;

/// Tell where the memory of a network goes, and what can be done about it
///
/// Writes a summary to standard output, or to standard error when one of the files is "-", which is standard output. The exit
/// status is 0, 2 for a wrong option, and 125 if an input is refused or a file cannot be written.
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

    /// A page to look around in: the memory over time, with search and zoom
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// The same as a picture, of one graph
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// All that is known, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// The arena of one graph as a table, which `plan` takes
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// A trace for Perfetto and chrome://tracing: a microsecond a node
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Node data for Google's Model Explorer: the bytes alive at each node of one graph
    #[arg(long, value_name = "FILE")]
    model_explorer: Option<PathBuf>,

    /// The same with the bytes of each node's outputs
    #[arg(long, value_name = "FILE")]
    model_explorer_outputs: Option<PathBuf>,
}

/// Reads all, and only then writes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    usage::refuse_twice("report", "INPUT", arguments.inputs.iter());
    usage::refuse_twice("report", "FILE", arguments.outputs().into_iter().filter_map(|(_, path)| path));
    let outputs = arguments.outputs().into_iter().filter_map(|(_, path)| path.map(PathBuf::as_path));
    files::refuse_overwriting(arguments.inputs.iter().map(PathBuf::as_path), outputs)?;

    let maps = arguments.read()?;
    let findings = diagnose(&maps);
    let files = arguments.render(&maps, &findings)?;
    files::write(&files)?;
    summarize(&maps, &findings, files.iter().any(|(path, _)| files::is_standard(path)))?;
    Ok(ExitCode::SUCCESS)
}

/// What can be written to a file.
#[derive(Clone, Copy)]
enum Output {
    Html,
    Svg,
    Json,
    Csv,
    Trace,
    ModelExplorer(Values),
}

impl Arguments {
    fn outputs(&self) -> [(Output, Option<&PathBuf>); 7] {
        [
            (Output::Html, self.html.as_ref()),
            (Output::Svg, self.svg.as_ref()),
            (Output::Json, self.json.as_ref()),
            (Output::Csv, self.csv.as_ref()),
            (Output::Trace, self.trace.as_ref()),
            (Output::ModelExplorer(Values::LiveBytes), self.model_explorer.as_ref()),
            (Output::ModelExplorer(Values::OutputBytes), self.model_explorer_outputs.as_ref()),
        ]
    }

    fn read(&self) -> Result<Vec<MemoryMap>, Failure> {
        let mut maps = Vec::new();
        for path in &self.inputs {
            let input = Input::read(path)?;
            maps.extend(input.maps(input.title(), self.strategy)?);
        }
        let Some(number) = self.graph else { return Ok(maps) };
        let at = number as usize - 1;
        if at >= maps.len() {
            return Err(Failure::own(format!("there is no graph {number}, there are {}", maps.len())));
        }
        Ok(vec![maps.swap_remove(at)])
    }

    /// The files that are asked for.
    fn render(&self, maps: &[MemoryMap], findings: &[Finding]) -> Result<Vec<(&Path, Vec<u8>)>, Failure> {
        let mut files = Vec::new();
        for (output, path) in self.outputs() {
            let Some(path) = path else { continue };
            let content = match output {
                Output::Html => html::html(maps, findings).into_bytes(),
                Output::Json => json::json(maps, findings).into_bytes(),
                Output::Trace => trace::trace(maps).into_bytes(),
                Output::Svg => svg::svg(the_one("--svg", maps)?).into_bytes(),
                Output::Csv => csv::csv(the_one("--csv", maps)?).map_err(|error| Failure::own(error.to_string()))?,
                Output::ModelExplorer(values) => {
                    let map = the_one("--model-explorer", maps)?;
                    if map.network.nodes.is_empty() {
                        return Err(Failure::own(format!("{}: it has no nodes for --model-explorer", map.title)));
                    }
                    model_explorer(map, values).into_bytes()
                }
            };
            files.push((path.as_path(), content));
        }
        Ok(files)
    }
}

/// The only graph.
fn the_one<'a>(option: &str, maps: &'a [MemoryMap]) -> Result<&'a MemoryMap, Failure> {
    match maps {
        [map] => Ok(map),
        _ => {
            Err(Failure::own(format!("{option} is about one graph, there are {}: choose one with --graph", maps.len())))
        }
    }
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
