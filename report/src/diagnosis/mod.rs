//! What is worth knowing about maps, in words.
//!
//! A rule says one thing, and only where it is true and matters. [`RULES`] names them all; each theme is a module.

mod bound;
mod history;
mod hole;
mod options;
mod outside;
mod peak;
mod process;
mod sharing;
mod subject;
#[cfg(test)]
mod tests;
mod trust;
mod weights;
mod words;

use crate::map::MemoryMap;
use subject::Subject;

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

/// How much a finding matters; the least comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// It makes all the others doubtful.
    Doubt,
    /// So many bytes can be saved.
    Saves(std::cmp::Reverse<usize>),
    /// Good to know.
    Fact,
}

/// What a rule says.
struct Said {
    weight: Weight,
    text: String,
    advice: Option<String>,
}

impl Said {
    fn doubt(text: String) -> Said {
        Said { weight: Weight::Doubt, text, advice: None }
    }

    fn saves(bytes: usize, text: String) -> Said {
        Said { weight: Weight::Saves(std::cmp::Reverse(bytes)), text, advice: None }
    }

    fn fact(text: String) -> Said {
        Said { weight: Weight::Fact, text, advice: None }
    }

    fn with(self, advice: impl Into<String>) -> Said {
        Said { advice: Some(advice.into()), ..self }
    }
}

/// What a rule looks at.
#[derive(Clone, Copy)]
enum Rule {
    /// Each map by itself.
    Map(fn(&Subject<'_>) -> Option<Said>),
    /// All of them together.
    All(fn(&[MemoryMap]) -> Option<Said>),
}

/// All rules. Of findings that matter alike, that of the earlier one comes first.
const RULES: [(&str, Rule); 23] = [
    ("failed-calls", Rule::Map(trust::failed_calls)),
    ("not-replayed", Rule::Map(trust::not_replayed)),
    ("below-lower-bound", Rule::Map(bound::below)),
    ("delegated", Rule::Map(outside::delegated)),
    ("unknown", Rule::Map(trust::unknown)),
    ("keep-all", Rule::Map(options::keep_all)),
    ("above-lower-bound", Rule::Map(bound::above)),
    ("more-sharing", Rule::Map(bound::more_sharing)),
    ("computed-weights", Rule::Map(weights::computed_once)),
    ("several-planners", Rule::All(process::planners)),
    ("held-inputs", Rule::Map(options::held_inputs)),
    ("copied-weights", Rule::Map(weights::copied)),
    ("peak", Rule::Map(peak::peak)),
    ("long-lived", Rule::Map(peak::long_lived)),
    ("at-lower-bound", Rule::Map(bound::at)),
    ("dynamic-tensors", Rule::Map(outside::dynamic)),
    ("kept-tensors", Rule::Map(weights::kept)),
    ("several-subgraphs", Rule::All(process::subgraphs)),
    ("padding", Rule::Map(options::padding)),
    ("grown-buffer", Rule::Map(history::grown_buffer)),
    ("planned-repeatedly", Rule::Map(history::planned_repeatedly)),
    ("in-place", Rule::Map(sharing::in_place)),
    ("not-planned-again", Rule::Map(bound::not_planned_again)),
];

/// All that can be said of these maps, which belong to one process or model; the most important first.
#[must_use]
pub fn diagnose(maps: &[MemoryMap]) -> Vec<Finding> {
    let subjects: Vec<Subject<'_>> = maps.iter().map(Subject::new).collect();
    let mut found = Vec::new();
    for (id, rule) in RULES {
        let mut take = |map, said: Option<Said>| {
            if let Some(Said { weight, text, advice }) = said {
                found.push((weight, Finding { id, map, text, advice }));
            }
        };
        match rule {
            Rule::Map(rule) => {
                subjects.iter().enumerate().for_each(|(at, subject)| take(Some(at), rule(subject)));
            }
            Rule::All(rule) => take(None, rule(maps)),
        }
    }
    found.sort_by_key(|&(weight, _)| weight);
    found.into_iter().map(|(_, finding)| finding).collect()
}
