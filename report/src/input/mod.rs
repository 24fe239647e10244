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

/// Whether a file, by the way it begins, is taken for a table.
#[must_use]
pub fn is_table(content: &[u8]) -> bool {
    !content.trim_ascii_start().starts_with(b"{")
}

/// Reads a file of any of the formats, which is told by its content, and plans what holds no plan. `title` is what to call it.
///
/// A recording keeps its places, and so does a table that has an offset for each buffer, unless a strategy is given.
///
/// # Errors
///
/// What is wrong with the file, and where in it; or why there is no plan.
pub fn read(content: &[u8], title: &str, strategy: Option<Strategy>) -> Result<Vec<MemoryMap>, Refusal> {
    if crate::model::is_model(content) {
        return crate::model::read(content, title, strategy);
    }
    if !is_table(content) {
        let map = recording::read(content, title)?;
        return Ok(vec![match strategy {
            Some(strategy) => map.by(strategy)?,
            None => map,
        }]);
    }
    let table = crate::table::Table::read(content, Alignment::new(1)?)
        .map_err(|malformed| Refusal::new(malformed.to_string()))?;
    Ok(vec![table::map(&table, title, strategy)?])
}
