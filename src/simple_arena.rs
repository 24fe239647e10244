//! The object behind `tflite::SimpleMemoryArena`: offsets, and the buffer that they are offsets into.

use arena_planner::arena::OffsetArena;
use arena_planner::occupancy::Allocation;
use arena_planner::text::TextSink;
use arena_planner::{Alignment, Bytes, Error};

use crate::aligned_buffer::TfliteArenaResizableAlignedBuffer;
use crate::boundary::Object;
use crate::last_error::LastError;
use crate::status::Name;
use crate::types::{TfliteArenaAllocWithUsageInterval, TfliteArenaAllocator};

/// An arena for allocations with usage intervals, without a graph.
pub struct TfliteArenaSimpleMemoryArena {
    pub(crate) plan: OffsetArena,
    pub(crate) buffer: TfliteArenaResizableAlignedBuffer,
    pub(crate) committed: bool,
    error: LastError,
}

impl Object for TfliteArenaSimpleMemoryArena {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaSimpleMemoryArena {
    pub(crate) fn new(alignment: Alignment, allocator: Option<TfliteArenaAllocator>) -> TfliteArenaSimpleMemoryArena {
        TfliteArenaSimpleMemoryArena {
            plan: OffsetArena::new(alignment),
            buffer: TfliteArenaResizableAlignedBuffer::new(alignment, allocator),
            committed: false,
            error: LastError::new(),
        }
    }

    pub(crate) fn active_alloc(&self, index: usize) -> Result<TfliteArenaAllocWithUsageInterval, Error> {
        let alloc = self.plan.active_alloc(index).ok_or(Error::Refused("there are not that many allocations"))?;
        Ok(alloc.into())
    }

    pub(crate) fn resolve(&self, alloc: &TfliteArenaAllocWithUsageInterval) -> Result<*mut u8, Error> {
        if !self.committed {
            return Err(Error::NotCommitted);
        }
        let end = Bytes(alloc.offset).checked_add(Bytes(alloc.size));
        if end.is_none_or(|end| end.0 > self.buffer.size()) {
            return Err(Error::Refused("the allocation lies outside the committed arena"));
        }
        Ok(if alloc.size == 0 { core::ptr::null_mut() } else { self.buffer.at(Bytes(alloc.offset)) })
    }

    pub(crate) fn dump(&self, name: Name, execution_plan: &[i32], out: &mut impl TextSink) {
        name.write(out);
        out.text("\n");
        self.plan.dump(execution_plan, out);
    }
}

impl From<Allocation> for TfliteArenaAllocWithUsageInterval {
    fn from(allocation: Allocation) -> TfliteArenaAllocWithUsageInterval {
        let Allocation { offset, size, tensor, first_node, last_node } = allocation;
        TfliteArenaAllocWithUsageInterval { offset: offset.0, size: size.0, tensor, first_node, last_node }
    }
}

impl From<&TfliteArenaAllocWithUsageInterval> for Allocation {
    fn from(alloc: &TfliteArenaAllocWithUsageInterval) -> Allocation {
        let &TfliteArenaAllocWithUsageInterval { offset, size, tensor, first_node, last_node } = alloc;
        Allocation { offset: Bytes(offset), size: Bytes(size), tensor, first_node, last_node }
    }
}
