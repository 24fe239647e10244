//! What this tool itself could not do, as opposed to what the program that it runs did.

use std::fmt;
use std::process::ExitCode;

/// A text for the user, and an exit status by the convention of `env` and `timeout`, which can be told from most programs' own.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    text: String,
}

impl Failure {
    /// The tool failed before the program was started.
    pub(crate) fn own(text: impl Into<String>) -> Self {
        Self { status: 125, text: text.into() }
    }

    /// The program was found but could not be started.
    pub(crate) fn cannot_start(text: impl Into<String>) -> Self {
        Self { status: 126, text: text.into() }
    }

    /// There is no such program.
    pub(crate) fn not_found(text: impl Into<String>) -> Self {
        Self { status: 127, text: text.into() }
    }

    /// Tells the user.
    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("tflite-arena: {self}");
        ExitCode::from(self.status)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
