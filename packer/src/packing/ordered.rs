//! One buffer after the other, in an order that is given or follows from the nodes.

use alloc::vec::Vec;

use super::{Buffer, Plan, Problem, lower_bound};
use crate::collections::{at_mut, grow, push};
use crate::gap::{BestGap, GapMeasure};
use crate::occupancy::{Allocation, Occupancy};
use crate::order::Order;
use crate::{Bytes, Error};

/// Packs in the order in which the buffers begin, those that begin together by position: upstream's order up to 2.1.
pub fn in_order(problem: &Problem<'_>) -> Result<Plan, Error> {
    let mut order = Order::default();
    order.start(problem.buffers.len())?;
    order.sort_by_key(&mut |at| problem.buffers.get(at).map_or(0, |buffer| u64::from(buffer.first_node as u32)))?;
    place_each(problem, &mut order.positions(), GapMeasure::FromStart)
}

/// Packs in the order given, which names each buffer once.
pub fn in_given_order(problem: &Problem<'_>, order: &[i32]) -> Result<Plan, Error> {
    let mut named = Vec::new();
    grow(&mut named, problem.buffers.len(), false)?;
    let names_another =
        |&buffer: &i32| at_mut(&mut named, buffer).is_some_and(|named| !core::mem::replace(named, true));
    if order.len() != problem.buffers.len() || !order.iter().all(names_another) {
        return Err(Error::Refused("the order does not name each buffer once"));
    }
    place_each(problem, &mut order.iter().map(|&buffer| buffer as usize), GapMeasure::FromAlignedStart)
}

fn place_each(
    problem: &Problem<'_>,
    order: &mut dyn Iterator<Item = usize>,
    measure: GapMeasure,
) -> Result<Plan, Error> {
    if !problem.gaps.is_empty() {
        return Err(Error::Unsupported("gaps"));
    }
    let mut plan = Plan { offsets: Vec::new(), height: Bytes::ZERO, lower_bound: lower_bound(problem)?, steps: 0 };
    grow(&mut plan.offsets, problem.buffers.len(), Bytes::ZERO)?;
    let mut fixed = Vec::new();
    for (tensor, buffer) in (0..).zip(problem.buffers) {
        let &Buffer { first_node, last_node, size, .. } = buffer;
        if let Some(offset) = buffer.fixed.filter(|_| size > Bytes::ZERO) {
            push(&mut fixed, Allocation { offset, size, tensor, first_node, last_node })?;
        }
    }
    let mut occupied = Occupancy::default();
    occupied.rebuild(&mut fixed.iter().copied())?;
    for at in order {
        let Some(&Buffer { first_node, last_node, size, alignment, fixed: None }) = problem.buffers.get(at) else {
            continue;
        };
        if size == Bytes::ZERO {
            continue;
        }
        let tensor = at as i32;
        let mut allocation = Allocation { offset: Bytes::ZERO, size, tensor, first_node, last_node };
        if !occupied.place(&mut allocation, BestGap::new(size, alignment, measure))? {
            return Err(Error::Overflow { tensor, bytes: size.0 });
        }
    }
    for allocation in occupied.allocations() {
        plan.height = plan.height.max(allocation.end());
        if let Some(offset) = at_mut(&mut plan.offsets, allocation.tensor) {
            *offset = allocation.offset;
        }
    }
    Ok(plan)
}
