//! The object behind `tflite_memory_planner_…`: buffers that come one by one, and the plan for them.
//!
//! It is written for few bytes: what it does takes time in proportion to the square of the number of buffers.

use alloc::vec::Vec;

use arena_planner::fallible::{at_mut, push, refill};
use arena_planner::occupancy::{Allocation, Occupancy};
use arena_planner::{Alignment, BestGap, Bytes, Error, GapMeasure};

use crate::boundary::Object;
use crate::last_error::LastError;
use crate::status::Failure;
use crate::types::{TfliteArenaMemoryBuffer, TfliteArenaMemoryPlannerOptions, TfliteArenaStrategy};

/// In the place of an offset: there is none.
pub(crate) const NOWHERE: usize = usize::MAX;

/// A planner for buffers without a graph.
pub struct TfliteArenaMemoryPlanner {
    /// As they were added.
    buffers: Vec<TfliteArenaMemoryBuffer>,
    /// The plan: an offset for each buffer. Empty, but for a plan of no buffers, when there is none.
    offsets: Vec<usize>,
    /// The plan that is being made.
    next: Vec<usize>,
    /// The order in which it is made, as positions of buffers.
    order: Vec<i32>,
    figures: Option<Figures>,
    error: LastError,
}

/// What is known of a plan, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) height: usize,
    pub(crate) lower_bound: usize,
}

impl Object for TfliteArenaMemoryPlanner {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaMemoryPlanner {
    pub(crate) fn new() -> TfliteArenaMemoryPlanner {
        TfliteArenaMemoryPlanner {
            buffers: Vec::new(),
            offsets: Vec::new(),
            next: Vec::new(),
            order: Vec::new(),
            figures: None,
            error: LastError::new(),
        }
    }

    pub(crate) fn add(&mut self, buffer: TfliteArenaMemoryBuffer) -> Result<i32, Failure> {
        if buffer.first_node < 0 || buffer.last_node < buffer.first_node {
            return Err(Error::Refused("a buffer's nodes are negative, or the last comes before the first").into());
        }
        if buffer.alignment != 0 {
            Alignment::new(buffer.alignment)?;
        }
        let count = self.buffers.len();
        let handle = i32::try_from(count).map_err(|_| Error::TooMany { count })?;
        push(&mut self.buffers, buffer)?;
        self.figures = None;
        Ok(handle)
    }

    pub(crate) fn handle(&self, index: usize) -> Result<i32, Failure> {
        if index < self.buffers.len() { Ok(index as i32) } else { Err(Failure::Handle(index)) }
    }

    pub(crate) fn figures(&self) -> Result<Figures, Error> {
        self.figures.ok_or(Error::NotPlanned)
    }

    pub(crate) fn offset(&self, handle: i32) -> Result<usize, Failure> {
        self.figures()?;
        self.offsets.get(handle as usize).copied().ok_or(Failure::Handle(handle as usize))
    }

    /// # Safety
    /// The options' callbacks and what they are handed are what `TfliteArenaMemoryPlannerOptions` says.
    pub(crate) unsafe fn plan(&mut self, options: &TfliteArenaMemoryPlannerOptions) -> Result<(), Failure> {
        let default = Alignment::new(options.alignment)?;
        let strategy = TfliteArenaStrategy::try_from(options.strategy)?;
        let count = self.buffers.len();
        refill(&mut self.next, count, NOWHERE)?;
        refill(&mut self.order, count, -1)?;
        let mut status = 0;
        match (options.order, options.place) {
            (None, None) => self.sort(strategy)?,
            (Some(order), None) => {
                // SAFETY: by this function's contract; both arrays have that many elements.
                status = unsafe { order(options.user, self.buffers.as_ptr(), count, self.order.as_mut_ptr()) };
            }
            (None, Some(place)) => {
                // SAFETY: as above.
                status = unsafe { place(options.user, self.buffers.as_ptr(), count, self.next.as_mut_ptr()) };
            }
            (Some(_), Some(_)) => status = 1,
        }
        if status != 0 {
            return Err(Error::Refused("the caller's strategy failed, or there are two").into());
        }
        if options.place.is_none() {
            let in_order = strategy == TfliteArenaStrategy::InOrder && options.order.is_none();
            let measure = if in_order { GapMeasure::FromStart } else { GapMeasure::FromAlignedStart };
            self.place_each(default, measure)?;
        }
        let figures = self.judge(default)?;
        if options.capacity != 0 && figures.height > options.capacity {
            return Err(Failure::AboveCapacity(figures.height));
        }
        core::mem::swap(&mut self.offsets, &mut self.next);
        self.figures = Some(figures);
        Ok(())
    }

    /// Puts all buffers into the order of a strategy.
    fn sort(&mut self, strategy: TfliteArenaStrategy) -> Result<(), Error> {
        let by_size = match strategy {
            TfliteArenaStrategy::Greedy => true,
            TfliteArenaStrategy::InOrder => false,
            TfliteArenaStrategy::Best => return Err(Error::Unsupported("strategy best")),
            TfliteArenaStrategy::Exact => return Err(Error::Unsupported("strategy exact")),
        };
        let key = |handle: i32| match self.buffers.get(handle as usize) {
            Some(buffer) => (if by_size { !buffer.size } else { 0 }, buffer.first_node, handle),
            None => (usize::MAX, i32::MAX, i32::MAX),
        };
        for handle in 0..self.order.len() {
            let mut carried = handle as i32;
            for slot in self.order.iter_mut().take(handle + 1) {
                if key(carried) < key(*slot) {
                    core::mem::swap(slot, &mut carried);
                }
            }
        }
        Ok(())
    }

    /// Gives each buffer that the order names its place around the fixed ones and those before it.
    fn place_each(&mut self, default: Alignment, measure: GapMeasure) -> Result<(), Error> {
        let mut occupied = Occupancy::default();
        let fixed = |buffer: &&TfliteArenaMemoryBuffer| buffer.offset != NOWHERE && buffer.size > 0;
        occupied.rebuild(&mut self.buffers.iter().filter(fixed).map(TfliteArenaMemoryBuffer::allocation))?;
        for &handle in &self.order {
            let Some((buffer, next)) = self.buffers.get(handle as usize).zip(at_mut(&mut self.next, handle)) else {
                continue;
            };
            *next = buffer.offset;
            if *next == NOWHERE && buffer.size > 0 {
                let mut allocation = buffer.allocation();
                let best = BestGap::new(allocation.size, buffer.alignment(default), measure);
                if !occupied.place(&mut allocation, best)? {
                    return Err(Error::Overflow { tensor: handle, bytes: buffer.size });
                }
                *next = allocation.offset.0;
            }
        }
        Ok(())
    }

    /// Refuses a plan in which a buffer lies where it may not, or two use the same bytes at once.
    fn judge(&mut self, default: Alignment) -> Result<Figures, Failure> {
        let mut figures = Figures { height: 0, lower_bound: 0 };
        let finest = self.buffers.iter().map(|buffer| buffer.alignment(default)).min().unwrap_or(default).get();
        for (id, buffer) in self.buffers.iter().enumerate() {
            let Some(next) = self.next.get_mut(id) else { continue };
            if buffer.size == 0 {
                *next = 0;
                continue;
            }
            let offset = *next;
            let end = offset.saturating_add(buffer.size);
            let is_fixed_elsewhere = buffer.offset != NOWHERE && buffer.offset != offset;
            if end == NOWHERE || offset & (buffer.alignment(default).get() - 1) != 0 || is_fixed_elsewhere {
                return Err(Failure::Misplaced(id));
            }
            figures.height = figures.height.max(end);
            // What is alive where this one begins. Of two that meet, one is alive where the other begins.
            let (mut alive, mut padding) = (0usize, 0);
            for (other_id, (other, &other_offset)) in self.buffers.iter().zip(&self.next).enumerate() {
                if other.first_node <= buffer.first_node && buffer.first_node <= other.last_node && other.size > 0 {
                    if id != other_id && other_offset < end && offset < other_offset.saturating_add(other.size) {
                        return Err(Failure::Overlap(id, other_id));
                    }
                    let padded = other.size.saturating_add(finest - 1) & !(finest - 1);
                    alive = alive.saturating_add(padded);
                    padding = padded.saturating_sub(other.size).max(padding);
                }
            }
            figures.lower_bound = figures.lower_bound.max(alive - padding);
        }
        Ok(figures)
    }
}

impl TfliteArenaMemoryBuffer {
    fn alignment(&self, default: Alignment) -> Alignment {
        Alignment::new(self.alignment).unwrap_or(default)
    }

    fn allocation(&self) -> Allocation {
        let &TfliteArenaMemoryBuffer { size, offset, first_node, last_node, .. } = self;
        Allocation { offset: Bytes(offset), size: Bytes(size), tensor: 0, first_node, last_node }
    }
}
