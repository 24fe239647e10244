//! What a plan can be measured against: the naive sum and the lower bound.

use alloc::vec::Vec;

use crate::collections::{OutOfMemory, refill};
use crate::{Alignment, Bytes};

/// An interval of nodes and the bytes it needs.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// The bytes, not rounded up.
    pub size: Bytes,
    /// The first node.
    pub first_node: i32,
    /// The last node; `END` for the last there is.
    pub last_node: i32,
}

/// The sum of all sizes, each rounded up; saturates.
pub fn naive(demands: impl Iterator<Item = Demand>, alignment: Alignment) -> Bytes {
    demands.fold(Bytes::ZERO, |sum, demand| sum.saturating_add(round_up(demand.size, alignment)))
}

/// The most bytes that are alive at one node: each size rounded up, but for the largest padding, which nothing follows.
// Once, not for each kind of iterator: some hundred bytes.
pub fn lower_bound(
    demands: &mut dyn Iterator<Item = Demand>,
    alignment: Alignment,
    nodes: usize,
) -> Result<Bytes, OutOfMemory> {
    // Steps of the live sum: what begins at a node is added there, what ended is taken off at the next.
    let mut steps: Vec<usize> = Vec::new();
    refill(&mut steps, nodes + 1, 0)?;
    // A tree with the nodes as its leaves, `nodes` to `2 * nodes - 1`: the largest padding that is alive at all leaves below.
    let mut paddings: Vec<usize> = Vec::new();
    refill(&mut paddings, 2 * nodes, 0)?;
    for demand in demands {
        let begin = usize::try_from(demand.first_node).unwrap_or(0).min(nodes);
        let end = usize::try_from(demand.last_node).map_or(0, |last| last.min(nodes.saturating_sub(1)) + 1);
        if begin >= end {
            continue;
        }
        let size = round_up(demand.size, alignment).0;
        if let Some(step) = steps.get_mut(begin) {
            *step = step.wrapping_add(size);
        }
        if let Some(step) = steps.get_mut(end) {
            *step = step.wrapping_sub(size);
        }
        let padding = size.saturating_sub(demand.size.0);
        let (mut low, mut high) = (nodes + begin, nodes + end);
        // Most sizes need none.
        while padding > 0 && low < high {
            raise(&mut paddings, low, padding);
            raise(&mut paddings, high - 1, padding);
            low = low.div_ceil(2);
            high /= 2;
        }
    }
    for node in 2..paddings.len() {
        let above = paddings.get(node / 2).copied().unwrap_or(0);
        raise(&mut paddings, node, above);
    }

    let mut alive = 0usize;
    let mut most = 0;
    for (step, padding) in steps.iter().zip(paddings.iter().skip(nodes)) {
        alive = alive.wrapping_add(*step);
        most = most.max(alive.saturating_sub(*padding));
    }
    Ok(Bytes(most))
}

fn raise(values: &mut [usize], at: usize, to: usize) {
    if let Some(value) = values.get_mut(at) {
        *value = to.max(*value);
    }
}

fn round_up(size: Bytes, alignment: Alignment) -> Bytes {
    size.align_up(alignment).unwrap_or(Bytes(usize::MAX))
}
