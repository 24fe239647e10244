//! Judges the places of a map, whoever made them, by judges that share no code with the planner.
//!
//! The validator compares the bytes of tensors that are needed at the same time, by the lifetimes that the map has. The shadow
//! run executes the graph on simulated memory, and so also finds what lifetimes, or bytes shared by right, that are themselves
//! wrong would spoil. It knows one plan, executed from the first node to the last: where places changed in mid-run, the last
//! ones are judged as if they had been there from the start.

use std::ops::{Range, RangeInclusive};

use arena_packer::packing::Problem;
use arena_packer::validate::{Clash, Placed};
use arena_planner::shadow::{self, Moment, Shadow, Trouble};
use arena_planner::{Arena, Bytes, END};

use crate::judge;
use crate::map::{Kind, MemoryMap, Network, Place, Tensor};
use crate::numbers::grouped;
use crate::planning::{Buffers, Script, Step};

/// More are not told: one wrong offset can make hundreds.
const MOST_FAULTS: usize = 10;

/// What the judges found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What is wrong; nothing where all is well.
    pub faults: Vec<Fault>,
    /// What was not judged, as whole sentences.
    pub notes: Vec<String>,
}

/// A place at which data would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A whole sentence.
    pub text: String,
    /// The tensors that clash, or the one that is wrong by itself.
    pub tensors: Vec<usize>,
    /// The nodes at which they do; `None` of a table, which has times instead.
    pub nodes: Option<RangeInclusive<i32>>,
    /// The bytes of the arena that they clash in.
    pub bytes: Option<Range<usize>>,
}

/// Judges all places of a map.
#[must_use]
pub fn validate(map: &MemoryMap) -> Verdict {
    let mut verdict = Verdict::default();
    match &map.script {
        Script::Table(buffers) => verdict.faults = overlaps(map, Arena::Rw, buffers.placed(map)),
        Script::Calls(calls) => {
            for arena in [Arena::Rw, Arena::Persistent] {
                verdict.faults.extend(overlaps(map, arena, placed(map, arena)));
            }
            if let Some(nodes) = executed(&calls.steps, map.network.nodes.len()) {
                verdict.faults.extend(shadow_run(map, nodes));
            }
            verdict.notes = notes(map, &calls.steps);
        }
    }
    verdict
}

fn notes(map: &MemoryMap, steps: &[Step]) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(difference) = &map.not_replayed {
        notes.push(format!("the recording is not what was recorded, or by another version: {difference}"));
    }
    let executions = steps.iter().filter(|step| matches!(step, Step::Execute { failed: false, .. })).count();
    if executions > 1 {
        notes.push(format!(
            "places were given in {executions} executions; what is judged is where the tensors lay after the last one, not \
             what lay where before"
        ));
    }
    match executed(steps, map.network.nodes.len()) {
        None => notes.push("nothing was given a place".to_owned()),
        Some(nodes) if nodes < map.network.nodes.len() => {
            notes.push(format!(
                "the shadow run ends before {}: what follows was given no places",
                node_name(map, nodes)
            ));
        }
        Some(_) => {}
    }
    notes
}

/// How many nodes, from the first on, have places for all that they use; `None` where nothing was executed.
fn executed(steps: &[Step], nodes: usize) -> Option<usize> {
    let behind = |node: i32| usize::try_from(i64::from(node) + 1).unwrap_or(0).min(nodes);
    steps.iter().fold(None, |executed, step| match step {
        Step::Execute { first, last, failed: false, .. } if behind(*first) <= executed.unwrap_or(0) + 1 => {
            executed.max(Some(behind(*last)))
        }
        Step::Execute { .. } => executed,
        Step::Reset => None,
        Step::ResetAfter(node) => executed.min(Some(behind(*node))),
    })
}

fn placed(map: &MemoryMap, arena: Arena) -> Vec<Placed> {
    let alignment = map.options.alignment;
    map.owners(arena)
        .map(|(id, place)| {
            let &Place { offset, size, .. } = place;
            // What is kept from run to run needs its bytes at all nodes, whatever its place says.
            let (first_node, last_node) = match map.network.tensors[id].kind {
                Kind::Persistent => (0, END),
                _ => (place.first_node, place.last_node),
            };
            Placed { id, first_node, last_node, offset, size, alignment }
        })
        .collect()
}

impl Buffers {
    fn placed(&self, map: &MemoryMap) -> Vec<Placed> {
        let offset = |place: &Option<Place>| Bytes(place.map_or(0, |place| place.offset));
        let offsets: Vec<Bytes> = map.places.iter().map(offset).collect();
        judge::placed(&Problem { buffers: &self.buffers, gaps: &self.gaps }, &offsets)
    }
}

/// What the validator says, again and again, each time without one of those that clashed before.
fn overlaps(map: &MemoryMap, arena: Arena, mut placed: Vec<Placed>) -> Vec<Fault> {
    let mut faults = Vec::new();
    while faults.len() < MOST_FAULTS
        && let Err(clash) = judge::all(placed.clone(), usize::MAX)
    {
        let out = match clash {
            Clash::Overlap { second, .. } => second,
            Clash::Misaligned { id }
            | Clash::OutOfArena { id, .. }
            | Clash::Overflow { id }
            | Clash::NeverAlive { id } => id,
        };
        placed.retain(|placed| placed.id != out);
        faults.push(overlap(map, arena, clash));
    }
    faults
}

fn overlap(map: &MemoryMap, arena: Arena, clash: Clash) -> Fault {
    let alone = |id: usize, text: &str| Fault {
        text: format!("{} {text}", map.name(id)),
        tensors: vec![id],
        nodes: None,
        bytes: map.places[id].map(|place| place.offset..place.end()),
    };
    match clash {
        Clash::Overlap { first, second, bytes, nodes } => {
            let (when, nodes) = if map.network.nodes.is_empty() {
                ("at the same time".to_owned(), None)
            } else {
                (span(map, &nodes), Some(nodes))
            };
            let both = format!("{} and {} both need", map.name(first), map.name(second));
            let text = format!("{both} {} of the {} {when}", range(&bytes), name(arena));
            Fault { text, tensors: vec![first, second], nodes, bytes: Some(bytes) }
        }
        Clash::Misaligned { id } => {
            let place = map.places[id].map_or(0, |place| place.offset);
            let alignment = map.alignment_of(id);
            alone(id, &format!("lies at byte {}, no multiple of {alignment}", grouped(place)))
        }
        Clash::OutOfArena { id, .. } | Clash::Overflow { id } => alone(id, "ends beyond the address space"),
        Clash::NeverAlive { id } => alone(id, "is given back before it is needed"),
    }
}

impl MemoryMap {
    fn alignment_of(&self, tensor: usize) -> usize {
        match &self.script {
            Script::Table(table) => table.buffers.get(tensor).map_or(1, |buffer| buffer.alignment.get()),
            Script::Calls(_) => self.options.alignment,
        }
    }
}

/// Runs so many nodes. A node at which something is lost writes nothing, so that one fault is not told of each later node.
fn shadow_run(map: &MemoryMap, nodes: usize) -> Vec<Fault> {
    let places: Vec<_> = map
        .places
        .iter()
        .map(|place| {
            place.map(|place| {
                let arena = match place.arena {
                    Arena::Rw => shadow::Arena::Rw,
                    Arena::Persistent => shadow::Arena::Persistent,
                };
                shadow::Place { arena, offset: place.offset, size: place.size }
            })
        })
        .collect();
    let mut run = Shadow::new(shadow_graph(&map.network));
    let mut faults = Vec::new();
    let mut note = |done: Result<(), shadow::Fault>| match done {
        Err(fault) if faults.len() < MOST_FAULTS => faults.push(lost(map, &fault)),
        _ => {}
    };
    note(run.begin(&places));
    for node in 0..nodes {
        note(run.step(node, &places));
    }
    if nodes == map.network.nodes.len() {
        if map.options.preserve_all_tensors {
            let written: Vec<i32> = map.network.nodes.iter().flat_map(|node| node.outputs.iter().copied()).collect();
            run.graph.outputs.extend(written);
        }
        if !map.options.preserve_inputs {
            run.graph.inputs.clear();
        }
        let kept = |(_, tensor): &(i32, &Tensor)| tensor.kind == Kind::Persistent;
        run.graph.outputs.extend((0..).zip(&map.network.tensors).filter(kept).map(|(tensor, _)| tensor));
        note(run.finish(&places));
    }
    faults
}

fn shadow_graph(network: &Network) -> shadow::Graph {
    let tensors = network.tensors.iter().map(|tensor| shadow::Tensor {
        bytes: tensor.bytes,
        kind: match tensor.kind {
            Kind::ArenaRw => shadow::Kind::ArenaRw,
            Kind::Persistent => shadow::Kind::Persistent,
            _ => shadow::Kind::Elsewhere,
        },
    });
    let nodes = network.nodes.iter().map(|node| shadow::Node {
        inputs: node.inputs.clone(),
        outputs: node.outputs.clone(),
        temporaries: node.temporaries.clone(),
        inplace: node.inplace,
    });
    shadow::Graph {
        tensors: tensors.collect(),
        nodes: nodes.collect(),
        inputs: network.inputs.clone(),
        outputs: network.outputs.clone(),
        variables: network.variables.clone(),
    }
}

fn lost(map: &MemoryMap, fault: &shadow::Fault) -> Fault {
    let &shadow::Fault { at, tensor, trouble } = fault;
    let needed = format!("{} is needed {}", map.name(tensor), when(map, at));
    let own = map.places[tensor];
    let nodes = match at {
        Moment::Node(node) => i32::try_from(node).ok().map(|node| node..=node),
        Moment::Start | Moment::End => None,
    };
    let mut fault =
        Fault { text: String::new(), tensors: vec![tensor], nodes, bytes: own.map(|own| own.offset..own.end()) };
    fault.text = match trouble {
        Trouble::Unplaced => format!("{needed}, but has no place"),
        Trouble::TooSmall => format!(
            "{needed} with {} bytes, but has a place of {}",
            grouped(map.network.tensors[tensor].bytes),
            grouped(own.map_or(0, |own| own.size))
        ),
        Trouble::OutOfReach => format!("{needed}, but ends beyond the address space"),
        Trouble::Lost { expected, found: None } => {
            format!("{needed}, but nothing was written to its byte {}", expected.index)
        }
        Trouble::Lost { expected, found: Some(found) } => {
            let writer = found.value.tensor;
            fault.tensors.push(writer);
            if let Some((own, other)) = own.zip(map.places[writer]) {
                fault.bytes = Some(own.offset.max(other.offset)..own.end().min(other.end()));
            }
            let arena = name(own.map_or(Arena::Rw, |own| own.arena));
            let bytes = fault.bytes.as_ref().map_or_else(|| format!("byte {}", expected.index), range);
            let written = when(map, found.value.written);
            format!("{needed}, but in {bytes} of the {arena} it was overwritten by {}, {written}", map.name(writer))
        }
    };
    fault
}

fn when(map: &MemoryMap, moment: Moment) -> String {
    match moment {
        Moment::Start => "before the first node".to_owned(),
        Moment::Node(node) => format!("at {}", node_name(map, node)),
        Moment::End => "after the last node".to_owned(),
    }
}

fn span(map: &MemoryMap, nodes: &RangeInclusive<i32>) -> String {
    let name = |node: i32| node_name(map, usize::try_from(node).unwrap_or(0));
    match (*nodes.start(), *nodes.end()) {
        (first, last) if first == last => format!("at {}", name(first)),
        (first, END) => format!("from {} to the end", name(first)),
        (first, last) => format!("from {} to {}", name(first), name(last)),
    }
}

/// Its number, and what it does.
fn node_name(map: &MemoryMap, node: usize) -> String {
    match map.network.nodes.get(node) {
        Some(op) => format!("node {node} ({op})"),
        None => format!("node {node}"),
    }
}

fn range(bytes: &Range<usize>) -> String {
    format!("bytes {} to {}", grouped(bytes.start), grouped(bytes.end.saturating_sub(1)))
}

fn name(arena: Arena) -> &'static str {
    match arena {
        Arena::Rw => "arena",
        Arena::Persistent => "arena of persistent tensors",
    }
}
