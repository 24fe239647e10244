//! Usage intervals: the nodes from which and up to which each tensor's bytes are needed.

use alloc::vec::Vec;

use crate::END;
use crate::alias::Reuse;
use crate::fallible::{OutOfMemory, at_mut, refill};
use crate::topology::Topology;

/// How the graph uses one tensor. Nodes are positions in the execution plan; -1 is "never".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Where it needs bytes first: its first writer, or 0 for graph inputs and variables.
    pub first: i32,
    /// Its last reader.
    pub last_read: i32,
    /// Its last writer.
    pub last_write: i32,
    /// Upstream's reference count: input slots that hold it, and one each for being graph input, output, variable. It stops
    /// at [`MANY`], and so does the next one.
    pub references: u8,
    /// Output slots that hold it.
    pub writers: u8,
    /// What it is for the graph as a whole.
    pub role: Role,
}

/// So many are told from one, but not from more.
const MANY: u8 = 2;

/// A set of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role(u8);

impl Role {
    /// None of them.
    pub const NONE: Role = Role(0);
    /// A graph input: nothing shares its bytes.
    pub const GRAPH_INPUT: Role = Role(1);
    /// A graph output: it never takes over another tensor's bytes.
    pub const GRAPH_OUTPUT: Role = Role(2);
    /// A variable: any node that reads it may write it.
    pub const VARIABLE: Role = Role(4);
    /// A variable, graph output or preserved graph input: never freed, never written in place.
    pub const PINNED: Role = Role(8);

    /// Those of both sets.
    pub const fn and(self, other: Role) -> Role {
        Role(self.0 | other.0)
    }

    /// True if one of `other` is among them.
    pub const fn is(self, other: Role) -> bool {
        self.0 & other.0 != 0
    }
}

impl Usage {
    /// A tensor that nothing uses.
    pub const UNUSED: Usage =
        Usage { first: -1, last_read: -1, last_write: -1, references: 0, writers: 0, role: Role::NONE };

    /// The last node that needs the bytes when `last_read` is the last reader of them under any name.
    ///
    /// A tensor that nobody reads lives to the end, and so does one that is written again after its last reader; or, as
    /// `reuse` may have it, up to where it is written.
    pub fn last(&self, last_read: i32, reuse: Reuse) -> i32 {
        let read_in_vain = last_read < self.first || last_read < self.last_write;
        if self.role.is(Role::PINNED) || read_in_vain && !reuse.unread_outputs() {
            END
        } else {
            last_read.max(self.first).max(self.last_write)
        }
    }
}

/// Works out the usage of every tensor from the topology alone; temporaries come later.
pub fn usages(topology: &Topology, preserve_inputs: bool) -> Result<Vec<Usage>, OutOfMemory> {
    let mut usages = Vec::new();
    refill(&mut usages, topology.num_tensors, Usage::UNUSED)?;
    let kept_input = if preserve_inputs { Role::GRAPH_INPUT.and(Role::PINNED) } else { Role::GRAPH_INPUT };
    for (list, role, first) in [
        (&topology.graph_outputs, Role::GRAPH_OUTPUT.and(Role::PINNED), -1),
        (&topology.variables, Role::VARIABLE.and(Role::PINNED), 0),
        (&topology.graph_inputs, kept_input, 0),
    ] {
        for &tensor in list {
            let Some(usage) = at_mut(&mut usages, tensor) else { continue };
            usage.first = usage.first.max(first);
            usage.references = MANY.min(usage.references + u8::from(role.is(Role::PINNED)));
            usage.role = usage.role.and(role);
        }
    }
    for (here, node) in (0..).zip(topology.nodes_from(0)) {
        for &tensor in node.outputs {
            let Some(usage) = at_mut(&mut usages, tensor) else { continue };
            usage.writers = MANY.min(usage.writers + 1);
            usage.last_write = here;
            if usage.first < 0 {
                usage.first = here;
            }
        }
        for &tensor in node.inputs {
            let Some(usage) = at_mut(&mut usages, tensor) else { continue };
            usage.references = MANY.min(usage.references + 1);
            usage.last_read = here;
        }
    }
    Ok(usages)
}
