//! What lies where, and the best-fitting gap among it.

use alloc::vec::Vec;

use crate::Bytes;
use crate::collections::{OutOfMemory, insert_within, push, push_within, reserve};
use crate::gap::{BestGap, Pass};
use crate::order::Order;
use crate::runs::Run;

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

/// The allocations of an arena, sorted by offset.
#[derive(Clone, Debug, Default)]
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
    // Once, not for each wish: a hundred bytes.
    #[inline(never)]
    pub fn retain(&mut self, keep: &dyn Fn(&Allocation) -> bool) {
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

    /// Replaces all by `allocations`, in any order; those with the same offset stay in theirs.
    pub fn rebuild(&mut self, allocations: &mut dyn Iterator<Item = Allocation>) -> Result<(), OutOfMemory> {
        self.sorted.clear();
        let mut unsorted = Vec::new();
        for allocation in allocations {
            push(&mut unsorted, allocation)?;
        }
        let mut order = Order::default();
        order.start(unsorted.len())?;
        order.sort_by_key(&mut |at| unsorted.get(at).map_or(0, |allocation| allocation.offset.0 as u64))?;
        reserve(&mut self.sorted, unsorted.len())?;
        for at in order.positions() {
            if let Some(&allocation) = unsorted.get(at) {
                push_within(&mut self.sorted, allocation);
            }
        }
        Ok(())
    }

    /// Adds one, behind those with the same offset.
    pub fn insert(&mut self, allocation: Allocation) -> Result<(), OutOfMemory> {
        reserve(&mut self.sorted, 1)?;
        let position = self.sorted.partition_point(|other| other.offset <= allocation.offset);
        insert_within(&mut self.sorted, position, allocation);
        Ok(())
    }

    /// Makes room for `count` more.
    pub(crate) fn reserve(&mut self, count: usize) -> Result<(), OutOfMemory> {
        reserve(&mut self.sorted, count)
    }

    /// Gives an allocation its place, and adds it. False when that is beyond the address space.
    pub fn place(&mut self, allocation: &mut Allocation, best: BestGap) -> Result<bool, OutOfMemory> {
        let Some(offset) = self.best_fit(allocation.first_node, allocation.last_node, best) else { return Ok(false) };
        allocation.offset = offset;
        self.insert(*allocation)?;
        Ok(true)
    }

    /// The start of the smallest gap between allocations alive from `first_node` to `last_node`, else the end of the
    /// last of them; `None` beyond the address space. Looks at every allocation.
    pub(crate) fn best_fit(&self, first_node: i32, last_node: i32, best: BestGap) -> Option<Bytes> {
        let mut pass = Pass::new(best);
        for other in self.sorted.iter().filter(|other| other.is_alive_within(first_node, last_node)) {
            if pass.run(Run { start: other.offset, end: other.end() }) {
                break;
            }
        }
        pass.found()
    }
}
