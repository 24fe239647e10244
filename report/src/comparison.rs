//! What changed between two maps.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;

use arena_planner::{Arena, END};

use crate::map::{MemoryMap, Node, Place, Tensor};
use crate::picture::indices;

/// What changed between two maps of the same network, or of two versions of it.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What is compared: before, and after.
    pub titles: [String; 2],
    /// Sums; all are told, those that did not change too.
    pub totals: Vec<Total>,
    /// Where most bytes are needed, before and after.
    pub peaks: [Peak; 2],
    /// What lies highest in the arena and so gives it its size, before and after; `None` where it is empty.
    pub highest: [Option<Highest>; 2],
    /// Tensors that are not as they were: first those that add most to the arena's peak and the persistent tensors, then those
    /// that take most away, then others.
    pub tensors: Vec<TensorChange>,
    /// Operators that there are more or fewer of; those that changed most first.
    pub operators: Vec<OperatorChange>,
}

/// A sum, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Total {
    /// Which one, by its name in [`Totals`](crate::map::Totals).
    pub name: &'static str,
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
}

/// The first node at which most bytes are needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Peak {
    /// The node, or the step of a table.
    pub node: usize,
    /// What the input calls it: a table has its own times.
    pub time: u64,
    /// What it does; empty of a table.
    pub op: String,
    /// The bytes.
    pub bytes: usize,
}

/// The tensor whose bytes end last in the arena.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Highest {
    /// Its number.
    pub tensor: usize,
    /// Its name, which may be empty.
    pub name: String,
    /// Where its bytes begin.
    pub offset: usize,
    /// How many there are.
    pub bytes: usize,
}

/// A tensor that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TensorChange {
    /// Its name, which may be empty.
    pub name: String,
    /// What changed.
    pub changes: Vec<Change>,
    /// `None` where it is new.
    pub before: Option<State>,
    /// `None` where it is gone.
    pub after: Option<State>,
    /// Bytes that it adds to those needed at the peak, or takes away.
    pub peak: i64,
    /// Bytes that it adds to the persistent tensors, or takes away.
    pub persistent: i64,
}

/// What can change about a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It was not there.
    Appeared,
    /// It is no longer there.
    Went,
    /// It has more bytes.
    Grew,
    /// It has fewer bytes.
    Shrank,
    /// Its bytes are needed at more nodes.
    LivesLonger,
    /// Its bytes are needed at fewer nodes.
    LivesShorter,
    /// It is of another kind: constant, persistent and the like.
    Kind,
    /// It no longer takes over the bytes of another tensor, or does now.
    Sharing,
    /// It lies elsewhere.
    Moved,
}

/// A tensor as it was or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Its number.
    pub tensor: usize,
    /// Its size.
    pub bytes: usize,
    /// Its `TfLiteAllocationType`.
    pub allocation_type: i32,
    /// Where it lies, if it has a place in an arena.
    pub offset: Option<usize>,
    /// At how many nodes its bytes are needed, those to the end of the graph where they are never given back.
    pub nodes: Option<usize>,
    /// Whether they are never given back.
    pub kept: bool,
    /// Whether the bytes are another tensor's.
    pub shares: bool,
}

/// An operator that there are more or fewer of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperatorChange {
    /// Its name.
    pub op: String,
    /// How many nodes there were.
    pub before: usize,
    /// How many there are.
    pub after: usize,
}

impl Comparison {
    /// Compares two maps. Tensors are the same where their names are; of several with one name, or with none, the first of one map
    /// is the first of the other, and so on. Of those whose names do not
    /// match, tensors of one size and kind are the same where the same node makes them.
    #[must_use]
    pub fn new(before: &MemoryMap, after: &MemoryMap) -> Comparison {
        let peaks = [peak(before), peak(after)];
        let mut tensors: Vec<_> = pairs(before, after)
            .into_iter()
            .filter_map(|pair| change([before, after], [peaks[0].node, peaks[1].node], pair))
            .collect();
        tensors.sort_by_key(TensorChange::rank);
        Comparison {
            titles: [before.title.clone(), after.title.clone()],
            totals: totals(before, after),
            peaks,
            highest: [highest(before), highest(after)],
            tensors,
            operators: operators(before, after),
        }
    }

    /// Whether an arena takes more than before.
    #[must_use]
    pub fn is_larger(&self) -> bool {
        self.totals.iter().any(|total| matches!(total.name, "arena" | "persistent") && total.after > total.before)
    }
}

/// Comparisons of graphs in their order, for programs. What one side has more of is not compared, and so only counted.
#[must_use]
pub fn json(comparisons: &[Comparison], graphs: [usize; 2]) -> String {
    #[derive(Serialize)]
    struct Report<'a> {
        larger: bool,
        graphs: [usize; 2],
        comparisons: &'a [Comparison],
    }
    let report = Report { larger: comparisons.iter().any(Comparison::is_larger), graphs, comparisons };
    // Numbers and texts can always be written.
    serde_json::to_string_pretty(&report).unwrap_or_default()
}

impl TensorChange {
    /// What it adds, and takes away where it is negative.
    #[must_use]
    pub fn effect(&self) -> i64 {
        self.peak.saturating_add(self.persistent)
    }

    /// Whether it lies elsewhere, and nothing else is different.
    #[must_use]
    pub fn only_moved(&self) -> bool {
        self.changes == [Change::Moved] && self.effect() == 0
    }

    /// Whether neither it nor its part of the peak has other bytes than before.
    #[must_use]
    pub fn adds_nothing(&self) -> bool {
        let bytes = |state: Option<State>| state.map_or(0, |state| state.bytes);
        self.effect() == 0 && bytes(self.before) == bytes(self.after) && !self.changes.contains(&Change::Kind)
    }

    fn rank(&self) -> impl Ord + use<> {
        let effect = self.effect();
        let bytes = |state: Option<State>| state.map_or(0, |state| state.bytes);
        let group = match effect {
            1.. => 0,
            ..0 => 1,
            0 => 2 + u8::from(self.adds_nothing()) + u8::from(self.only_moved()),
        };
        (group, Reverse(effect.unsigned_abs()), Reverse(bytes(self.after).abs_diff(bytes(self.before))))
    }
}

fn peak(map: &MemoryMap) -> Peak {
    let (node, bytes) = map.peak();
    Peak {
        node,
        time: map.time(node),
        op: map.network.nodes.get(node).map(ToString::to_string).unwrap_or_default(),
        bytes,
    }
}

fn highest(map: &MemoryMap) -> Option<Highest> {
    // Of several, the first.
    let (tensor, place) = map
        .owners(Arena::Rw)
        .filter(|(_, place)| place.size > 0)
        .max_by_key(|&(at, place)| (place.end(), Reverse(at)))?;
    let name = map.network.tensors[tensor].name.clone();
    Some(Highest { tensor, name, offset: place.offset, bytes: place.size })
}

fn totals(before: &MemoryMap, after: &MemoryMap) -> Vec<Total> {
    let (before, after) = (&before.totals, &after.totals);
    [
        ("arena", before.arena, after.arena),
        ("lower_bound", before.lower_bound, after.lower_bound),
        ("naive", before.naive, after.naive),
        ("persistent", before.persistent, after.persistent),
        ("padding", before.padding, after.padding),
    ]
    .map(|(name, before, after)| Total { name, before, after })
    .into()
}

/// The numbers of the same tensor before and after, of which at least one is there.
type Pair = [Option<usize>; 2];

fn pairs(before: &MemoryMap, after: &MemoryMap) -> Vec<Pair> {
    // By name, those of the first map that have not been met in the second one so far, the first of them last.
    let mut waiting: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, tensor) in before.network.tensors.iter().enumerate().rev() {
        waiting.entry(&tensor.name).or_default().push(number);
    }
    let mut of_name = |tensor: &Tensor| waiting.get_mut(tensor.name.as_str()).and_then(Vec::pop);
    let mut matches: Vec<_> = after.network.tensors.iter().map(&mut of_name).collect();
    let mut met = vec![false; before.network.tensors.len()];
    matches.iter().flatten().for_each(|&same| met[same] = true);
    match_unnamed([before, after], &mut matches, &mut met);
    let gone = met.iter().enumerate().filter(|(_, met)| !**met).map(|(number, _)| [Some(number), None]);
    let after = matches.iter().enumerate().map(|(number, &same)| [same, Some(number)]);
    after.chain(gone).collect()
}

/// A runtime has other names than a model's file for what it makes itself, and even for some that the file has: those that no name
/// has matched are the same where an operator in the same place makes them, and their size and kind are the same.
fn match_unnamed([before, after]: [&MemoryMap; 2], matches: &mut [Option<usize>], met: &mut [bool]) {
    let made = |node: &Node| indices(&node.outputs).chain(indices(&node.temporaries)).collect::<Vec<_>>();
    let like = |map: &MemoryMap, tensor: usize| (map.network.tensors[tensor].bytes, map.network.tensors[tensor].kind);
    for (then, now) in before.network.nodes.iter().zip(&after.network.nodes) {
        if (&then.op, &then.custom) != (&now.op, &now.custom) {
            continue;
        }
        let candidates = made(then);
        for tensor in made(now) {
            if matches[tensor].is_some() {
                continue;
            }
            let is_it = |&&other: &&usize| !met[other] && like(before, other) == like(after, tensor);
            if let Some(&other) = candidates.iter().find(is_it) {
                matches[tensor] = Some(other);
                met[other] = true;
            }
        }
    }
}

fn change(maps: [&MemoryMap; 2], peaks: [usize; 2], pair: Pair) -> Option<TensorChange> {
    let states = [0, 1].map(|side| Some(state(maps[side], pair[side]?)));
    let changes = match states {
        [None, Some(_)] => vec![Change::Appeared],
        [Some(_), None] => vec![Change::Went],
        [Some(before), Some(after)] => changes(&before, &after),
        [None, None] => Vec::new(),
    };
    let share = |side: usize, of: fn(&MemoryMap, usize, usize) -> usize| {
        i64::try_from(pair[side].map_or(0, |tensor| of(maps[side], peaks[side], tensor))).unwrap_or(i64::MAX)
    };
    let [peak, persistent] = [at_peak, persistent].map(|of| share(1, of) - share(0, of));
    let name = |side: usize| pair[side].map(|tensor| maps[side].network.tensors[tensor].name.clone());
    let name = name(1).or_else(|| name(0)).unwrap_or_default();
    let [before, after] = states;
    (!changes.is_empty() || peak != 0).then_some(TensorChange { name, changes, before, after, peak, persistent })
}

fn changes(before: &State, after: &State) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut note = |is_so: bool, change| changes.extend(is_so.then_some(change));
    note(after.bytes > before.bytes, Change::Grew);
    note(after.bytes < before.bytes, Change::Shrank);
    note(after.allocation_type != before.allocation_type, Change::Kind);
    if let (Some(nodes), Some(now)) = (before.nodes, after.nodes) {
        // To the end is to the end, however many nodes there are.
        let both_kept = before.kept && after.kept;
        note(!both_kept && now > nodes, Change::LivesLonger);
        note(!both_kept && now < nodes, Change::LivesShorter);
        note(after.shares != before.shares, Change::Sharing);
    }
    note(after.offset != before.offset, Change::Moved);
    changes
}

fn state(map: &MemoryMap, tensor: usize) -> State {
    let &Tensor { bytes, kind, .. } = &map.network.tensors[tensor];
    let place = map.places[tensor];
    State {
        tensor,
        bytes,
        allocation_type: kind.number(),
        offset: place.map(|place| place.offset),
        nodes: place.map(|place| lifetime(map, &place)),
        kept: place.is_some_and(|place| place.is_kept()),
        shares: place.is_some_and(|place| place.root != tensor),
    }
}

fn lifetime(map: &MemoryMap, place: &Place) -> usize {
    let end =
        if place.last_node == END { map.steps } else { usize::try_from(place.last_node).map_or(0, |last| last + 1) };
    end.saturating_sub(usize::try_from(place.first_node).unwrap_or(0))
}

/// The bytes of its own that a tensor has at the peak.
fn at_peak(map: &MemoryMap, peak: usize, tensor: usize) -> usize {
    let needed = own(map, tensor, Arena::Rw).and_then(|_| map.needed_at(peak, tensor));
    needed.map_or(0, |bytes| map.rounded_up(bytes))
}

fn persistent(map: &MemoryMap, _: usize, tensor: usize) -> usize {
    own(map, tensor, Arena::Persistent).map_or(0, |place| map.rounded_up(place.size))
}

fn own(map: &MemoryMap, tensor: usize, arena: Arena) -> Option<Place> {
    map.places[tensor].filter(|place| place.arena == arena && place.root == tensor)
}

fn operators(before: &MemoryMap, after: &MemoryMap) -> Vec<OperatorChange> {
    let mut counts: HashMap<String, [usize; 2]> = HashMap::new();
    for (side, map) in [before, after].into_iter().enumerate() {
        for node in &map.network.nodes {
            counts.entry(node.to_string()).or_default()[side] += 1;
        }
    }
    let mut changes: Vec<_> = counts
        .into_iter()
        .filter(|(_, [before, after])| before != after)
        .map(|(op, [before, after])| OperatorChange { op, before, after })
        .collect();
    changes.sort_by_key(|change| (Reverse(change.after.abs_diff(change.before)), change.op.clone()));
    changes
}
