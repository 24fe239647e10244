//! What is worth knowing about maps, in words.

use crate::map::MemoryMap;

/// Something that is true of a map, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Names the kind of finding to programs.
    pub id: &'static str,
    /// The position of the map that it is about; `None` when it is about all of them.
    pub map: Option<usize>,
    /// Whole sentences, with numbers.
    pub text: String,
    /// What to do about it, if anything can be done.
    pub advice: Option<String>,
}

/// All that can be said of these maps, which belong to one process or model; the most important first.
#[must_use]
pub fn diagnose(_maps: &[MemoryMap]) -> Vec<Finding> {
    Vec::new()
}
