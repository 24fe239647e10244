//! `tflite-arena`: the command line tool.

mod bytes;
mod check;
mod compare;
mod elf;
mod failure;
mod files;
mod generate;
mod plan;
mod preload;
mod report;
mod run;
mod signals;
mod status;
mod temporary;
mod usage;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Plans the memory of TensorFlow Lite programs
#[derive(Parser)]
#[command(name = "tflite-arena", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Plan(plan::Arguments),
    Report(report::Arguments),
    Check(check::Arguments),
    Compare(compare::Arguments),
    Generate(generate::Arguments),
}

fn main() -> ExitCode {
    let done = match CommandLine::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
    };
    done.unwrap_or_else(|failure| failure.report())
}
