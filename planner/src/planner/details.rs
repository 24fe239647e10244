//! What the debug dump tells beyond the table.

use alloc::vec::Vec;

use super::Planner;
use crate::Arena;
use crate::fallible::{OutOfMemory, at, at_mut, push, refill};
use crate::occupancy::Allocation;
use crate::picture::Picture;
use crate::previous::{NOBODY, previous_owners};
use crate::text::TextSink;

/// The ArenaRw arena, looked at as a whole.
pub(super) struct Details {
    picture: Picture,
    /// By tensor.
    previous: Vec<i32>,
}

impl Planner {
    pub(super) fn details(&self) -> Result<Details, OutOfMemory> {
        let allocations = self.rw_allocations()?;
        let nodes = self.topology.num_nodes().max(1);
        let picture = Picture::draw(&allocations, self.rw.needed, nodes, self.options.tensor_alignment)?;
        Ok(Details { picture, previous: self.previous_owners()? })
    }

    /// By tensor that owns bytes, the one that had some of them last before it; [`NOBODY`] where there is none, and always in
    /// the persistent arena, where no bytes are given back.
    pub fn previous_owners(&self) -> Result<Vec<i32>, OutOfMemory> {
        let allocations = self.rw_allocations()?;
        let mut by_tensor = Vec::new();
        refill(&mut by_tensor, self.usages.len(), NOBODY)?;
        for (allocation, owner) in allocations.iter().zip(previous_owners(&allocations)?) {
            if let Some(slot) = at_mut(&mut by_tensor, allocation.tensor) {
                *slot = owner;
            }
        }
        Ok(by_tensor)
    }

    fn rw_allocations(&self) -> Result<Vec<Allocation>, OutOfMemory> {
        let mut allocations = Vec::new();
        self.allocations(Arena::Rw).try_for_each(|allocation| push(&mut allocations, allocation))?;
        Ok(allocations)
    }
}

impl Details {
    pub(super) fn write_picture(&self, out: &mut impl TextSink) {
        self.picture.write(out);
    }

    /// For a tensor's line in the table: the letter of the one that owns its bytes.
    pub(super) fn write_letter(&self, root: i32, out: &mut impl TextSink) {
        out.text("  ");
        out.bytes(&[self.picture.letter(root).unwrap_or(b'-')]);
    }

    /// For a tensor's line in the table: who had the bytes before.
    pub(super) fn write_previous(&self, root: i32, out: &mut impl TextSink) {
        if let Some(&previous) = at(&self.previous, root).filter(|&&previous| previous != NOBODY) {
            out.filled_in("  after @", [previous as usize, 0, 0]);
        }
    }
}
