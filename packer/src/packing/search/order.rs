//! Which items a search prefers, among those that start at the same height.

use alloc::vec::Vec;

use super::model::Model;
use crate::Error;
use crate::collections::refill;
use crate::order::Order;

/// How much each property of an item counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    /// For each doubling of its lifetime.
    pub(super) length: u32,
    /// For each doubling of its size.
    pub(super) size: u32,
    /// For a hundredth of the capacity more in the fullest section that it is alive in.
    pub(super) load: u32,
    /// For chance, at the most.
    pub(super) chance: u32,
}

/// Numbers that look random, and are the same every time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// A number below `end`.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed >> 32) * u64::from(end)) >> 32) as u32
    }
}

/// By item, its place in the order of preference.
pub(super) fn rank(
    model: &Model,
    loads: &[u32],
    weights: Weights,
    seed: u64,
    order: &mut Order,
    ranks: &mut Vec<u32>,
) -> Result<(), Error> {
    let fullest = loads.iter().copied().max().unwrap_or(0);
    order.start(model.items.len())?;
    order.sort_by_key(&mut |at| {
        let Some(item) = model.items.get(at) else { return 0 };
        let load = model.spans(item).iter().flat_map(|span| span.of(loads)).copied().max().unwrap_or(0);
        let length: u32 = model.spans(item).iter().map(|span| span.to - span.from).sum();
        let value = u64::from(weights.length) * logarithm(length)
            + u64::from(weights.size) * logarithm(item.size)
            + u64::from(weights.load) * (u64::from(load) * 25_600).checked_div(fullest.into()).unwrap_or(0)
            + u64::from(Chance(seed ^ (at as u64) << 32).below(weights.chance.saturating_mul(256).max(1)));
        u64::MAX - value
    })?;
    refill(ranks, model.items.len(), 0)?;
    for (rank, at) in (0..).zip(order.positions()) {
        if let Some(slot) = ranks.get_mut(at) {
            *slot = rank;
        }
    }
    Ok(())
}

/// The binary logarithm, in steps of a 256th; between powers of two, it rises evenly.
fn logarithm(value: u32) -> u64 {
    let Some(exponent) = value.checked_ilog2() else { return 0 };
    let fraction = (u64::from(value) << 8 >> exponent) - 256;
    u64::from(exponent) * 256 + fraction
}
