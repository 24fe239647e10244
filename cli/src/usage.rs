//! Options that do not go together: what clap cannot know. All of it ends the process, as clap does.

use std::path::PathBuf;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::CommandLine;
use crate::files;

/// Says what is wrong with the options of a command, and how it is used.
pub(crate) fn refuse(command: &str, text: &str) -> ! {
    let mut line = CommandLine::command();
    // Else the command does not know its full name.
    line.build();
    match line.find_subcommand_mut(command) {
        Some(command) => command.error(ErrorKind::ArgumentConflict, text).exit(),
        None => line.error(ErrorKind::ArgumentConflict, text).exit(),
    }
}

/// Standard input cannot be read twice, nor can two files go to standard output.
pub(crate) fn refuse_twice<'a>(command: &str, what: &str, paths: impl Iterator<Item = &'a PathBuf>) {
    if paths.filter(|path| files::is_standard(path)).count() > 1 {
        refuse(command, &format!("only one {what} can be \"-\""));
    }
}
