//! What a plan can be measured against: the naive sum and the lower bound.

use alloc::vec::Vec;

use crate::collections::{push, refill};
use crate::order::Order;
use crate::{Alignment, Bytes, Error};

/// An interval of nodes and the bytes it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) size: Bytes,
    pub(crate) first_node: i32,
    pub(crate) last_node: i32,
}

/// The sum of all sizes, each rounded up; saturates.
pub(crate) fn naive(demands: impl Iterator<Item = Demand>, alignment: Alignment) -> Bytes {
    demands.fold(Bytes::ZERO, |sum, demand| sum.saturating_add(round_up(demand.size, alignment)))
}

/// The most bytes that are alive at one node: each size rounded up, but for the largest padding, which nothing follows.
pub(crate) fn lower_bound(
    demands: impl Iterator<Item = Demand>,
    alignment: Alignment,
    nodes: usize,
) -> Result<Bytes, Error> {
    let mut all: Vec<Demand> = Vec::new();
    for demand in demands {
        push(&mut all, demand)?;
    }
    let padding = |size: Bytes| round_up(size, alignment).saturating_sub(size);
    let mut by_padding = Order::default();
    by_padding.start(all.len())?;
    by_padding.sort_by_key(&mut |at| all.get(at).map_or(0, |demand| !(padding(demand.size).0 as u64)))?;

    // Steps of the live sum: what begins at a node is added there, what ended is taken off at the next.
    let mut steps: Vec<usize> = Vec::new();
    refill(&mut steps, nodes + 1, 0)?;
    // The largest padding alive at each node. Going from the largest down, a node is painted once; `next` jumps on to
    // the nearest node that is still unpainted.
    let mut paddings: Vec<usize> = Vec::new();
    refill(&mut paddings, nodes, 0)?;
    let mut next: Vec<usize> = Vec::new();
    for node in 0..=nodes {
        push(&mut next, node)?;
    }
    for demand in by_padding.positions().filter_map(|at| all.get(at)) {
        let begin = usize::try_from(demand.first_node).unwrap_or(0).min(nodes);
        let end = usize::try_from(demand.last_node).map_or(0, |last| last.min(nodes.saturating_sub(1)) + 1);
        let size = round_up(demand.size, alignment).0;
        if begin >= end {
            continue;
        }
        if let Some(step) = steps.get_mut(begin) {
            *step = step.wrapping_add(size);
        }
        if let Some(step) = steps.get_mut(end) {
            *step = step.wrapping_sub(size);
        }
        let mut node = unpainted(&mut next, begin);
        while node < end {
            if let (Some(slot), Some(jump)) = (paddings.get_mut(node), next.get_mut(node)) {
                *slot = padding(demand.size).0;
                *jump = node + 1;
            }
            node = unpainted(&mut next, node);
        }
    }

    let mut alive = 0usize;
    let mut most = 0;
    for (step, padding) in steps.iter().zip(&paddings) {
        alive = alive.wrapping_add(*step);
        most = most.max(alive.saturating_sub(*padding));
    }
    Ok(Bytes(most))
}

/// The first unpainted node from `node` on, shortening the path to it.
fn unpainted(next: &mut [usize], node: usize) -> usize {
    let mut at = node;
    loop {
        let Some(&jump) = next.get(at) else { return at };
        if jump == at {
            return at;
        }
        let further = next.get(jump).copied().unwrap_or(jump);
        if let Some(slot) = next.get_mut(at) {
            *slot = further;
        }
        at = jump;
    }
}

fn round_up(size: Bytes, alignment: Alignment) -> Bytes {
    size.align_up(alignment).unwrap_or(Bytes(usize::MAX))
}
