//! Upstream's orders, each buffer into the best-fitting gap.

use alloc::vec::Vec;

use super::sections::{Cut, Sections};
use super::sorted::Sorted;
use super::{Buffer, Plan, Problem, bound, check, fit};
use crate::collections::{grow, push, reserve};
use crate::occupancy::{Allocation, Occupancy};
use crate::order::Order;
use crate::strategy::{Choice, Request, Workspace};
use crate::{Bytes, Error};

/// Packs greedily by size; equal sizes by first node, then by last node. The plan does not depend on the order of the buffers.
pub fn greedy(problem: &Problem<'_>) -> Result<Plan, Error> {
    let sorted = Sorted::new(problem)?;
    let plan = one_by_one(&sorted.problem(), Choice::Greedy)?;
    Ok(Plan { offsets: sorted.unsort(&plan.offsets)?, ..plan })
}

/// Packs in the order in which the buffers begin, those that begin together by position: upstream's order up to 2.1.
pub fn in_order(problem: &Problem<'_>) -> Result<Plan, Error> {
    one_by_one(problem, Choice::InOrder)
}

/// Packs by a strategy that does not search; what it holds for equal goes by position.
pub(super) fn one_by_one(problem: &Problem<'_>, strategy: Choice) -> Result<Plan, Error> {
    let sections = Sections::new(problem, Cut::Every)?;
    let lower_bound = bound::of_sections(problem, &sections)?;
    let mut plan = Plan { offsets: Vec::new(), height: Bytes::ZERO, lower_bound, steps: 0 };
    grow(&mut plan.offsets, problem.buffers.len(), Bytes::ZERO)?;
    if problem.gaps.is_empty() {
        place(problem, strategy, &sections, &mut plan.offsets)?;
    } else {
        place_with_gaps(problem, strategy, &sections, &mut plan.offsets)?;
    }
    plan.height = check::height(problem, &plan.offsets);
    Ok(plan)
}

/// Sections take the place of nodes: there are no more of them than beginnings and ends, however far apart nodes are.
fn place(problem: &Problem<'_>, strategy: Choice, sections: &Sections, offsets: &mut [Bytes]) -> Result<(), Error> {
    let mut occupied = Vec::new();
    let mut requests = Vec::new();
    reserve(&mut requests, problem.buffers.len())?;
    for (at, buffer) in (0..).zip(problem.buffers) {
        let &Buffer { size, alignment, fixed, .. } = buffer;
        let [piece] = sections.of(at as usize) else { continue };
        let (first_node, last_node) = (piece.from as i32, piece.to as i32 - 1);
        match fixed {
            Some(offset) => push(&mut occupied, Allocation { offset, size, tensor: at, first_node, last_node })?,
            None => push(
                &mut requests,
                Request { tensor: at, size, alignment, first_node, last_node, whole_run: false, offset: Bytes::ZERO },
            )?,
        }
    }
    let mut occupancy = Occupancy::default();
    occupancy.rebuild(&mut occupied.iter().copied())?;
    strategy.place(&mut requests, &mut occupancy, Bytes::ZERO, &mut Workspace::default())?;
    for allocation in occupied.iter().copied().chain(requests.iter().map(Request::allocation)) {
        if let Some(slot) = offsets.get_mut(allocation.tensor as usize) {
            *slot = allocation.offset;
        }
    }
    Ok(())
}

fn place_with_gaps(
    problem: &Problem<'_>,
    strategy: Choice,
    sections: &Sections,
    offsets: &mut [Bytes],
) -> Result<(), Error> {
    let mut order = Order::default();
    order.start(problem.buffers.len())?;
    let buffer = |at: usize| problem.buffers.get(at);
    order.sort_by_key(&mut |at| buffer(at).map_or(0, |buffer| buffer.first_node as u64))?;
    if strategy == Choice::Greedy {
        order.sort_by_key(&mut |at| buffer(at).map_or(0, |buffer| u64::MAX - buffer.size.0 as u64))?;
    }
    let mut placed = Vec::new();
    for (at, buffer) in problem.buffers.iter().enumerate() {
        if let (Some(offset), Some(slot)) = (buffer.fixed, offsets.get_mut(at)) {
            *slot = if buffer.size == Bytes::ZERO { Bytes::ZERO } else { offset };
            push(&mut placed, at)?;
        }
    }
    let is_free = |at: &usize| buffer(*at).is_some_and(|buffer| buffer.size != Bytes::ZERO && buffer.fixed.is_none());
    fit::best_fit(problem, sections, &mut order.positions().filter(is_free), &mut placed, offsets)
}
