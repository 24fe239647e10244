//! What is wrong with a file, and where.

use std::fmt;

use csv::{ErrorKind, Position, StringRecord};

/// A text with a line, and a column where it is about one; both are counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed {
    line: u64,
    column: Option<(usize, String)>,
    text: String,
}

impl Malformed {
    /// About a line as a whole.
    pub(crate) fn at_line(line: u64, text: impl Into<String>) -> Malformed {
        Malformed { line, column: None, text: text.into() }
    }

    /// About a cell; the index is counted from 0.
    pub(crate) fn at_column(line: u64, index: usize, name: &str, text: impl Into<String>) -> Malformed {
        Malformed { line, column: Some((index + 1, name.to_owned())), text: text.into() }
    }

    /// What the reader of rows and cells says; without a header it is about the header itself.
    pub(crate) fn from_csv(error: &csv::Error, content: &[u8], header: Option<&StringRecord>) -> Malformed {
        let line = line_of(error.position(), content);
        let column = |index: usize| {
            let name = header.and_then(|header| header.get(index)).unwrap_or_default();
            Some((index + 1, name.to_owned()))
        };
        match error.kind() {
            ErrorKind::Utf8 { err, .. } => {
                Malformed { line, column: column(err.field()), text: "this is not UTF-8".to_owned() }
            }
            ErrorKind::UnequalLengths { expected_len, len, .. } => Malformed {
                line,
                column: column((*len).min(*expected_len) as usize),
                text: format!("the line has {len} columns, the first line has {expected_len}"),
            },
            _ => Malformed { line, column: None, text: error.to_string() },
        }
    }
}

/// The line of a row. The reader says where the row before has ended, and passes over empty lines then.
pub(crate) fn line_of(position: Option<&Position>, content: &[u8]) -> u64 {
    let Some(position) = position else { return 1 };
    let before = usize::try_from(position.byte()).ok().and_then(|byte| content.get(byte..)).unwrap_or_default();
    let empty = before.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|&&byte| byte == b'\n').count();
    position.line() + empty as u64
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Malformed { line, column, text } = self;
        match column {
            Some((number, name)) if name.is_empty() => write!(f, "line {line}, column {number}: {text}"),
            Some((number, name)) => write!(f, "line {line}, column {number} ({name}): {text}"),
            None => write!(f, "line {line}: {text}"),
        }
    }
}
