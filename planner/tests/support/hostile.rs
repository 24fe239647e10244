//! Random graphs that no runtime should bring, but that must do no harm either.

use super::{Rng, random_graph};
use arena_planner::shadow::Graph;

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
