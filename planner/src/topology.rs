//! The graph's connections, read once per plan into flat arrays, every index checked on the way.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::fallible::{extend, push_within, reserve};
use crate::{Error, Graph, OPTIONAL_TENSOR};

/// What is connected to what. Every index is [`OPTIONAL_TENSOR`] or below `num_tensors`.
#[derive(Debug, Default)]
pub struct Topology {
    /// Tensors when the graph was read.
    pub num_tensors: usize,
    /// Inputs and outputs of all nodes, one list after the other.
    items: Vec<i32>,
    /// Where the lists begin and end in `items`: each begins where the one before it ends.
    bounds: Vec<u32>,
    /// In-place flags by node, those that have a meaning; its length is the number of nodes.
    pub inplace: Vec<u8>,
    /// Graph inputs.
    pub graph_inputs: Vec<i32>,
    /// Graph outputs.
    pub graph_outputs: Vec<i32>,
    /// Variables; none is optional.
    pub variables: Vec<i32>,
}

/// What a node reads and writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Connections<'a> {
    /// The tensors that it reads.
    pub inputs: &'a [i32],
    /// The tensors that it writes.
    pub outputs: &'a [i32],
}

impl Topology {
    /// Reads the graph. Temporaries are left out: they may still be added, and are read at each execution.
    pub fn read(graph: &impl Graph) -> Result<Topology, Error> {
        let num_tensors = numbered(graph.num_tensors())?;
        let num_nodes = numbered(graph.num_nodes())?;
        let mut topology = Topology { num_tensors, ..Topology::default() };
        reserve(&mut topology.bounds, 2 * num_nodes + 1)?;
        // What most graphs need. Memory that is not written to costs little.
        reserve(&mut topology.items, 3 * num_nodes)?;
        reserve(&mut topology.inplace, num_nodes)?;
        push_within(&mut topology.bounds, 0);
        for index in 0..num_nodes {
            let node = graph.node(index)?;
            for list in [node.inputs, node.outputs] {
                check(list, index as i32, num_tensors)?;
                extend(&mut topology.items, list)?;
                let count = topology.items.len();
                push_within(&mut topology.bounds, u32::try_from(count).map_err(|_| Error::TooMany { count })?);
            }
            push_within(&mut topology.inplace, node.inplace as u8);
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

    /// The nodes from `first` on, one after the other.
    #[inline]
    pub fn nodes_from(&self, first: usize) -> impl Iterator<Item = Connections<'_>> {
        let mut bounds = self.bounds.get(2 * first..).unwrap_or_default().iter();
        let mut begin = bounds.next().copied().unwrap_or(0);
        core::iter::from_fn(move || {
            let (&middle, &end) = (bounds.next()?, bounds.next()?);
            let items = self.items.get(begin as usize..end as usize)?;
            let (inputs, outputs) = items.split_at_checked(middle.wrapping_sub(begin) as usize)?;
            begin = end;
            Some(Connections { inputs, outputs })
        })
    }

    /// Those of a range. None is negative; where the range reaches beyond the last, there are no more.
    pub fn nodes_in(&self, range: &RangeInclusive<i32>) -> impl Iterator<Item = Connections<'_>> {
        let count = (range.end() + 1).saturating_sub(*range.start());
        self.nodes_from(*range.start() as usize).take(usize::try_from(count).unwrap_or(0))
    }
}

fn read_list(list: &mut Vec<i32>, source: &[i32], num_tensors: usize) -> Result<(), Error> {
    check(source, -1, num_tensors)?;
    Ok(extend(list, source)?)
}

/// A count that an `i32` index can reach the end of.
pub fn numbered(count: usize) -> Result<usize, Error> {
    // One less than the largest: that one means "to the end".
    if count < i32::MAX as usize { Ok(count) } else { Err(Error::TooMany { count }) }
}

/// Refuses indices that are neither optional nor in the graph.
pub fn check(list: &[i32], node: i32, count: usize) -> Result<(), Error> {
    let wrong = |&&index: &&i32| index as u32 as usize >= count && index != OPTIONAL_TENSOR;
    list.iter().find(wrong).map_or(Ok(()), |&index| Err(Error::TensorIndex { index, node, count }))
}
