//! What lies where, and the best-fitting gap among it.

use alloc::vec::Vec;

use crate::collections::{insert_within, push, reserve, sort_by};
use crate::{Alignment, Bytes, Error};

/// Bytes that belong to a tensor from one node to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First byte.
    pub offset: Bytes,
    /// Number of bytes, not rounded up.
    pub size: Bytes,
    /// The tensor.
    pub tensor: i32,
    /// The first node that needs them.
    pub first_node: i32,
    /// The last node that needs them; `END` when they are never given back.
    pub last_node: i32,
}

impl Allocation {
    /// The first byte behind; saturates, as a placed allocation has been checked to end inside the address space.
    pub fn end(&self) -> Bytes {
        self.offset.saturating_add(self.size)
    }

    fn is_alive_within(&self, first_node: i32, last_node: i32) -> bool {
        self.last_node >= first_node && self.first_node <= last_node
    }
}

/// How a gap is measured against the best so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapMeasure {
    /// From where it begins: upstream's way up to 2.1.
    FromStart,
    /// From its first aligned byte, though it is remembered as measured from where it begins: upstream's way since 2.2.
    /// Identical placement needs exactly this.
    FromAlignedStart,
}

/// The allocations of an arena, sorted by offset.
#[derive(Debug, Default)]
pub struct Occupancy {
    sorted: Vec<Allocation>,
}

impl Occupancy {
    /// All of them, lowest offset first.
    pub fn allocations(&self) -> &[Allocation] {
        &self.sorted
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.sorted.clear();
    }

    /// Keeps those that `keep` wants.
    pub fn retain(&mut self, keep: impl Fn(&Allocation) -> bool) {
        let mut kept = 0;
        for at in 0..self.sorted.len() {
            let Some(&allocation) = self.sorted.get(at) else {
                break;
            };
            if keep(&allocation) {
                if let Some(slot) = self.sorted.get_mut(kept) {
                    *slot = allocation;
                }
                kept += 1;
            }
        }
        self.sorted.truncate(kept);
    }

    /// Replaces all by `allocations`, in any order.
    pub fn rebuild(&mut self, allocations: impl Iterator<Item = Allocation>) -> Result<(), Error> {
        self.sorted.clear();
        for allocation in allocations {
            push(&mut self.sorted, allocation)?;
        }
        sort_by(&mut self.sorted, |a, b| (a.offset, a.tensor) < (b.offset, b.tensor));
        Ok(())
    }

    /// Adds one, behind those with the same offset.
    pub fn insert(&mut self, allocation: Allocation) -> Result<(), Error> {
        reserve(&mut self.sorted, 1)?;
        let position = self.sorted.partition_point(|other| other.offset <= allocation.offset);
        insert_within(&mut self.sorted, position, allocation);
        Ok(())
    }

    /// The offset where `size` bytes fit best from `first_node` to `last_node`: the start of the smallest gap between
    /// allocations alive in that time, else the end of the last of them.
    pub fn best_fit(
        &self,
        size: Bytes,
        alignment: Alignment,
        first_node: i32,
        last_node: i32,
        measure: GapMeasure,
    ) -> Option<Bytes> {
        let mut best: Option<(Bytes, Bytes)> = None;
        let mut gap_start = Bytes::ZERO;
        for allocation in self.sorted.iter().filter(|other| other.is_alive_within(first_node, last_node)) {
            if let Some(start) = fits(gap_start, allocation.offset, size, alignment) {
                let gap = allocation.offset.saturating_sub(gap_start);
                let measured = match measure {
                    GapMeasure::FromStart => gap,
                    GapMeasure::FromAlignedStart => allocation.offset.saturating_sub(start),
                };
                if best.is_none_or(|(_, best_gap)| measured < best_gap) {
                    best = Some((start, gap));
                }
            }
            gap_start = gap_start.max(allocation.end());
        }
        match best {
            Some((start, _)) => Some(start),
            None => {
                let start = gap_start.align_up(alignment)?;
                start.checked_add(size).map(|_| start)
            }
        }
    }
}

/// Where `size` bytes start in the gap, if they fit.
fn fits(gap_start: Bytes, gap_end: Bytes, size: Bytes, alignment: Alignment) -> Option<Bytes> {
    let start = gap_start.align_up(alignment)?;
    (start.checked_add(size)? <= gap_end).then_some(start)
}
