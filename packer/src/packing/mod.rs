//! Packing without a graph: buffers that are alive from one node to another, each to be given an offset, so that no two that
//! are alive at once share a byte and the arena is as low as can be.

#[cfg(feature = "best")]
mod best;
mod bound;
mod check;
#[cfg(feature = "exact")]
mod exact;
mod fit;
mod greedy;
#[cfg(any(feature = "best", feature = "exact"))]
mod search;
mod sections;
mod sorted;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

#[cfg(feature = "best")]
pub use best::{best, best_steps};
pub use bound::lower_bound;
pub use check::{Clash, check};
#[cfg(feature = "exact")]
pub use exact::exact;
pub use greedy::{greedy, in_order};

use crate::{Alignment, Bytes};

/// A buffer to be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The first node that needs it; 0 or more.
    pub first_node: i32,
    /// The last node that needs it, not before the first; `END` when it is never given back.
    pub last_node: i32,
    /// Its size; 0 takes no room.
    pub size: Bytes,
    /// What its offset must be a multiple of.
    pub alignment: Alignment,
    /// Where it must lie; the caller vouches for its alignment. `None` to be given a place.
    pub fixed: Option<Bytes>,
}

/// Nodes at which a buffer needs fewer bytes than it has, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The buffer, by its position.
    pub buffer: u32,
    /// The first node of the gap.
    pub first_node: i32,
    /// The last one.
    pub last_node: i32,
    /// The bytes that are needed meanwhile, counted from the buffer's start; `None` for none.
    pub window: Option<(Bytes, Bytes)>,
}

/// What is to be packed.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The buffers.
    pub buffers: &'a [Buffer],
    /// The gaps of all buffers, sorted by buffer and first node, apart from each other and inside their buffers' lives.
    pub gaps: &'a [Gap],
}

/// Steps after which [`exact`] may be left alone: it could search for ever, and some ten seconds are enough for most.
#[cfg(feature = "exact")]
pub const EXACT_STEPS: u64 = 1_000_000;

/// How long to search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Steps, each a buffer placed by trial; the same number leads to the same plan everywhere.
    pub steps: u64,
    /// The height to be met: the search ends as soon as it is. `None` for the lowest there is.
    pub capacity: Option<Bytes>,
}

/// Where a search stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Steps so far.
    pub steps: u64,
    /// The lowest plan so far.
    pub height: Bytes,
    /// What is proven: no plan is lower.
    pub lower_bound: Bytes,
}

/// Watches a search from outside, which may have a clock or hear Ctrl-C.
pub trait Watch {
    /// Asked now and then; false ends the search with the best plan so far.
    fn go_on(&mut self, progress: &Progress) -> bool;
}

/// Nobody watches.
impl Watch for () {
    fn go_on(&mut self, _: &Progress) -> bool {
        true
    }
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// An offset for each buffer, in the order of the problem. Those of buffers without bytes are 0.
    pub offsets: Vec<Bytes>,
    /// Where the highest buffer ends.
    pub height: Bytes,
    /// What is proven: no plan is lower. Equal to the height when the plan is optimal.
    pub lower_bound: Bytes,
    /// Steps that the search took.
    pub steps: u64,
}

/// The value at a position, zero where there is none.
fn get<T: Copy + Default>(values: &[T], at: usize) -> T {
    values.get(at).copied().unwrap_or_default()
}
