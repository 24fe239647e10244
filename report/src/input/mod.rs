//! Reads what people have.

mod recording;
mod table;

use std::fmt;

use arena_planner::Alignment;

use crate::map::MemoryMap;
use crate::strategy::Strategy;

/// Why a file or a plan is refused, with the place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// A text for the user.
    pub fn new(text: impl Into<String>) -> Refusal {
        Refusal(text.into())
    }

    /// About a place in a file.
    pub(crate) fn at(place: impl fmt::Display, text: impl fmt::Display) -> Refusal {
        Refusal(format!("{place}: {text}"))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, as a planner writes it.
    Recording,
    /// A .tflite file.
    Model,
    /// CSV.
    Table,
}

impl Format {
    /// What a file is taken for, by the way it begins.
    #[must_use]
    pub fn of(content: &[u8]) -> Format {
        if crate::model::is_model(content) {
            Format::Model
        } else if content.trim_ascii_start().starts_with(b"{") {
            Format::Recording
        } else {
            Format::Table
        }
    }
}

/// Reads a file of any of the formats, which is told by its content, and plans what holds no plan. `title` is what to call it.
///
/// A recording keeps its places, and so does a table that has an offset for each buffer, unless a strategy is given.
///
/// # Errors
///
/// What is wrong with the file, and where in it; or why there is no plan.
pub fn read(content: &[u8], title: &str, strategy: Option<Strategy>) -> Result<Vec<MemoryMap>, Refusal> {
    match Format::of(content) {
        Format::Model => crate::model::read(content, title, strategy),
        Format::Recording => {
            let map = recording::read(content, title)?;
            Ok(vec![match strategy {
                Some(strategy) => map.by(strategy)?,
                None => map,
            }])
        }
        Format::Table => {
            let table = crate::table::Table::read(content, Alignment::new(1)?)
                .map_err(|malformed| Refusal::new(malformed.to_string()))?;
            Ok(vec![table::map(&table, title, strategy)?])
        }
    }
}
