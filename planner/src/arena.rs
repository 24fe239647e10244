//! The offsets of upstream's `SimpleMemoryArena`: allocations with usage intervals, and the high-water mark.

use crate::dump::{live_bytes, table_heading, table_row};
use crate::fallible::OutOfMemory;
use crate::occupancy::{Allocation, Occupancy};
use crate::text::TextSink;
use crate::{Alignment, Bytes, END, Error};
use arena_packer::{BestGap, GapMeasure};

/// The tensor of allocations that are known by their offset.
const UNNAMED: i32 = -1;

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
        OffsetArena { active: Occupancy::default(), high_water_mark: Bytes::ZERO, alignment }
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
        let allocation = Allocation { offset: Bytes::ZERO, size, tensor, first_node, last_node };
        self.place(alignment, allocation, GapMeasure::FromAlignedStart)
    }

    /// Places `size` bytes in the best-fitting gap of what is allocated at this moment: upstream's way up to 2.1.
    pub fn allocate_in_order(&mut self, alignment: Alignment, size: Bytes) -> Result<Allocation, Error> {
        let allocation = Allocation { offset: Bytes::ZERO, size, tensor: UNNAMED, first_node: 0, last_node: END };
        self.place(alignment, allocation, GapMeasure::FromStart)
    }

    fn place(
        &mut self,
        alignment: Alignment,
        mut allocation: Allocation,
        measure: GapMeasure,
    ) -> Result<Allocation, Error> {
        if alignment > self.alignment {
            return Err(Error::AlignmentAboveArena { asked: alignment.get(), limit: self.alignment.get() });
        }
        let Allocation { size, tensor, .. } = allocation;
        if size > Bytes::ZERO {
            if !self.active.place(&mut allocation, BestGap::new(size, alignment, measure))? {
                return Err(Error::Overflow { tensor, bytes: size.0 });
            }
            self.high_water_mark = self.high_water_mark.max(allocation.end());
        }
        Ok(allocation)
    }

    /// Gives the bytes of `tensor` free. It is no error if it has none.
    pub fn deallocate(&mut self, tensor: i32) {
        self.active.retain(&|allocation| allocation.tensor != tensor);
    }

    /// Gives free what was allocated in order at `offset`. It is an error if no allocation of `size` bytes lies there.
    pub fn deallocate_in_order(&mut self, offset: Bytes, size: Bytes) -> Result<(), Error> {
        if size == Bytes::ZERO {
            return Ok(());
        }
        let is_it = |allocation: &Allocation| {
            allocation.tensor == UNNAMED && allocation.offset == offset && allocation.size == size
        };
        if !self.active.allocations().iter().any(is_it) {
            return Err(Error::Refused("no allocation of that size lies at that offset"));
        }
        self.active.retain(&|allocation| !is_it(allocation));
        Ok(())
    }

    /// Forgets all allocations; the high-water mark stays.
    pub fn reset_allocs(&mut self) {
        self.active.clear();
    }

    /// Forgets allocations that end before `node`.
    pub fn purge_active_allocs(&mut self, node: i32) {
        self.active.retain(&|allocation| allocation.last_node >= node);
    }

    /// Forgets allocations that begin after `node`.
    pub fn purge_after(&mut self, node: i32) {
        self.active.retain(&|allocation| allocation.first_node <= node);
    }

    /// Takes those of `allocations` that are alive at `node` for the active ones. On an error none is active.
    pub fn calculate_active_allocs(
        &mut self,
        allocations: impl Iterator<Item = Allocation>,
        node: i32,
    ) -> Result<(), OutOfMemory> {
        let mut alive = allocations.filter(|allocation| allocation.first_node <= node && allocation.last_node >= node);
        self.active.rebuild(&mut alive).inspect_err(|_| self.active.clear())
    }

    /// Forgets all allocations and the high-water mark.
    pub fn clear_plan(&mut self) {
        self.active.clear();
        self.high_water_mark = Bytes::ZERO;
    }

    /// `RequiredBufferSize`: the high-water mark, and upstream's two alignments for a buffer that is aligned by hand.
    pub fn required_buffer_size(&self) -> Result<Bytes, Error> {
        let padding = Bytes(self.alignment.get()).saturating_add(Bytes(self.alignment.get()));
        let overflow = Error::Overflow { tensor: UNNAMED, bytes: self.high_water_mark.0 };
        self.high_water_mark.checked_add(padding).ok_or(overflow)
    }

    /// Bytes that the allocations made so far need.
    pub fn high_water_mark(&self) -> Bytes {
        self.high_water_mark
    }

    /// The active allocation with this number, lowest offset first.
    pub fn active_alloc(&self, index: usize) -> Option<Allocation> {
        self.active.allocations().get(index).copied()
    }

    /// Writes the active allocations, lowest offset first, and the live bytes of each node of `execution_plan`.
    pub fn dump(&self, execution_plan: &[i32], out: &mut impl TextSink) {
        out.filled_in("high-water mark: # bytes\n", [self.high_water_mark.0, 0, 0]);
        table_heading(out);
        for allocation in self.active.allocations() {
            table_row(allocation, out);
            out.text("\n");
        }
        let nodes = execution_plan.iter().map(|&node| (node, node));
        live_bytes(nodes, || self.active.allocations().iter().copied(), out);
    }
}
