//! Reads a recording, which docs/record.md describes: all of it is checked, and the recorded calls are made again.

use arena_planner::{Arena, END};
use serde::Deserialize;

use super::Refusal;
use crate::map::{Call, Event, Kind, MemoryMap, Network, Node, Options, Origin, Place, Tensor, Totals};
use crate::planning::{Calls, Script, Step};
use crate::strategy::Strategy;

/// The version of the format.
const VERSION: u64 = 1;

/// Numbers of `TfLiteType`, by value.
const DATA_TYPES: [&str; 20] = [
    "",
    "FLOAT32",
    "INT32",
    "UINT8",
    "INT64",
    "STRING",
    "BOOL",
    "INT16",
    "COMPLEX64",
    "INT8",
    "FLOAT16",
    "FLOAT64",
    "COMPLEX128",
    "UINT64",
    "RESOURCE",
    "VARIANT",
    "UINT32",
    "UINT16",
    "INT4",
    "BFLOAT16",
];

/// Looked at first, so that a file of another version is told from one that is damaged.
#[derive(Deserialize)]
struct Version {
    tflite_arena_recording: u64,
}

#[derive(Deserialize)]
struct File {
    pid: u64,
    planner: u64,
    subgraph: i64,
    options: FileOptions,
    tensors: Vec<FileTensor>,
    nodes: Vec<FileNode>,
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    variables: Vec<i32>,
    events: Vec<FileEvent>,
    totals: FileTotals,
}

#[derive(Deserialize)]
struct FileOptions {
    strategy: Strategy,
    alignment: usize,
    preserve_all_tensors: bool,
    preserve_inputs: bool,
    replace_range: bool,
}

#[derive(Deserialize)]
struct FileTensor {
    name: String,
    #[serde(rename = "type")]
    data_type: i32,
    shape: Option<Vec<i32>>,
    bytes: usize,
    allocation_type: i32,
    place: Option<FilePlace>,
}

#[derive(Deserialize)]
struct FilePlace {
    arena: i32,
    offset: usize,
    size: usize,
    first: i32,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    last: Option<i32>,
    root: usize,
}

#[derive(Deserialize)]
struct FileNode {
    op: String,
    custom: Option<String>,
    inplace: u64,
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    temporaries: Vec<i32>,
}

#[derive(Deserialize)]
struct FileTotals {
    naive: usize,
    arena: usize,
    lower_bound: usize,
    persistent: usize,
    padding: usize,
    placed: usize,
}

#[derive(Deserialize)]
struct FileEvent {
    ns: Option<u64>,
    arena: usize,
    persistent: usize,
    #[serde(flatten)]
    call: FileCall,
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum FileCall {
    Create,
    Plan {
        sizes: Option<Vec<(usize, i32)>>,
    },
    Execute {
        first: i32,
        last: i32,
        #[serde(flatten)]
        deltas: FileDeltas,
    },
    Grow {
        of: i32,
        before: usize,
        after: usize,
    },
    Reset,
    ResetAfter {
        node: i32,
    },
    Release,
    Acquire,
    Error {
        call: String,
        status: i64,
        text: String,
        #[serde(flatten)]
        deltas: FileDeltas,
    },
}

/// What has changed since the event before.
#[derive(Default, Deserialize)]
struct FileDeltas {
    changed: Option<Vec<(usize, usize, i32)>>,
    temporaries: Option<Vec<(usize, Vec<i32>)>>,
}

/// Reads a recording. `title` is what to call it.
///
/// # Errors
///
/// It is no recording of a version that is known here, or does not fit together: the text says where.
pub(super) fn read(content: &[u8], title: &str) -> Result<MemoryMap, Refusal> {
    let malformed = |error: serde_json::Error| Refusal::new(error.to_string());
    let Version { tflite_arena_recording: version } = serde_json::from_slice(content).map_err(malformed)?;
    if version != VERSION {
        let text = format!("version {version} of the format is not known here, only {VERSION} is");
        return Err(Refusal::at("tflite_arena_recording", text));
    }
    let file: File = serde_json::from_slice(content).map_err(malformed)?;
    map(file, title)
}

fn map(file: File, title: &str) -> Result<MemoryMap, Refusal> {
    let File { pid, planner, subgraph, options, tensors, nodes, inputs, outputs, variables, events, totals } = file;
    let options = Options {
        strategy: Some(options.strategy),
        alignment: options.alignment,
        preserve_all_tensors: options.preserve_all_tensors,
        preserve_inputs: options.preserve_inputs,
        replace_range: options.replace_range,
    };
    if !options.alignment.is_power_of_two() {
        return Err(Refusal::at("options.alignment", format!("{} is not a power of two", options.alignment)));
    }
    let recorded: Vec<_> = tensors.iter().map(|tensor| tensor.place.as_ref().map(FilePlace::place)).collect();
    let network = Network {
        tensors: tensors.into_iter().map(FileTensor::tensor).collect(),
        nodes: nodes.into_iter().map(FileNode::node).collect(),
        inputs,
        outputs,
        variables,
    };
    check_indices(&network)?;
    let recorded = check_places(&network, recorded)?;
    let (events, calls) = history(&network, events)?;
    let steps = network.nodes.len().max(1);
    let mut map = MemoryMap {
        title: title.to_owned(),
        origin: Origin::Recording { pid, planner, subgraph },
        options,
        network,
        steps,
        places: Vec::new(),
        gaps: Vec::new(),
        totals: Totals::default(),
        events,
        unknowns: Vec::new(),
        not_replayed: None,
        script: Script::Calls(calls),
    };
    map.set_places(recorded)?;
    check_totals(&map.totals, &totals)?;
    map.not_replayed = difference(&map)?;
    Ok(map)
}

/// What the calls do now, where that is not what they did.
fn difference(map: &MemoryMap) -> Result<Option<String>, Refusal> {
    let Script::Calls(calls) = &map.script else { return Ok(None) };
    if calls.planned.is_empty() && calls.steps.is_empty() {
        return Ok(None);
    }
    let replayed = map.by_own_strategy().map_err(|refusal| Refusal::at("events", refusal))?;
    let other = (0..map.places.len()).find(|&tensor| map.places[tensor] != replayed.places[tensor]);
    Ok(other.map(|tensor| {
        let lies = |place: Option<Place>| match place {
            Some(Place { offset, size, first_node, last_node, .. }) => {
                let last = if last_node == END { "the end".to_owned() } else { last_node.to_string() };
                format!("at offset {offset} with {size} bytes from node {first_node} to {last}")
            }
            None => "nowhere".to_owned(),
        };
        format!(
            "{} lies {} in the recording, but {} when the recorded calls are made again",
            map.name(tensor),
            lies(map.places[tensor]),
            lies(replayed.places[tensor])
        )
    }))
}

impl MemoryMap {
    fn by_own_strategy(&self) -> Result<MemoryMap, Refusal> {
        self.replanned(self.options)
    }
}

fn check_indices(network: &Network) -> Result<(), Refusal> {
    let count = network.tensors.len();
    let check = |place: &dyn Fn() -> String, list: &[i32]| match list
        .iter()
        .position(|&tensor| tensor != -1 && usize::try_from(tensor).map_or(true, |tensor| tensor >= count))
    {
        Some(at) => Err(Refusal::at(
            format!("{}[{at}]", place()),
            format!("there is no tensor {}, there are {count}", list[at]),
        )),
        None => Ok(()),
    };
    for (name, list) in [("inputs", &network.inputs), ("outputs", &network.outputs), ("variables", &network.variables)]
    {
        check(&|| name.to_owned(), list)?;
    }
    for (at, node) in network.nodes.iter().enumerate() {
        for (name, list) in [("inputs", &node.inputs), ("outputs", &node.outputs), ("temporaries", &node.temporaries)] {
            check(&|| format!("nodes[{at}].{name}"), list)?;
        }
    }
    Ok(())
}

/// Places that make sense one by one. Whether they keep apart what must be apart is not looked at here.
fn check_places(
    network: &Network,
    recorded: Vec<Option<Result<Place, String>>>,
) -> Result<Vec<Option<Place>>, Refusal> {
    let nodes = network.nodes.len() as i64;
    let (mut places, mut sum) = (Vec::new(), 0usize);
    for (tensor, place) in recorded.into_iter().enumerate() {
        let at = |text: String| Refusal::at(format!("tensors[{tensor}].place"), text);
        let Some(place) = place.transpose().map_err(at)? else {
            places.push(None);
            continue;
        };
        let Place { root, first_node, last_node, .. } = place;
        if root >= network.tensors.len() {
            return Err(at(format!("there is no tensor {root}, there are {}", network.tensors.len())));
        }
        if place.offset.checked_add(place.size).is_none_or(|end| end > isize::MAX as usize) {
            return Err(at("it ends beyond the address space".into()));
        }
        sum = sum
            .checked_add(place.size)
            .filter(|&sum| sum <= isize::MAX as usize)
            .ok_or_else(|| at("the places up to here exceed the address space".into()))?;
        if first_node < 0 || i64::from(first_node) >= nodes.max(1) {
            return Err(at(format!("there is no node {first_node}, there are {nodes}")));
        }
        if last_node < first_node || last_node != END && i64::from(last_node) >= nodes {
            return Err(at(format!("{last_node} is no last node for a tensor that begins at {first_node}")));
        }
        places.push(Some(place));
    }
    for (tensor, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        let root = places[place.root].filter(|root| root.root == place.root);
        if root.is_none_or(|root| Place { root: root.root, ..root } != *place) {
            let text = format!("it takes over the bytes of tensor {}, which has not this place", place.root);
            return Err(Refusal::at(format!("tensors[{tensor}].place.root"), text));
        }
    }
    Ok(places)
}

fn check_totals(computed: &Totals, file: &FileTotals) -> Result<(), Refusal> {
    let &Totals { naive, arena, lower_bound, persistent, padding, placed } = computed;
    for (name, recorded, computed) in [
        ("naive", file.naive, naive),
        ("arena", file.arena, arena),
        ("lower_bound", file.lower_bound, lower_bound),
        ("persistent", file.persistent, persistent),
        ("padding", file.padding, padding),
        ("placed", file.placed, placed),
    ] {
        if recorded != computed {
            return Err(Refusal::at(
                format!("totals.{name}"),
                format!("{recorded} does not fit the places, which give {computed}"),
            ));
        }
    }
    Ok(())
}

/// The events, and the calls that made the places; checked to end in the tensors and nodes that are recorded.
fn history(network: &Network, events: Vec<FileEvent>) -> Result<(Vec<Event>, Calls), Refusal> {
    let last_plan = events.iter().rposition(|event| matches!(event.call, FileCall::Plan { .. }));
    let mut state = State { network, tensors: Vec::new(), temporaries: Vec::new(), calls: Calls::default() };
    let mut told = Vec::with_capacity(events.len());
    for (at, FileEvent { ns, arena, persistent, call }) in events.into_iter().enumerate() {
        let counts = last_plan.is_some_and(|plan| plan <= at);
        let call = state.take(call, counts).map_err(|refusal| Refusal::at(format!("events[{at}]"), refusal))?;
        told.push(Event { call, ns, arena, persistent });
    }
    if last_plan.is_some() {
        state.check_end()?;
    }
    Ok((told, state.calls))
}

/// What is known at an event.
struct State<'a> {
    network: &'a Network,
    tensors: Vec<(usize, Kind)>,
    /// By node.
    temporaries: Vec<Vec<i32>>,
    calls: Calls,
}

impl State<'_> {
    /// Takes in an event; one that does not count went before the last plan.
    fn take(&mut self, call: FileCall, counts: bool) -> Result<Call, Refusal> {
        Ok(match call {
            FileCall::Create => Call::Create,
            FileCall::Plan { sizes } => {
                if counts {
                    let sizes = sizes.ok_or_else(|| Refusal::new("the last plan has no sizes"))?;
                    if sizes.len() > self.network.tensors.len() {
                        let text =
                            format!("there are {} sizes for {} tensors", sizes.len(), self.network.tensors.len());
                        return Err(Refusal::at("sizes", text));
                    }
                    self.tensors = sizes.iter().map(|&(bytes, kind)| (bytes, Kind::from_number(kind))).collect();
                    self.temporaries = vec![Vec::new(); self.network.nodes.len()];
                    self.calls.planned.clone_from(&self.tensors);
                }
                Call::Plan
            }
            FileCall::Execute { first, last, deltas } => {
                if counts {
                    let (changed, temporaries) = self.change(deltas)?;
                    self.calls.steps.push(Step::Execute { first, last, failed: false, changed, temporaries });
                }
                Call::Execute { first, last }
            }
            FileCall::Grow { of, before, after } => Call::Grow { of: arena(of).map_err(Refusal::new)?, before, after },
            FileCall::Reset => {
                if counts {
                    self.calls.steps.push(Step::Reset);
                }
                Call::Reset
            }
            FileCall::ResetAfter { node } => {
                if counts {
                    self.calls.steps.push(Step::ResetAfter(node));
                }
                Call::ResetAfter { node }
            }
            FileCall::Release => Call::Release,
            FileCall::Acquire => Call::Acquire,
            FileCall::Error { call, status, text, deltas } => {
                if counts {
                    let (changed, temporaries) = self.change(deltas)?;
                    self.calls.steps.push(Step::Execute { first: 0, last: -1, failed: true, changed, temporaries });
                }
                Call::Error { call, status, text }
            }
        })
    }

    fn change(&mut self, deltas: FileDeltas) -> Result<(Vec<(usize, usize, Kind)>, Vec<(usize, Vec<i32>)>), Refusal> {
        let changed = deltas.changed.unwrap_or_default();
        let temporaries = deltas.temporaries.unwrap_or_default();
        let changed: Vec<_> =
            changed.into_iter().map(|(tensor, bytes, kind)| (tensor, bytes, Kind::from_number(kind))).collect();
        for (at, &(tensor, bytes, kind)) in changed.iter().enumerate() {
            let place = || format!("changed[{at}]");
            if tensor >= self.network.tensors.len() {
                let count = self.network.tensors.len();
                return Err(Refusal::at(place(), format!("there is no tensor {tensor}, there are {count}")));
            } else if let Some(known) = self.tensors.get_mut(tensor) {
                *known = (bytes, kind);
            } else if tensor == self.tensors.len() {
                self.tensors.push((bytes, kind));
            } else {
                let text = format!("tensor {tensor} is new, but the next new one is {}", self.tensors.len());
                return Err(Refusal::at(place(), text));
            }
        }
        for (at, (node, list)) in temporaries.iter().enumerate() {
            let Some(known) = self.temporaries.get_mut(*node) else {
                let text = format!("there is no node {node}, there are {}", self.temporaries.len());
                return Err(Refusal::at(format!("temporaries[{at}]"), text));
            };
            known.clone_from(list);
        }
        Ok((changed, temporaries))
    }

    /// The events lead to the tensors and nodes that are recorded.
    fn check_end(&self) -> Result<(), Refusal> {
        let tensors = &self.network.tensors;
        if self.tensors.len() != tensors.len() {
            let text = format!("there are {}, but {} after all events", tensors.len(), self.tensors.len());
            return Err(Refusal::at("tensors", text));
        }
        for (at, (tensor, &(bytes, kind))) in tensors.iter().zip(&self.tensors).enumerate() {
            if (tensor.bytes, tensor.kind) != (bytes, kind) {
                let text = format!(
                    "{} bytes of allocation type {}, but {bytes} of {} after all events",
                    tensor.bytes,
                    tensor.kind.number(),
                    kind.number()
                );
                return Err(Refusal::at(format!("tensors[{at}]"), text));
            }
        }
        for (at, (node, temporaries)) in self.network.nodes.iter().zip(&self.temporaries).enumerate() {
            if node.temporaries != *temporaries {
                let text = format!("{:?}, but {temporaries:?} after all events", node.temporaries);
                return Err(Refusal::at(format!("nodes[{at}].temporaries"), text));
            }
        }
        Ok(())
    }
}

fn arena(number: i32) -> Result<Arena, String> {
    Kind::from_number(number).arena().ok_or_else(|| format!("{number} is no arena: 2 and 3 are"))
}

impl FilePlace {
    fn place(&self) -> Result<Place, String> {
        let &FilePlace { arena: number, offset, size, first, last, root } = self;
        let (first_node, last_node) = (first, last.unwrap_or(END));
        Ok(Place { arena: arena(number)?, root, offset, size, first_node, last_node, previous: None })
    }
}

impl FileTensor {
    fn tensor(self) -> Tensor {
        let FileTensor { name, data_type, shape, bytes, allocation_type, place: _ } = self;
        let known = usize::try_from(data_type).ok().and_then(|number| DATA_TYPES.get(number));
        let data_type = known.map_or_else(|| format!("TYPE_{data_type}"), |&name| name.to_owned());
        Tensor { name, data_type, shape, bytes, kind: Kind::from_number(allocation_type) }
    }
}

impl FileNode {
    fn node(self) -> Node {
        let FileNode { op, custom, inplace, inputs, outputs, temporaries } = self;
        Node { op, custom, inplace, inputs, outputs, temporaries }
    }
}
