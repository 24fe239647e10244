//! Makes a failing graph small.

use arena_planner::shadow::{Graph, Kind};

/// The smallest graph that greedy cutting finds for which `fails` still holds, as it does for `graph`.
///
/// Every step makes the graph smaller or plainer, so the search ends.
pub(crate) fn shrink(graph: &Graph, fails: impl Fn(&Graph) -> bool) -> Graph {
    let mut smallest = graph.clone();
    loop {
        let Some(smaller) = smaller_graphs(&smallest).find(&fails) else {
            return smallest;
        };
        smallest = smaller;
    }
}

/// Every graph that is one step smaller or plainer, the largest steps first.
fn smaller_graphs(graph: &Graph) -> impl Iterator<Item = Graph> {
    let nodes = graph.nodes.len();
    let halves = [(nodes / 2, nodes), (0, nodes / 2)].into_iter().filter(|(first, end)| first < end);
    let node_cuts = halves.chain((0..nodes).map(|node| (node, node + 1)));
    let without_nodes = node_cuts.flat_map(|(first, end)| {
        let kept = edited(graph, |graph| drop(graph.nodes.drain(first..end)));
        // A reader of what a dropped node wrote may go on with what that node read.
        [kept, bypassed(graph, first, end)]
    });
    without_nodes
        .chain(without_list_entries(graph))
        .chain((0..graph.tensors.len()).filter_map(|tensor| without_unused_tensor(graph, tensor)))
        .chain(plainer_nodes(graph))
        .chain(plainer_tensors(graph))
}

fn edited(graph: &Graph, edit: impl FnOnce(&mut Graph)) -> Graph {
    let mut edited = graph.clone();
    edit(&mut edited);
    edited
}

/// All lists that name tensors.
fn lists(graph: &mut Graph) -> Vec<&mut Vec<i32>> {
    let mut lists = vec![&mut graph.inputs, &mut graph.outputs, &mut graph.variables];
    for node in &mut graph.nodes {
        lists.extend([&mut node.inputs, &mut node.outputs, &mut node.temporaries]);
    }
    lists
}

/// Drops nodes from the last to the first, each time putting its first input where its outputs were named.
fn bypassed(graph: &Graph, first: usize, end: usize) -> Graph {
    edited(graph, |graph| {
        for index in (first..end).rev() {
            let node = graph.nodes.remove(index);
            let stand_in = node.inputs.first().copied().unwrap_or(-1);
            for tensor in lists(graph).into_iter().flatten() {
                if *tensor >= 0 && node.outputs.contains(tensor) {
                    *tensor = stand_in;
                }
            }
        }
    })
}

fn without_list_entries(graph: &Graph) -> impl Iterator<Item = Graph> {
    let lengths: Vec<usize> = lists(&mut graph.clone()).iter().map(|list| list.len()).collect();
    let entries = lengths.into_iter().enumerate().flat_map(|(list, length)| (0..length).map(move |e| (list, e)));
    entries.map(|(list, entry)| {
        edited(graph, |graph| {
            lists(graph)[list].remove(entry);
        })
    })
}

fn without_unused_tensor(graph: &Graph, tensor: usize) -> Option<Graph> {
    let mut smaller = graph.clone();
    let mut named = lists(&mut smaller).into_iter().flatten();
    if named.any(|named| *named == tensor as i32) {
        return None;
    }
    smaller.tensors.remove(tensor);
    for named in lists(&mut smaller).into_iter().flatten().filter(|named| **named > tensor as i32) {
        *named -= 1;
    }
    Some(smaller)
}

fn plainer_nodes(graph: &Graph) -> impl Iterator<Item = Graph> {
    let flags = graph.nodes.iter().enumerate().flat_map(|(node, content)| {
        let bits = (0..64).map(|bit| 1 << bit).filter(|bit| content.inplace & bit != 0);
        bits.map(move |bit| (node, bit))
    });
    flags.map(|(node, bit)| edited(graph, |graph| graph.nodes[node].inplace &= !bit))
}

/// Tensors become ordinary ones of one size, all together or one by one.
fn plainer_tensors(graph: &Graph) -> impl Iterator<Item = Graph> {
    const BYTES: usize = 64;
    let all_equal = graph.tensors.iter().all(|tensor| tensor.bytes == BYTES);
    let together = edited(graph, |graph| graph.tensors.iter_mut().for_each(|tensor| tensor.bytes = BYTES));
    let sizes = graph.tensors.iter().enumerate().filter(|(_, tensor)| tensor.bytes != BYTES);
    let sizes = sizes.map(|(index, _)| edited(graph, |graph| graph.tensors[index].bytes = BYTES));
    let kinds = graph.tensors.iter().enumerate().filter(|(_, tensor)| tensor.kind != Kind::ArenaRw);
    let kinds = kinds.map(|(index, _)| edited(graph, |graph| graph.tensors[index].kind = Kind::ArenaRw));
    (!all_equal).then_some(together).into_iter().chain(sizes).chain(kinds)
}
