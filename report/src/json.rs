//! The report for programs, which docs/report.md describes.

use arena_planner::Arena;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::diagnosis::Finding;
use crate::map::{Kind, MemoryMap, Node, Options, Origin, Place, Tensor, Totals, Unknown};

/// The version of the format.
const VERSION: u64 = 1;

/// All that is known of these maps, in one line.
#[must_use]
pub fn json(maps: &[MemoryMap], findings: &[Finding]) -> String {
    let report = Report {
        tflite_arena_report: VERSION,
        library: env!("CARGO_PKG_VERSION"),
        maps: Each(|| maps.iter().map(map)),
        findings: Each(|| findings.iter().map(finding)),
    };
    serde_json::to_string(&report).expect("numbers, words and lists can be written") + "\n"
}

#[derive(Serialize)]
struct Report<Maps, Findings> {
    tflite_arena_report: u64,
    library: &'static str,
    maps: Maps,
    findings: Findings,
}

#[derive(Serialize)]
struct Map<'a, Nodes, Tensors> {
    title: &'a str,
    origin: Value,
    options: Value,
    totals: Value,
    /// Of a table alone.
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    times: &'a [u64],
    live_bytes: Vec<usize>,
    nodes: Nodes,
    tensors: Tensors,
    inputs: &'a [i32],
    outputs: &'a [i32],
    variables: &'a [i32],
    unknowns: Vec<Value>,
    not_replayed: Option<&'a str>,
}

/// A list whose items are made one by one as they are written: all at once would take some kilobytes a tensor.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0())
    }
}

fn map(map: &MemoryMap) -> impl Serialize {
    let network = &map.network;
    Map {
        title: &map.title,
        origin: origin(&map.origin),
        options: options(&map.options),
        totals: totals(map),
        times: &map.times,
        live_bytes: map.live_bytes(),
        nodes: Each(|| network.nodes.iter().map(node)),
        tensors: Each(|| {
            let tensors = network.tensors.iter().zip(&map.places).enumerate();
            tensors.map(|(index, (one, place))| tensor(index, one, place.as_ref()))
        }),
        inputs: &network.inputs,
        outputs: &network.outputs,
        variables: &network.variables,
        unknowns: map.unknowns.iter().map(unknown).collect(),
        not_replayed: map.not_replayed.as_deref(),
    }
}

fn origin(origin: &Origin) -> Value {
    match origin {
        Origin::Recording { pid, planner, subgraph } => {
            json!({ "kind": "recording", "pid": pid, "planner": planner, "subgraph": subgraph })
        }
        Origin::Model { subgraph, file_bytes } => {
            json!({ "kind": "model", "subgraph": subgraph, "file_bytes": file_bytes })
        }
        Origin::Table => json!({ "kind": "table" }),
    }
}

fn options(options: &Options) -> Value {
    let Options { strategy, alignment, preserve_all_tensors, preserve_inputs, replace_range } = options;
    json!({
        "strategy": strategy,
        "alignment": alignment,
        "preserve_all_tensors": preserve_all_tensors,
        "preserve_inputs": preserve_inputs,
        "replace_range": replace_range,
    })
}

fn totals(map: &MemoryMap) -> Value {
    let Totals { naive, arena, lower_bound, persistent, padding, placed } = map.totals;
    let (node, bytes) = map.peak();
    json!({
        "naive": naive,
        "arena": arena,
        "lower_bound": lower_bound,
        "gap_percent": map.totals.gap_percent(),
        "persistent": persistent,
        "padding": padding,
        "placed": placed,
        "peak": { "node": node, "bytes": bytes },
    })
}

fn node(node: &Node) -> Value {
    let Node { op, custom, inplace, inputs, outputs, temporaries } = node;
    json!({
        "op": op,
        "custom": custom,
        "inplace": inplace,
        "inputs": inputs,
        "outputs": outputs,
        "temporaries": temporaries,
    })
}

fn tensor(index: usize, tensor: &Tensor, place: Option<&Place>) -> Value {
    let Tensor { name, data_type, shape, bytes, kind } = tensor;
    json!({
        "index": index,
        "name": name,
        "type": data_type,
        "shape": shape,
        "bytes": bytes,
        "kind": kind_name(*kind),
        "place": place.map(lies),
    })
}

fn lies(place: &Place) -> Value {
    let Place { arena, root, offset, size, first_node, last_node, previous } = place;
    json!({
        "arena": match arena {
            Arena::Rw => "rw",
            Arena::Persistent => "persistent",
        },
        "offset": offset,
        "size": size,
        "first": first_node,
        "last": (!place.is_kept()).then_some(last_node),
        "root": root,
        "previous": previous,
    })
}

fn kind_name(kind: Kind) -> Value {
    match kind {
        Kind::None => "none".into(),
        Kind::Constant => "constant".into(),
        Kind::ArenaRw => "arena_rw".into(),
        Kind::Persistent => "persistent".into(),
        Kind::Dynamic => "dynamic".into(),
        Kind::PersistentRo => "persistent_ro".into(),
        Kind::Custom => "custom".into(),
        Kind::Variant => "variant".into(),
        Kind::Other(number) => number.into(),
    }
}

fn unknown(unknown: &Unknown) -> Value {
    let Unknown { text, nodes, tensors } = unknown;
    json!({ "text": text, "nodes": nodes, "tensors": tensors })
}

fn finding(finding: &Finding) -> Value {
    let Finding { id, map, text, advice } = finding;
    json!({ "id": id, "map": map, "text": text, "advice": advice })
}
