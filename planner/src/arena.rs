//! The offsets of upstream's `SimpleMemoryArena`: allocations with usage intervals, and the high-water mark.

use crate::dump::{live_bytes, table_heading, table_row};
use crate::occupancy::{Allocation, Occupancy};
use crate::text::TextSink;
use crate::{Alignment, Bytes, Error};

/// An arena without its bytes.
#[derive(Debug)]
pub struct OffsetArena {
    active: Occupancy,
    high_water_mark: Bytes,
    alignment: Alignment,
}

impl OffsetArena {
    /// An arena whose buffer will start at a multiple of `alignment`.
    pub fn new(alignment: Alignment) -> OffsetArena {
        OffsetArena {
            active: Occupancy::default(),
            high_water_mark: Bytes::ZERO,
            alignment,
        }
    }

    /// Places `size` bytes from `first_node` to `last_node` in the best-fitting gap. Zero bytes take no room.
    pub fn allocate(
        &mut self,
        alignment: Alignment,
        size: Bytes,
        tensor: i32,
        first_node: i32,
        last_node: i32,
    ) -> Result<Allocation, Error> {
        if alignment > self.alignment {
            return Err(Error::AlignmentAboveArena {
                asked: alignment.get(),
                limit: self.alignment.get(),
            });
        }
        let mut allocation = Allocation {
            offset: Bytes::ZERO,
            size,
            tensor,
            first_node,
            last_node,
        };
        if size > Bytes::ZERO {
            allocation.offset = self
                .active
                .best_fit(size, alignment, first_node, last_node)
                .ok_or(Error::Overflow {
                    tensor,
                    bytes: size.0,
                })?;
            self.active.insert(allocation)?;
            self.high_water_mark = self.high_water_mark.max(allocation.end());
        }
        Ok(allocation)
    }

    /// Forgets all allocations; the high-water mark stays.
    pub fn reset_allocs(&mut self) {
        self.active.clear();
    }

    /// Forgets allocations that end before `node`.
    pub fn purge_active_allocs(&mut self, node: i32) {
        self.active.retain(|allocation| allocation.last_node >= node);
    }

    /// Forgets allocations that begin after `node`.
    pub fn purge_after(&mut self, node: i32) {
        self.active.retain(|allocation| allocation.first_node <= node);
    }

    /// Takes those of `allocations` that are alive at `node` for the active ones. On an error none is active.
    pub fn calculate_active_allocs(
        &mut self,
        allocations: impl Iterator<Item = Allocation>,
        node: i32,
    ) -> Result<(), Error> {
        let alive =
            allocations.filter(|allocation| allocation.first_node <= node && allocation.last_node >= node);
        self.active.rebuild(alive).inspect_err(|_| self.active.clear())
    }

    /// Forgets all allocations and the high-water mark.
    pub fn clear_plan(&mut self) {
        self.active.clear();
        self.high_water_mark = Bytes::ZERO;
    }

    /// Bytes that the allocations made so far need.
    pub fn high_water_mark(&self) -> Bytes {
        self.high_water_mark
    }

    /// Writes the active allocations, lowest offset first, and the live bytes of each node of `execution_plan`.
    pub fn dump(&self, execution_plan: &[i32], out: &mut impl TextSink) {
        out.text("high-water mark: ");
        out.number(self.high_water_mark.0);
        out.text(" bytes\n");
        table_heading(out);
        for allocation in self.active.allocations() {
            table_row(allocation, out);
            out.text("\n");
        }
        let nodes = execution_plan.iter().map(|&node| (node, node));
        live_bytes(nodes, || self.active.allocations().iter().copied(), out);
    }
}
