//! Rules that a plan's memory has to keep, for build servers.

use serde::Serialize;

use crate::map::{MemoryMap, Origin};
use crate::numbers::grouped;
use crate::validation::validate;

/// What is demanded. What is `None` is not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rules {
    /// The most bytes that the arena may take.
    pub max_arena: Option<usize>,
    /// The most bytes that the arena of persistent tensors may take.
    pub max_persistent: Option<usize>,
    /// How far the arena may be above its lower bound, in per cent of that.
    pub max_gap: Option<f64>,
    /// No data may be lost.
    pub validate: bool,
}

/// How it went with a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The option of the command line that asks for the rule.
    pub rule: &'static str,
    /// The position of the file whose map, or whose first map, this is about.
    #[serde(skip)]
    pub input: usize,
    /// What it is about: the title of a map, or what several have in common.
    pub subject: String,
    /// Whether it is kept.
    pub passed: bool,
    /// The most that is allowed, where the rule has a number.
    pub limit: Option<Amount>,
    /// What there is.
    pub found: Option<Amount>,
    /// The numbers in words, or a fault, as a sentence without its subject.
    pub text: String,
    /// Tensors that clash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tensors: Vec<TensorName>,
    /// The first and the last node at which they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<[i32; 2]>,
    /// The first byte in which they do, and the first one behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<[usize; 2]>,
}

/// Bytes or per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// Bytes.
    Bytes(usize),
    /// Per cent.
    Percent(f64),
}

/// A tensor as people and programs know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TensorName {
    /// Its number.
    pub tensor: usize,
    /// Its name, which may be empty.
    pub name: String,
}

/// Judges the maps of several files, in their order, file after file.
#[must_use]
pub fn check(inputs: &[Vec<MemoryMap>], rules: &Rules) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    let maps = || (0..).zip(inputs).flat_map(|(input, maps)| maps.iter().map(move |map| (input, map)));
    for (input, map) in maps() {
        let from = outcomes.len();
        let subject = Subject { input, title: map.title.clone(), has: "the arena takes" };
        outcomes.extend(rules.max_arena.map(|limit| subject.bytes("max-arena", limit, map.totals.arena)));
        let subject = Subject { has: "persistent tensors take", ..subject };
        outcomes
            .extend(rules.max_persistent.map(|limit| subject.bytes("max-persistent", limit, map.totals.persistent)));
        outcomes.extend(rules.max_gap.map(|limit| gap(input, map, limit)));
        if rules.validate {
            outcomes.extend(validated(input, map));
        }
        if let Some(caveat) = map.caveat() {
            outcomes[from..].iter_mut().for_each(|outcome| outcome.text += &format!("; {caveat}"));
        }
    }
    for (title, family) in families(&maps().collect::<Vec<_>>()) {
        let Some(&(input, _)) = family.first() else { continue };
        let sum = |of: fn(&MemoryMap) -> usize| family.iter().fold(0usize, |sum, (_, map)| sum.saturating_add(of(map)));
        let subject = Subject { input, title, has: "all arenas together take" };
        outcomes.extend(rules.max_arena.map(|limit| subject.bytes("max-arena", limit, sum(|map| map.totals.arena))));
        let subject = Subject { has: "persistent tensors take together", ..subject };
        outcomes.extend(
            rules.max_persistent.map(|limit| subject.bytes("max-persistent", limit, sum(|map| map.totals.persistent))),
        );
    }
    outcomes
}

/// Maps whose arenas are, or may be, there at the same time: planners of one process, and subgraphs of one model. Only where
/// there are several.
fn families<'a>(maps: &[(usize, &'a MemoryMap)]) -> Vec<(String, Vec<(usize, &'a MemoryMap)>)> {
    #[derive(PartialEq)]
    enum Key {
        Process(u64),
        File(usize),
    }
    let mut families: Vec<(Key, Vec<(usize, &MemoryMap)>)> = Vec::new();
    for &(input, map) in maps {
        let key = match map.origin {
            Origin::Recording { pid, .. } => Key::Process(pid),
            Origin::Model { .. } | Origin::Table => Key::File(input),
        };
        // In containers each run has the same number: the planner that is there already is one of another run.
        let is_another = |family: &[(usize, &MemoryMap)]| family.iter().all(|(_, other)| other.origin != map.origin);
        match families.iter_mut().rfind(|(known, family)| *known == key && is_another(family)) {
            Some((_, family)) => family.push((input, map)),
            None => families.push((key, vec![(input, map)])),
        }
    }
    let titled = |(key, family): (Key, Vec<_>)| {
        let title = match key {
            Key::Process(pid) => format!("{} planners of process {pid}", family.len()),
            Key::File(_) => format!("{} subgraphs", family.len()),
        };
        (family.len() > 1).then_some((title, family))
    };
    families.into_iter().filter_map(titled).collect()
}

/// What a rule is asked of.
struct Subject {
    input: usize,
    title: String,
    /// The beginning of a sentence about its bytes.
    has: &'static str,
}

impl Subject {
    fn bytes(&self, rule: &'static str, limit: usize, found: usize) -> Outcome {
        let has = format!("{} {} bytes", self.has, grouped(found));
        let text = if found <= limit {
            format!("{has}, {} are allowed", grouped(limit))
        } else {
            format!("{has}, {} more than the {} that are allowed", grouped(found - limit), grouped(limit))
        };
        Outcome {
            limit: Some(Amount::Bytes(limit)),
            found: Some(Amount::Bytes(found)),
            ..outcome(rule, self.input, &self.title, found <= limit, text)
        }
    }
}

fn outcome(rule: &'static str, input: usize, subject: &str, passed: bool, text: String) -> Outcome {
    let subject = subject.to_owned();
    let (limit, found, tensors, nodes, bytes) = (None, None, Vec::new(), None, None);
    Outcome { rule, input, subject, passed, limit, found, text, tensors, nodes, bytes }
}

fn gap(input: usize, map: &MemoryMap, limit: f64) -> Outcome {
    let found = map.totals.gap_percent();
    let text = format!(
        "the arena is {:.2} % {} the lower bound of {} bytes, {limit} % are allowed",
        found.abs(),
        if found < 0.0 { "below" } else { "above" },
        grouped(map.totals.lower_bound)
    );
    Outcome {
        limit: Some(Amount::Percent(limit)),
        found: Some(Amount::Percent(found)),
        ..outcome("max-gap", input, &map.title, found <= limit, text)
    }
}

fn validated(input: usize, map: &MemoryMap) -> Vec<Outcome> {
    let verdict = validate(map);
    let name = |&tensor: &usize| TensorName { tensor, name: map.network.tensors[tensor].name.clone() };
    let mut outcomes: Vec<Outcome> = verdict
        .faults
        .iter()
        .map(|fault| Outcome {
            tensors: fault.tensors.iter().map(name).collect(),
            nodes: fault.nodes.as_ref().map(|nodes| [*nodes.start(), *nodes.end()]),
            bytes: fault.bytes.as_ref().map(|bytes| [bytes.start, bytes.end]),
            ..outcome("validate", input, &map.title, false, fault.text.clone())
        })
        .collect();
    if outcomes.is_empty() {
        let count = map.places.iter().flatten().count();
        let mut text = format!("no data is lost in the places of {count} tensors");
        verdict.notes.iter().for_each(|note| text += &format!("; {note}"));
        outcomes.push(outcome("validate", input, &map.title, true, text));
    }
    outcomes
}

/// All outcomes, for programs.
#[must_use]
pub fn json(outcomes: &[Outcome]) -> String {
    #[derive(Serialize)]
    struct Report<'a> {
        passed: bool,
        outcomes: &'a [Outcome],
    }
    let report = Report { passed: outcomes.iter().all(|outcome| outcome.passed), outcomes };
    // Numbers and texts can always be written.
    serde_json::to_string_pretty(&report).unwrap_or_default()
}
