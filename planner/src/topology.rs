//! The graph's connections, read once per plan into flat arrays, every index checked on the way.

use alloc::vec::Vec;

use crate::fallible::{extend, push, reserve};
use crate::{Error, Graph, OPTIONAL_TENSOR};

/// Rows of tensor indices, stored one after the other.
#[derive(Debug, Default)]
pub struct Rows {
    /// Where row `i` starts in `items`; behind it, where it ends.
    bounds: Vec<u32>,
    items: Vec<i32>,
}

impl Rows {
    /// The row of a node; empty for nodes there are not.
    pub fn row(&self, node: usize) -> &[i32] {
        match self.bounds.get(node..).unwrap_or_default() {
            &[start, end, ..] => self.items.get(start as usize..end as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    fn push_row(&mut self, row: &[i32]) -> Result<(), Error> {
        if self.bounds.is_empty() {
            push(&mut self.bounds, 0)?;
        }
        extend(&mut self.items, row)?;
        let count = self.items.len();
        push(&mut self.bounds, u32::try_from(count).map_err(|_| Error::TooMany { count })?)
    }
}

/// What is connected to what. Every index is [`OPTIONAL_TENSOR`] or below `num_tensors`.
#[derive(Debug, Default)]
pub struct Topology {
    /// Tensors when the graph was read.
    pub num_tensors: usize,
    /// Inputs by node.
    pub inputs: Rows,
    /// Outputs by node.
    pub outputs: Rows,
    /// In-place flags by node, those that have a meaning; its length is the number of nodes.
    pub inplace: Vec<u8>,
    /// Graph inputs.
    pub graph_inputs: Vec<i32>,
    /// Graph outputs.
    pub graph_outputs: Vec<i32>,
    /// Variables; none is optional.
    pub variables: Vec<i32>,
}

impl Topology {
    /// Reads the graph. Temporaries are left out: they may still be added, and are read at each execution.
    pub fn read(graph: &impl Graph) -> Result<Topology, Error> {
        let num_tensors = numbered(graph.num_tensors())?;
        let num_nodes = numbered(graph.num_nodes())?;
        let mut topology = Topology { num_tensors, ..Topology::default() };
        reserve(&mut topology.inputs.bounds, num_nodes + 1)?;
        reserve(&mut topology.outputs.bounds, num_nodes + 1)?;
        reserve(&mut topology.inplace, num_nodes)?;
        for index in 0..num_nodes {
            let node = graph.node(index)?;
            check(node.inputs, index as i32, num_tensors)?;
            check(node.outputs, index as i32, num_tensors)?;
            topology.inputs.push_row(node.inputs)?;
            topology.outputs.push_row(node.outputs)?;
            push(&mut topology.inplace, node.inplace as u8)?;
        }
        // One list after the other: each is valid only until the graph is asked again.
        read_list(&mut topology.graph_inputs, graph.inputs()?, num_tensors)?;
        read_list(&mut topology.graph_outputs, graph.outputs()?, num_tensors)?;
        read_list(&mut topology.variables, graph.variables()?, num_tensors)?;
        if topology.variables.contains(&OPTIONAL_TENSOR) {
            return Err(Error::TensorIndex { index: OPTIONAL_TENSOR, node: -1, count: num_tensors });
        }
        Ok(topology)
    }

    /// Nodes in the execution plan.
    pub fn num_nodes(&self) -> usize {
        self.inplace.len()
    }

    /// The last node that can be executed: 0 for a graph without nodes, whose inputs still need their places.
    pub fn last_node(&self) -> i32 {
        self.num_nodes().saturating_sub(1) as i32
    }
}

fn read_list(list: &mut Vec<i32>, source: &[i32], num_tensors: usize) -> Result<(), Error> {
    check(source, -1, num_tensors)?;
    extend(list, source)
}

/// A count that an `i32` index can reach the end of.
pub fn numbered(count: usize) -> Result<usize, Error> {
    // One less than the largest: that one means "to the end".
    if count < i32::MAX as usize { Ok(count) } else { Err(Error::TooMany { count }) }
}

/// Refuses indices that are neither optional nor in the graph.
pub fn check(list: &[i32], node: i32, count: usize) -> Result<(), Error> {
    for &index in list {
        let in_graph = usize::try_from(index).is_ok_and(|index| index < count);
        if index != OPTIONAL_TENSOR && !in_graph {
            return Err(Error::TensorIndex { index, node, count });
        }
    }
    Ok(())
}
