//! `tflite-arena run`: runs a program with the planner preloaded.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{env, fs, io};

use signal_hook::consts::{SIGINT, SIGQUIT};

use crate::failure::Failure;
use crate::preload;
use crate::status::StatusFile;

/// Run a program, and what it starts, on this planner
///
/// The exit status is the program's own, 128 + N if signal N killed it. When no planner was created at all, the reason is
/// printed at the end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The preload library, if it is not where it is installed
    #[arg(long, value_name = "PATH", env = "TFLITE_ARENA_PRELOAD")]
    preload: Option<PathBuf>,

    /// Append one line an event to FILE, or write it to "stderr"
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Write each planned graph into DIR, which is made if need be, as JSON
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,

    /// How to place tensors
    #[arg(long, value_parser = ["greedy", "in-order", "best", "exact"])]
    strategy: Option<String>,

    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let library = preload::find(arguments.preload.as_deref())?;
    let status_file =
        StatusFile::create().map_err(|error| Failure::own(format!("cannot make a temporary file: {error}")))?;

    let (program, program_arguments) =
        arguments.command.split_first().ok_or_else(|| Failure::own("no command was given"))?;
    let mut command = Command::new(program);
    command
        .args(program_arguments)
        .env("LD_PRELOAD", preload::prepended(&library, env::var_os("LD_PRELOAD").as_deref()))
        .env("TFLITE_ARENA_RUN_STATUS", status_file.path());
    set_options(&mut command, arguments)?;

    leave_keyboard_signals_to_the_program();
    let exit = command.status().map_err(|error| not_started(Path::new(program), &error))?;

    match status_file.read() {
        Ok(status) => {
            if let Some(text) = status.explanation() {
                eprintln!("tflite-arena: {text}");
            }
        }
        Err(error) => eprintln!("tflite-arena: cannot tell whether a planner was created: {error}"),
    }
    Ok(exit_code(exit))
}

/// Options become the variables that the preload library reads. Paths are made absolute here: programs change directory.
fn set_options(command: &mut Command, arguments: &Arguments) -> Result<(), Failure> {
    if let Some(log) = &arguments.log {
        let value = if log == Path::new("stderr") { log.clone() } else { made_absolute(log)? };
        command.env("TFLITE_ARENA_LOG", value);
    }
    if let Some(directory) = &arguments.record {
        fs::create_dir_all(directory)
            .map_err(|error| Failure::own(format!("cannot make {}: {error}", directory.display())))?;
        command.env("TFLITE_ARENA_RECORD", made_absolute(directory)?);
    }
    if let Some(strategy) = &arguments.strategy {
        command.env("TFLITE_ARENA_STRATEGY", strategy);
    }
    Ok(())
}

fn made_absolute(path: &Path) -> Result<PathBuf, Failure> {
    absolute(path).map_err(|error| Failure::own(format!("cannot use {}: {error}", path.display())))
}

/// Ctrl-C reaches the program as well as us. It decides what to do, and we stay to report its end. A handler, unlike an
/// ignored signal, is not inherited by the program.
fn leave_keyboard_signals_to_the_program() {
    for signal in [SIGINT, SIGQUIT] {
        // Where that is refused, Ctrl-C ends us along with the program.
        let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
}

fn not_started(program: &Path, error: &io::Error) -> Failure {
    let text = format!("cannot run {}: {error}", program.display());
    if error.kind() == io::ErrorKind::NotFound { Failure::not_found(text) } else { Failure::cannot_start(text) }
}

/// As shells count.
fn exit_code(exit: ExitStatus) -> ExitCode {
    let number = exit.code().or_else(|| exit.signal().map(|signal| 128 + signal));
    ExitCode::from(number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX))
}
