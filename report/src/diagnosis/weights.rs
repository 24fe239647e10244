//! What lies in the arena of persistent tensors, and who put it there.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arena_planner::Arena;

use super::Said;
use super::subject::{Subject, tensors};
use super::words::{NAMED, bytes, count, first_few, list, number, operators, percent, tensor};
use crate::map::{Kind, Network, Origin};

/// The nodes that compute something from constants alone, once, and keep it: `(node, tensor)`.
struct Computed {
    outputs: Vec<(usize, usize)>,
    /// The constants of the model that they read, each once.
    constants: Vec<usize>,
}

fn computed(subject: &Subject<'_>) -> Computed {
    let network = &subject.map.network;
    let mut is_known: Vec<bool> = network.tensors.iter().map(|tensor| tensor.kind == Kind::Constant).collect();
    let (mut outputs, mut constants) = (Vec::new(), Vec::new());
    for (at, node) in network.nodes.iter().enumerate() {
        let mut inputs = tensors(&node.inputs).peekable();
        let from_constants = inputs.peek().is_some() && inputs.all(|input| is_known.get(input) == Some(&true));
        // What a delegate makes in each run is not known here.
        if !from_constants || node.is_delegated() {
            continue;
        }
        for output in tensors(&node.outputs).filter(|&output| subject.is(output, Kind::Persistent)) {
            is_known[output] = true;
            outputs.push((at, output));
            constants.extend(tensors(&node.inputs).filter(|&input| subject.is(input, Kind::Constant)));
        }
    }
    constants.sort_unstable();
    constants.dedup();
    Computed { outputs, constants }
}

fn size_of(network: &Network, tensors: &[usize]) -> usize {
    tensors.iter().map(|&tensor| network.tensors[tensor].bytes).fold(0, usize::saturating_add)
}

pub(super) fn computed_once(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let Computed { outputs, constants } = computed(subject);
    let mut kept: Vec<usize> = outputs.iter().map(|&(_, output)| output).collect();
    let sum = subject.sum(&kept);
    if !subject.matters(sum) {
        return None;
    }
    let mut nodes: Vec<usize> = outputs.iter().map(|&(node, _)| node).collect();
    nodes.dedup();
    let are_float16 = constants.iter().all(|&constant| map.network.tensors[constant].data_type == "FLOAT16");
    let stored = size_of(&map.network, &constants);
    let (are, of) = (if kept.len() == 1 { "is" } else { "are" }, if are_float16 { " of float16" } else { "" });
    let mut text = format!(
        "{} {are} computed once, by {}, and kept: {}, made of {}{of} in the model. That is {} of the {} persistent bytes",
        count(kept.len(), "weight"),
        operators(nodes.iter().map(|&node| &map.network.nodes[node])),
        bytes(sum),
        bytes(stored),
        percent(sum, map.totals.persistent),
        number(map.totals.persistent)
    );
    if let Origin::Model { file_bytes, .. } = map.origin {
        text += &format!(", where the model's whole file has {}", number(file_bytes));
    }
    kept.sort_by_key(|&tensor| Reverse(subject.size(tensor)));
    let named: Vec<String> = kept
        .iter()
        .take(NAMED)
        .map(|&kept| format!("{} with {}", tensor(map, kept), number(subject.size(kept))))
        .collect();
    text += &format!(". The largest: {}.", list(&named));
    let is_sparse = nodes.iter().any(|&node| map.network.nodes[node].op == "DENSIFY");
    let dense = if is_sparse { "dense " } else { "" };
    let advice = if are_float16 {
        format!(
            "Convert the model to {dense}float32, whose weights are read where they lie in the file, or to {dense}int8; \
             or let a delegate run it that takes float16 as it is."
        )
    } else {
        "Store them in the model as its operators read them: then they are read where they lie in the file.".to_owned()
    };
    Some(Said::saves(sum, text).with(advice))
}

/// Persistent temporaries of the size of a weight that their node reads: copies in the order in which a kernel wants them.
fn copies(subject: &Subject<'_>) -> Vec<(usize, usize)> {
    let network = &subject.map.network;
    let mut copies = Vec::new();
    for (at, node) in network.nodes.iter().enumerate() {
        let is_weight = |&input: &usize| subject.is(input, Kind::Constant) || subject.is(input, Kind::Persistent);
        let weights: Vec<usize> =
            tensors(&node.inputs).filter(is_weight).map(|input| network.tensors[input].bytes).collect();
        let is_copy = |&temporary: &usize| {
            subject.is(temporary, Kind::Persistent) && weights.contains(&network.tensors[temporary].bytes)
        };
        copies.extend(tensors(&node.temporaries).filter(is_copy).map(|temporary| (at, temporary)));
    }
    copies
}

pub(super) fn copied(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let copies = copies(subject);
    let sum = subject.sum(&copies.iter().map(|&(_, copy)| copy).collect::<Vec<_>>());
    if !subject.matters(sum) {
        return None;
    }
    let nodes = || copies.iter().map(|&(node, _)| &map.network.nodes[node]);
    let text = format!(
        "{} {} kept a second time, in the order that the kernels of {} want: {}, {} of what is persistent.",
        count(copies.len(), "weight"),
        if copies.len() == 1 { "is" } else { "are" },
        operators(nodes()),
        bytes(sum),
        percent(sum, map.totals.persistent)
    );
    let said = Said::fact(text);
    Some(if nodes().all(|node| node.op == "CONV_2D") {
        said.with(
            "The runtime makes them for kernels of several threads. With one thread (`num_threads`) it keeps none, but \
             needs more of the arena: record both.",
        )
    } else {
        said
    })
}

pub(super) fn kept(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let mut is_told = vec![false; map.network.tensors.len()];
    let told = computed(subject).outputs.into_iter().chain(copies(subject));
    told.for_each(|(_, tensor)| is_told[tensor] = true);
    let kept: Vec<usize> = map
        .owners(Arena::Persistent)
        .filter(|&(tensor, place)| place.size > 0 && !is_told[tensor])
        .map(|(tensor, _)| tensor)
        .collect();
    let sum = subject.sum(&kept);
    if !subject.matters(sum) {
        return None;
    }
    let users = users(subject);
    let mut is_variable = vec![false; map.network.tensors.len()];
    tensors(&map.network.variables).for_each(|variable| is_variable[variable] = true);
    let mut groups: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
    for &tensor in &kept {
        let what = if is_variable[tensor] { "variable" } else { "tensor" };
        let user = users[tensor].map(|node| map.network.nodes[node].to_string()).unwrap_or_default();
        let (number, bytes) = groups.entry((what, user)).or_default();
        *number += 1;
        *bytes += subject.size(tensor);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|&(_, (_, bytes))| Reverse(bytes));
    let groups = groups.into_iter().map(|((what, user), (number_of, bytes))| {
        let user = if user.is_empty() { String::new() } else { format!(" of {user}") };
        format!("{} in {}{user}", number(bytes), count(number_of, what))
    });
    Some(Said::fact(format!(
        "{} of {} are kept from run to run: {}.",
        bytes(sum),
        count(kept.len(), "persistent tensor"),
        first_few(groups.collect())
    )))
}

/// By tensor, the first node that uses it.
fn users(subject: &Subject<'_>) -> Vec<Option<usize>> {
    let network = &subject.map.network;
    let mut users = vec![None; network.tensors.len()];
    for (at, node) in network.nodes.iter().enumerate() {
        for tensor in tensors(&node.inputs).chain(tensors(&node.outputs)).chain(tensors(&node.temporaries)) {
            users[tensor].get_or_insert(at);
        }
    }
    users
}
