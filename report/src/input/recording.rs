//! Reads a recording, which docs/record.md describes: all of it is checked, and the recorded calls are made again.

mod file;
mod history;

use arena_planner::{Alignment, Bytes, END};

use super::Refusal;
use crate::map::{MemoryMap, Network, Options, Origin, Place, Totals};
use crate::planning::Script;
use file::{File, FileNode, FilePlace, FileTensor, FileTotals, Version};
use history::history;

/// The version of the format.
const VERSION: u64 = 1;

/// No byte of an arena lies further out.
const MOST_BYTES: usize = isize::MAX as usize;

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
    let alignment = Alignment::new(options.alignment)
        .map_err(|_| Refusal::at("options.alignment", format!("{} is not a power of two", options.alignment)))?;
    let recorded: Vec<_> = tensors.iter().map(|tensor| tensor.place.as_ref().map(FilePlace::place)).collect();
    let network = Network {
        tensors: tensors.into_iter().map(FileTensor::tensor).collect(),
        nodes: nodes.into_iter().map(FileNode::node).collect(),
        inputs,
        outputs,
        variables,
    };
    check_indices(&network)?;
    let places = check_places(&network, recorded, alignment)?;
    let (events, calls) = history(&network, events)?;
    let replayed = match &calls {
        Some(calls) => calls.places(&network, &options).map_err(|refusal| Refusal::at("events", refusal))?,
        None => vec![None; places.len()],
    };
    let other = (0..places.len()).find(|&tensor| places[tensor] != replayed[tensor]);
    let origin = Origin::Recording { pid, planner, subgraph };
    let script = Script::Calls(calls.unwrap_or_default());
    let mut map = MemoryMap { events, ..MemoryMap::unplaced(title, origin, options, network, script) };
    map.set_places(places)?;
    check_totals(&map.totals, &totals)?;
    map.not_replayed = other.map(|tensor| {
        format!(
            "{} lies {} in the recording, but {} when the recorded calls are made again",
            map.name(tensor),
            lies(map.places[tensor]),
            lies(replayed[tensor])
        )
    });
    Ok(map)
}

fn lies(place: Option<Place>) -> String {
    match place {
        Some(Place { offset, size, first_node, last_node, .. }) => {
            let last = if last_node == END { "the end".to_owned() } else { last_node.to_string() };
            format!("at offset {offset} with {size} bytes from node {first_node} to {last}")
        }
        None => "nowhere".to_owned(),
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
    alignment: Alignment,
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
        if place.offset.checked_add(place.size).is_none_or(|end| end > MOST_BYTES) {
            return Err(at("it ends beyond the address space".into()));
        }
        // So that no sum of what is worked out from them overflows.
        sum = Bytes(place.size)
            .align_up(alignment)
            .and_then(|size| size.checked_add(Bytes(sum)))
            .map(|sum| sum.0)
            .filter(|&sum| sum <= MOST_BYTES)
            .ok_or_else(|| at("the places up to here exceed the address space".into()))?;
        if first_node < 0 || i64::from(first_node) >= nodes.max(1) {
            return Err(at(format!("there is no node {first_node}, there are {nodes}")));
        }
        if last_node < first_node || last_node != END && i64::from(last_node) >= nodes.max(1) {
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
