//! What the planner can tell about its plan.

use super::Planner;
use crate::ASKED_FOR;
use crate::dump::{live_bytes, table_heading, table_row};
use crate::fallible::OutOfMemory;
use crate::text::TextSink;
use crate::{Arena, Bytes, Error};
use arena_packer::bounds::{Demand, lower_bound, naive};

/// The figures of a plan. Naive sum and lower bound are stated for a plan executed in one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanInfo {
    /// Nodes in the execution plan.
    pub num_nodes: usize,
    /// Tensors known.
    pub num_tensors: usize,
    /// Tensors with bytes of their own in the ArenaRw arena.
    pub placed_tensors: usize,
    /// Bytes that the places in the ArenaRw arena need.
    pub arena_needed: Bytes,
    /// Bytes that the places in the persistent arena need.
    pub persistent_needed: Bytes,
    /// What the ArenaRw tensors would need if no byte were used twice, each rounded up to its alignment.
    pub naive: Bytes,
    /// What no placement of the ArenaRw tensors can go below.
    pub lower_bound: Bytes,
}

/// Where one tensor lies and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorPlan {
    /// Its arena; `None` while it has no place.
    pub arena: Option<Arena>,
    /// The tensor that owns the bytes: itself, or the one whose bytes it takes over.
    pub root: i32,
    /// Offset in the arena.
    pub offset: Bytes,
    /// Bytes set aside.
    pub size: Bytes,
    /// The first node that needs the bytes; -1 when none does.
    pub first_node: i32,
    /// The last node that needs the bytes; `END` when they are never given back.
    pub last_node: i32,
}

impl Planner {
    /// The figures of the plan as far as it has been executed.
    pub fn info(&self) -> Result<PlanInfo, OutOfMemory> {
        let alignment = self.options.tensor_alignment;
        let nodes = self.topology.num_nodes().max(1);
        Ok(PlanInfo {
            num_nodes: self.topology.num_nodes(),
            num_tensors: self.usages.len(),
            placed_tensors: self.allocations(Arena::Rw).count(),
            arena_needed: self.rw.needed,
            persistent_needed: self.persistent.needed,
            naive: naive(self.demands(), alignment),
            lower_bound: lower_bound(self.demands(), alignment, nodes)?,
        })
    }

    fn demands(&self) -> impl Iterator<Item = Demand> + '_ {
        self.allocations(Arena::Rw).map(|allocation| Demand {
            size: allocation.size,
            first_node: allocation.first_node,
            last_node: allocation.last_node,
        })
    }

    /// Where a tensor lies.
    pub fn tensor_plan(&self, tensor: i32) -> Result<TensorPlan, Error> {
        let count = self.usages.len();
        if usize::try_from(tensor).ok().is_none_or(|at| at >= count) {
            return Err(Error::TensorIndex { index: tensor, node: ASKED_FOR, count });
        }
        let root = self.aliases.root(tensor);
        let (first_node, last_node) = self.interval(root).unwrap_or((-1, -1));
        Ok(match self.place(root) {
            Some(place) => TensorPlan {
                arena: Some(place.arena),
                root,
                offset: place.offset,
                size: place.size,
                first_node: place.first_node,
                last_node: place.last_node,
            },
            None => TensorPlan { arena: None, root, offset: Bytes::ZERO, size: Bytes::ZERO, first_node, last_node },
        })
    }

    /// `DumpDebugInfo`: every tensor that has a place, its aliases with it, and the live bytes of every node.
    /// `execution_plan` names the nodes; where it is too short, a node is named by its position.
    pub fn dump(&self, execution_plan: &[i32], out: &mut impl TextSink) {
        self.dump_arena(Arena::Rw, "ArenaRw", self.rw.needed, out);
        self.dump_arena(Arena::Persistent, "ArenaRwPersistent", self.persistent.needed, out);
        let nodes = (0..self.topology.num_nodes()).map(|position| {
            let at = position as i32;
            (execution_plan.get(position).copied().unwrap_or(at), at)
        });
        live_bytes(nodes, || self.allocations(Arena::Rw), out);
    }

    fn dump_arena(&self, arena: Arena, name: &str, needed: Bytes, out: &mut impl TextSink) {
        out.text(name);
        out.text(": ");
        out.number(needed.0);
        out.text(" bytes\n");
        table_heading(out);
        for tensor in 0..self.usages.len() as i32 {
            let root = self.aliases.root(tensor);
            let Some(place) = self.place(root).filter(|place| place.arena == arena) else {
                continue;
            };
            table_row(&place.allocation(tensor), out);
            if root != tensor {
                out.text("  on the bytes of tensor ");
                out.index(root);
            }
            out.text("\n");
        }
    }
}
