//! Random graphs that no runtime should bring, but that must do no harm either.

use super::{Rng, random_graph};
use arena_planner::shadow::{Arena, Graph, Node, Place, run};

/// A random graph with its order broken in one to four places: tensors written twice or read before they are written,
/// temporaries that are somebody's input or two nodes' temporary, nodes that read what they write, graph inputs and
/// variables written by nodes. Every index is -1 or names a tensor. What such a graph should compute nobody can say, so
/// only memory safety can be asked of its plan.
pub(crate) fn hostile_graph(seed: u64) -> Graph {
    let mut rng = Rng::new(seed);
    let mut graph = random_graph(rng.next());
    for _ in 0..=rng.below(4) {
        breach(&mut graph, &mut rng);
    }
    graph
}

fn breach(graph: &mut Graph, rng: &mut Rng) {
    let tensors = graph.tensors.len();
    if tensors == 0 {
        return;
    }
    let any = rng.below(tensors) as i32;
    let held = [graph.inputs.as_slice(), &graph.variables, &graph.outputs].concat();
    let listed = if held.is_empty() { any } else { rng.pick(&held) };
    let index = rng.below(graph.nodes.len());
    let node = &mut graph.nodes[index];
    match rng.below(7) {
        0 => node.outputs.push(any),
        1 => node.inputs.insert(0, any),
        2 => node.temporaries.push(any),
        3 => node.outputs.insert(0, listed),
        4 => node.inputs.extend(node.outputs.first().copied()),
        5 => {
            let temporaries = node.temporaries.clone();
            let other = rng.below(graph.nodes.len());
            graph.nodes[other].temporaries.extend(temporaries);
        }
        _ => match rng.below(3) {
            0 => graph.inputs.push(any),
            1 => graph.outputs.push(any),
            _ => graph.variables.push(any),
        },
    }
}

/// A random graph in which nodes also write what others have written, and what is a temporary of one may be needed at the
/// end. Every read still finds what was written last.
pub(crate) fn rewritten_graph(seed: u64) -> Graph {
    let mut rng = Rng::new(seed);
    loop {
        let mut graph = random_graph(rng.next());
        for _ in 0..1 + rng.below(4) {
            rewrite(&mut graph, &mut rng);
        }
        if is_orderly(&graph) {
            return graph;
        }
    }
}

fn rewrite(graph: &mut Graph, rng: &mut Rng) {
    if graph.tensors.is_empty() || graph.nodes.is_empty() {
        return;
    }
    let any = rng.below(graph.tensors.len()) as i32;
    let index = rng.below(graph.nodes.len());
    let node = &mut graph.nodes[index];
    match rng.below(8) {
        0..3 if !node.outputs.is_empty() => {
            let slot = rng.below(node.outputs.len());
            node.outputs[slot] = any;
        }
        0..4 => node.outputs.push(any),
        4 => node.temporaries.extend(graph.outputs.first()),
        5 => graph.outputs.extend(&node.temporaries),
        6 => graph.outputs.extend(&node.outputs),
        _ => node.inplace = rng.below(32) as u64,
    }
}

/// What it computes can be said: with a place of its own for each tensor nothing is lost, nodes read what has been written
/// before, and no temporary is read.
pub(crate) fn is_orderly(graph: &Graph) -> bool {
    let apart = |index: usize, bytes| Some(Place { arena: Arena::Rw, offset: index << 32, size: bytes });
    let places: Vec<_> = graph.tensors.iter().enumerate().map(|(index, tensor)| apart(index, tensor.bytes)).collect();
    let given = |tensor: &i32| *tensor < 0 || graph.inputs.contains(tensor) || graph.variables.contains(tensor);
    let writer = |tensor: &i32| graph.nodes.iter().position(|node| node.outputs.contains(tensor));
    let is_read = |tensor: &i32| graph.nodes.iter().any(|node| node.inputs.contains(tensor));
    let is_written = |node: &Node, tensor: &i32| *tensor >= 0 && node.outputs.contains(tensor);
    let good = |(at, node): (usize, &Node)| {
        let in_time = |tensor: &i32| given(tensor) || writer(tensor).is_none_or(|writer| writer < at);
        node.inputs.iter().all(|tensor| in_time(tensor) && !is_written(node, tensor))
            && node.temporaries.iter().all(|tensor| *tensor < 0 || !given(tensor) && !is_read(tensor))
    };
    graph.nodes.iter().enumerate().all(good) && run(graph, &places).is_ok()
}
