//! What the planner can tell about its plan.

use super::Planner;
use super::details::Details;
use crate::ASKED_FOR;
use crate::dump::{live_bytes, table_heading, table_row};
use crate::fallible::OutOfMemory;
use crate::text::TextSink;
use crate::{Alignment, Arena, Bytes, Error};
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
    /// How much lower that would be if nothing had to be aligned.
    pub padding: Bytes,
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
        let lower_bound = |alignment| lower_bound(&mut self.demands(), alignment, self.topology.num_nodes().max(1));
        let bound = lower_bound(alignment)?;
        Ok(PlanInfo {
            num_nodes: self.topology.num_nodes(),
            num_tensors: self.usages.len(),
            placed_tensors: self.allocations(Arena::Rw).count(),
            arena_needed: self.rw.needed,
            persistent_needed: self.persistent.needed,
            naive: naive(self.demands(), alignment),
            lower_bound: bound,
            padding: bound.saturating_sub(lower_bound(Alignment::NONE)?),
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
        Ok(self.plan_of(tensor))
    }

    /// Where a tensor lies. One that is not known has no place.
    pub fn plan_of(&self, tensor: i32) -> TensorPlan {
        let root = self.aliases.root(tensor);
        let (first_node, last_node) = self.interval(root).unwrap_or((-1, -1));
        match self.place(root) {
            Some(place) => TensorPlan {
                arena: Some(place.arena),
                root,
                offset: place.offset,
                size: place.size,
                first_node: place.first_node,
                last_node: place.last_node,
            },
            None => TensorPlan { arena: None, root, offset: Bytes::ZERO, size: Bytes::ZERO, first_node, last_node },
        }
    }

    /// `DumpDebugInfo`: a picture of the ArenaRw arena, every tensor that has a place, its aliases with it, and the live
    /// bytes of every node. `execution_plan` names these; where it is too short, a node is named by its position.
    ///
    /// Without the feature `inspect` there is no picture, and nothing is told of who had the bytes before. On an error
    /// nothing is written.
    pub fn dump(&self, execution_plan: &[i32], out: &mut impl TextSink) -> Result<(), OutOfMemory> {
        let details = self.details()?;
        self.dump_arena(Arena::Rw, "ArenaRw", self.rw.needed, Some(&details), out);
        self.dump_arena(Arena::Persistent, "ArenaRwPersistent", self.persistent.needed, None, out);
        let nodes = (0..self.topology.num_nodes()).map(|position| {
            let at = position as i32;
            (execution_plan.get(position).copied().unwrap_or(at), at)
        });
        live_bytes(nodes, || self.allocations(Arena::Rw), out);
        Ok(())
    }

    fn dump_arena(&self, arena: Arena, name: &str, needed: Bytes, details: Option<&Details>, out: &mut impl TextSink) {
        out.text(name);
        out.filled_in(": # bytes\n", [needed.0, 0, 0]);
        if let Some(details) = details {
            details.write_picture(out);
        }
        table_heading(out);
        for tensor in 0..self.usages.len() as i32 {
            let root = self.aliases.root(tensor);
            let Some(place) = self.place(root).filter(|place| place.arena == arena) else {
                continue;
            };
            table_row(&place.allocation(tensor), out);
            if let Some(details) = details {
                details.write_letter(root, out);
            }
            if root != tensor {
                out.filled_in("  on the bytes of @", [root as usize, 0, 0]);
            }
            if let Some(details) = details {
                details.write_previous(root, out);
            }
            out.text("\n");
        }
    }
}
