//! What the runtime makes of small models' files, and what it makes nothing of.

mod kernels;
#[path = "../model_file/mod.rs"]
mod model_file;
mod outputs;
mod refusals;
mod tensors;
mod unknowns;

use arena_report::map::{Kind, MemoryMap};
use arena_report::{Strategy, input};
use model_file::Graph;

/// The maps of a file by upstream's strategy.
fn maps(file: &[u8]) -> Vec<MemoryMap> {
    input::read(file, "model", Some(Strategy::Greedy)).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn map(graph: &Graph) -> MemoryMap {
    maps(&graph.file()).remove(0)
}

/// x -> node -> y, where both are of this shape.
fn one_node(operator: &str, shape: &[i32]) -> Graph {
    let mut graph = Graph::default();
    let x = graph.tensor("x", "FLOAT32", shape);
    let y = graph.tensor("y", "FLOAT32", shape);
    graph.node(operator, &[x], &[y]);
    (graph.inputs, graph.outputs) = (vec![x], vec![y]);
    graph
}

/// Where these tensors live.
fn kinds(map: &MemoryMap, tensors: &[i32]) -> Vec<Kind> {
    tensors.iter().map(|&tensor| map.network.tensors[tensor as usize].kind).collect()
}
