//! `tflite-arena run`: runs a program with the planner preloaded.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitCode, ExitStatus};
use std::{env, fs, io};

use arena_report::Strategy;

use crate::failure::Failure;
use crate::preload;
use crate::signals::Signals;
use crate::status::Status;
use crate::temporary::Folder;

/// Run a program, and what it starts, on this planner
///
/// Signals that ask for an end are passed on to the program. The exit status is its own, 128 + N if signal N killed it. When no
/// planner was created at all, the reason is printed at the end. If the program cannot be run: 127 if it is not there, else 126; 125 if
/// something else is wrong.
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

    /// How to place tensors; without it best, or in-order where the runtime is older than 2.2
    #[arg(long)]
    strategy: Option<Strategy>,

    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let library = preload::find(arguments.preload.as_deref())?;
    // From here on a signal no longer ends us, so that what is temporary is removed.
    let signals = Signals::hold().map_err(|error| Failure::own(format!("cannot wait for signals: {error}")))?;
    let folder = Folder::create().map_err(|error| Failure::own(format!("cannot make a temporary folder: {error}")))?;
    let library = preload::loadable(library, &folder)?;
    let status_file = folder.file("status");

    let (program, program_arguments) =
        arguments.command.split_first().ok_or_else(|| Failure::own("no command was given"))?;
    let mut command = Command::new(program);
    command
        .args(program_arguments)
        .env("LD_PRELOAD", preload::prepended(&library, env::var_os("LD_PRELOAD").as_deref()))
        .env("TFLITE_ARENA_RUN_STATUS", &status_file);
    set_options(&mut command, arguments)?;

    let mut child = signals.spawn(&mut command).map_err(|error| not_started(Path::new(program), &error))?;
    let exit = signals
        .pass_on_until_end_of(&mut child)
        .map_err(|error| Failure::own(format!("cannot wait for {}: {error}", Path::new(program).display())))?;

    match Status::read(&status_file) {
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
    if let Some(strategy) = arguments.strategy {
        command.env("TFLITE_ARENA_STRATEGY", strategy.name());
    }
    Ok(())
}

fn made_absolute(path: &Path) -> Result<PathBuf, Failure> {
    absolute(path).map_err(|error| Failure::own(format!("cannot use {}: {error}", path.display())))
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
