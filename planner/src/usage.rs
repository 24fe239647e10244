//! Usage intervals: the nodes from which and up to which each tensor's bytes are needed.

use alloc::vec::Vec;

use crate::fallible::{at_mut, refill};
use crate::topology::Topology;
use crate::{END, Error};

/// How the graph uses one tensor. Nodes are positions in the execution plan; -1 is "never".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Where it needs bytes first: its first writer, or 0 for graph inputs and variables.
    pub first: i32,
    /// Its last reader.
    pub last_read: i32,
    /// Its last writer.
    pub last_write: i32,
    /// Upstream's reference count: input slots that hold it, and one each for being graph input, output, variable.
    pub references: u32,
    /// Output slots that hold it.
    pub writers: u32,
    /// A variable, graph output or preserved graph input: never freed, never written in place.
    pub pinned: bool,
    /// A graph input: nothing shares its bytes.
    pub graph_input: bool,
    /// A graph output: it never takes over another tensor's bytes.
    pub graph_output: bool,
    /// A variable: any node that reads it may write it.
    pub variable: bool,
    /// First and last node that use it as a temporary; (`END`, -1) when none does.
    pub temporary: (i32, i32),
}

impl Usage {
    /// A tensor that nothing uses.
    pub const UNUSED: Usage = Usage {
        first: -1,
        last_read: -1,
        last_write: -1,
        references: 0,
        writers: 0,
        pinned: false,
        graph_input: false,
        graph_output: false,
        variable: false,
        temporary: (END, -1),
    };

    /// The last node that needs the bytes when `last_read` is the last reader of them under any name.
    ///
    /// A tensor that nobody reads lives to the end, and so does one that is written again after its last reader.
    pub fn last(&self, last_read: i32) -> i32 {
        let read_in_vain = last_read < self.first || last_read < self.last_write;
        if self.pinned || read_in_vain { END } else { last_read }
    }
}

/// Works out the usage of every tensor from the topology alone; temporaries come later.
pub fn usages(topology: &Topology, preserve_inputs: bool) -> Result<Vec<Usage>, Error> {
    let mut usages = Vec::new();
    refill(&mut usages, topology.num_tensors, Usage::UNUSED)?;
    let mut note = |tensor: i32, change: &dyn Fn(&mut Usage)| {
        if let Some(usage) = at_mut(&mut usages, tensor) {
            change(usage);
        }
    };
    for &tensor in &topology.graph_outputs {
        note(tensor, &|usage| {
            usage.references += 1;
            usage.pinned = true;
            usage.graph_output = true;
        });
    }
    for &tensor in &topology.variables {
        note(tensor, &|usage| {
            usage.references += 1;
            usage.pinned = true;
            usage.variable = true;
            usage.first = 0;
        });
    }
    for &tensor in &topology.graph_inputs {
        note(tensor, &|usage| {
            usage.references += u32::from(preserve_inputs);
            usage.pinned |= preserve_inputs;
            usage.graph_input = true;
            usage.first = 0;
        });
    }
    for node in 0..topology.num_nodes() {
        let at = node as i32;
        for &tensor in topology.outputs.row(node) {
            note(tensor, &|usage| {
                usage.writers += 1;
                usage.last_write = at;
                if usage.first < 0 {
                    usage.first = at;
                }
            });
        }
        for &tensor in topology.inputs.row(node) {
            note(tensor, &|usage| {
                usage.references += 1;
                usage.last_read = at;
            });
        }
    }
    Ok(usages)
}
