//! The same problem for every order in which buffers are given.

use alloc::vec::Vec;

use crate::collections::{push, refill};
use crate::order::Order;
use crate::packing::{Buffer, Gap, Problem};
use crate::{Bytes, Error};

/// A problem with its buffers sorted by all that sets them apart.
#[derive(Debug, Default)]
pub(in crate::packing) struct Sorted {
    buffers: Vec<Buffer>,
    gaps: Vec<Gap>,
    /// By buffer, its position in the problem as given.
    positions: Vec<u32>,
}

impl Sorted {
    pub(in crate::packing) fn new(problem: &Problem<'_>) -> Result<Sorted, Error> {
        let mut sorted = Sorted::default();
        for at in order(problem)?.positions() {
            let Some(&buffer) = problem.buffers.get(at) else { continue };
            for gap in gaps_of(problem, at) {
                push(&mut sorted.gaps, Gap { buffer: sorted.buffers.len() as u32, ..*gap })?;
            }
            push(&mut sorted.buffers, buffer)?;
            push(&mut sorted.positions, at as u32)?;
        }
        Ok(sorted)
    }

    pub(in crate::packing) fn problem(&self) -> Problem<'_> {
        Problem { buffers: &self.buffers, gaps: &self.gaps }
    }

    /// The offsets in the order of the problem as given.
    pub(in crate::packing) fn unsort(&self, offsets: &[Bytes]) -> Result<Vec<Bytes>, Error> {
        let mut unsorted = Vec::new();
        refill(&mut unsorted, offsets.len(), Bytes::ZERO)?;
        for (&position, &offset) in self.positions.iter().zip(offsets) {
            if let Some(slot) = unsorted.get_mut(position as usize) {
                *slot = offset;
            }
        }
        Ok(unsorted)
    }
}

fn order(problem: &Problem<'_>) -> Result<Order, Error> {
    let mut order = Order::default();
    order.start(problem.buffers.len())?;
    let buffer = |at: usize| problem.buffers.get(at).copied();
    if !problem.gaps.is_empty() {
        order.sort_by_key(&mut |at| mix(gaps_of(problem, at)))?;
    }
    order.sort_by_key(&mut |at| {
        buffer(at).and_then(|buffer| buffer.fixed).map_or(0, |place| (place.0 as u64).saturating_add(1))
    })?;
    order.sort_by_key(&mut |at| buffer(at).map_or(0, |buffer| buffer.alignment.get() as u64))?;
    order.sort_by_key(&mut |at| buffer(at).map_or(0, |buffer| buffer.size.0 as u64))?;
    order.sort_by_key(&mut |at| {
        buffer(at).map_or(0, |buffer| u64::from(buffer.first_node as u32) << 32 | u64::from(buffer.last_node as u32))
    })?;
    Ok(order)
}

fn gaps_of<'a>(problem: &Problem<'a>, buffer: usize) -> &'a [Gap] {
    let first = problem.gaps.partition_point(|gap| (gap.buffer as usize) < buffer);
    let gaps = problem.gaps.get(first..).unwrap_or_default();
    gaps.get(..gaps.partition_point(|gap| gap.buffer as usize == buffer)).unwrap_or_default()
}

/// A number that tells the gaps of a buffer from other gaps.
fn mix(gaps: &[Gap]) -> u64 {
    gaps.iter().fold(0, |hash, gap| {
        let (low, high) = gap.window.unwrap_or_default();
        let numbers = [gap.first_node as u64, gap.last_node as u64, low.0 as u64, high.0 as u64];
        numbers.iter().fold(hash, |hash, number| (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    })
}
