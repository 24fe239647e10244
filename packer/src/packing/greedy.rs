//! Upstream's order: the largest first, each into the best-fitting gap.

use alloc::vec::Vec;

use super::{Buffer, Plan, Problem};
use crate::bounds::{self, Demand};
use crate::collections::{at_mut, grow, push, reserve};
use crate::occupancy::{Allocation, Occupancy};
use crate::strategy::{Greedy, Request, Strategy, Workspace};
use crate::{Alignment, Bytes, Error};

/// Packs greedily by size; equal sizes by first node, then by position.
pub fn greedy(problem: &Problem<'_>) -> Result<Plan, Error> {
    if !problem.gaps.is_empty() {
        return Err(Error::Unsupported("gaps"));
    }
    let mut occupied = Vec::new();
    let mut requests = Vec::new();
    reserve(&mut requests, problem.buffers.len())?;
    for (at, buffer) in (0..).zip(problem.buffers) {
        let &Buffer { first_node, last_node, size, alignment, fixed } = buffer;
        match fixed {
            _ if size == Bytes::ZERO => {}
            Some(offset) => push(&mut occupied, Allocation { offset, size, tensor: at, first_node, last_node })?,
            None => push(
                &mut requests,
                Request { tensor: at, size, alignment, first_node, last_node, whole_run: false, offset: Bytes::ZERO },
            )?,
        }
    }
    let mut occupancy = Occupancy::default();
    occupancy.rebuild(&mut occupied.iter().copied())?;
    Greedy.place(&mut requests, &mut occupancy, &mut Workspace::default())?;
    let mut plan = Plan { offsets: Vec::new(), height: Bytes::ZERO, lower_bound: lower_bound(problem)?, steps: 0 };
    grow(&mut plan.offsets, problem.buffers.len(), Bytes::ZERO)?;
    for allocation in occupied.iter().copied().chain(requests.iter().map(Request::allocation)) {
        plan.height = plan.height.max(allocation.end());
        if let Some(slot) = at_mut(&mut plan.offsets, allocation.tensor) {
            *slot = allocation.offset;
        }
    }
    Ok(plan)
}

/// What no plan can go below.
pub fn lower_bound(problem: &Problem<'_>) -> Result<Bytes, Error> {
    let alignment = problem.buffers.iter().map(|buffer| buffer.alignment).min().unwrap_or(Alignment::DEFAULT);
    let demands = problem.buffers.iter().map(|buffer| Demand {
        size: buffer.size,
        first_node: buffer.first_node,
        last_node: buffer.last_node,
    });
    let nodes = problem.buffers.iter().map(|buffer| buffer.first_node).max().unwrap_or(0);
    bounds::lower_bound(demands, alignment, nodes as usize + 1)
}
