//! The object behind `tflite_memory_planner_…`: buffers that come one by one, and the plan for them.
//!
//! It is written for few bytes: what it does takes time in proportion to the square of the number of buffers.

use alloc::vec::Vec;

use arena_planner::fallible::{push, refill};
use arena_planner::occupancy::{Allocation, Occupancy};
use arena_planner::strategy::Choice;
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
    /// No buffer has a finer alignment of its own.
    finest: usize,
    error: LastError,
}

/// In which order buffers get their places.
#[derive(Clone, Copy)]
enum Sequence {
    /// The largest first; equal ones as they begin.
    Size,
    /// As they begin.
    FirstNode,
    /// As the caller has listed them.
    Listed,
}

/// What is known of a plan, in bytes.
#[derive(Clone, Copy)]
struct Figures {
    height: usize,
    lower_bound: usize,
}

/// What can be asked of a plan.
#[derive(Clone, Copy)]
pub(crate) enum Figure {
    /// Of the buffer with this handle.
    Offset(i32),
    Height,
    LowerBound,
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
            finest: usize::MAX,
            error: LastError::new(),
        }
    }

    pub(crate) fn add(&mut self, buffer: TfliteArenaMemoryBuffer) -> Result<i32, Failure> {
        let handle = self.buffers.len() as i32;
        if buffer.first_node < 0 || buffer.last_node < buffer.first_node || handle == i32::MAX {
            return Err(Error::Refused("bad nodes, or too many buffers").into());
        }
        if buffer.alignment != 0 {
            self.finest = Alignment::new(buffer.alignment)?.get().min(self.finest);
        }
        push(&mut self.buffers, buffer)?;
        self.figures = None;
        Ok(handle)
    }

    pub(crate) fn handle(&self, index: usize) -> Result<i32, Failure> {
        if index < self.buffers.len() { Ok(index as i32) } else { Err(Failure::NoBuffer) }
    }

    pub(crate) fn figure(&self, figure: Figure) -> Result<usize, Failure> {
        let Figures { height, lower_bound } = self.figures.ok_or(Error::NotPlanned)?;
        match figure {
            Figure::Offset(handle) => self.offsets.get(handle as usize).copied().ok_or(Failure::NoBuffer),
            Figure::Height => Ok(height),
            Figure::LowerBound => Ok(lower_bound),
        }
    }

    /// # Safety
    /// The options' callbacks and what they are handed are what `TfliteArenaMemoryPlannerOptions` says.
    pub(crate) unsafe fn plan(&mut self, options: &TfliteArenaMemoryPlannerOptions) -> Result<(), Failure> {
        let default = Alignment::new(options.alignment)?;
        let strategy = TfliteArenaStrategy::try_from(options.strategy)?.choice()?;
        let mut sequence = match strategy {
            Choice::InOrder => Sequence::FirstNode,
            _ => Sequence::Size,
        };
        let (buffers, count) = (self.buffers.as_ptr(), self.buffers.len());
        refill(&mut self.next, count, NOWHERE)?;
        if options.order.is_some() && options.place.is_some() {
            return Err(Error::Refused("order and place are both set").into());
        }
        let mut status = 0;
        if let Some(order) = options.order {
            refill(&mut self.order, count, -1)?;
            sequence = Sequence::Listed;
            // SAFETY: by this function's contract; both arrays have that many elements.
            status = unsafe { order(options.user, buffers, count, self.order.as_mut_ptr()) };
        }
        if let Some(place) = options.place {
            // SAFETY: as above.
            status |= unsafe { place(options.user, buffers, count, self.next.as_mut_ptr()) };
        } else if status == 0 {
            self.place_each(default, sequence)?;
        }
        if status != 0 {
            return Err(Error::Refused("the caller's strategy failed").into());
        }
        #[allow(unused_mut, reason = "a strategy that searches finds another plan")]
        let mut figures = self.judge(default)?;
        #[cfg(any(feature = "best", feature = "exact"))]
        {
            let is_own = options.order.is_some() || options.place.is_some();
            if !is_own {
                figures = self.search(default, strategy, options, figures)?;
            }
        }
        if options.capacity != 0 && figures.height > options.capacity {
            return Err(Failure::AboveCapacity(figures.height));
        }
        core::mem::swap(&mut self.offsets, &mut self.next);
        self.figures = Some(figures);
        Ok(())
    }

    /// Searches for a plan lower than greedy's, if the strategy is one that searches. Greedy's plan has shown that the fixed
    /// buffers can be where they must.
    #[cfg(any(feature = "best", feature = "exact"))]
    fn search(
        &mut self,
        default: Alignment,
        strategy: Choice,
        options: &TfliteArenaMemoryPlannerOptions,
        greedy: Figures,
    ) -> Result<Figures, Failure> {
        if greedy.height <= greedy.lower_bound.max(options.capacity) {
            return Ok(greedy);
        }
        let Some(plan) = crate::memory_search::search(&self.buffers, default, strategy, options)? else {
            return Ok(greedy);
        };
        for (next, offset) in self.next.iter_mut().zip(&plan.offsets) {
            *next = offset.0;
        }
        let found = self.judge(default)?;
        Ok(Figures { lower_bound: found.lower_bound.max(plan.lower_bound.0), ..found })
    }

    /// Gives each buffer its place around the fixed ones and those before it.
    fn place_each(&mut self, default: Alignment, sequence: Sequence) -> Result<(), Error> {
        let measure = match sequence {
            Sequence::FirstNode => GapMeasure::FromStart,
            Sequence::Size | Sequence::Listed => GapMeasure::FromAlignedStart,
        };
        let mut occupied = Occupancy::default();
        let fixed = |buffer: &&TfliteArenaMemoryBuffer| buffer.offset != NOWHERE && buffer.size > 0;
        occupied.rebuild(&mut self.buffers.iter().filter(fixed).map(TfliteArenaMemoryBuffer::allocation))?;
        for (buffer, next) in self.buffers.iter().zip(&mut self.next) {
            *next = buffer.offset;
        }
        for position in 0..self.buffers.len() {
            let handle = match sequence {
                Sequence::Listed => self.order.get(position).map_or(NOWHERE, |&handle| handle as usize),
                Sequence::Size => self.foremost(true),
                Sequence::FirstNode => self.foremost(false),
            };
            let Some((buffer, next)) = self.buffers.get(handle).zip(self.next.get_mut(handle)) else { continue };
            if *next == NOWHERE && buffer.size > 0 {
                let mut allocation = buffer.allocation();
                let best = BestGap::new(allocation.size, buffer.alignment(default), measure);
                if !occupied.place(&mut allocation, best)? {
                    return Err(Error::Overflow { tensor: handle as i32, bytes: buffer.size });
                }
                *next = allocation.offset.0;
            }
        }
        Ok(())
    }

    /// The largest buffer without a place, of those the first to begin, of those the first to end; so that the order in which
    /// buffers were added does not count. Otherwise the first to begin, of those the first that was added.
    fn foremost(&self, by_size: bool) -> usize {
        let rank = |buffer: &TfliteArenaMemoryBuffer| {
            let nodes = (buffer.first_node as u64) << u32::BITS;
            match by_size {
                true => [u64::MAX - buffer.size as u64, nodes | buffer.last_node as u64, buffer.alignment as u64],
                false => [0, nodes, 0],
            }
        };
        let mut foremost = (NOWHERE, [u64::MAX; 3]);
        for (at, (buffer, &next)) in self.buffers.iter().zip(&self.next).enumerate() {
            let rank = rank(buffer);
            if next == NOWHERE && buffer.size > 0 && rank < foremost.1 {
                foremost = (at, rank);
            }
        }
        foremost.0
    }

    /// Refuses a plan in which a buffer lies where it may not, or two use the same bytes at once.
    fn judge(&mut self, default: Alignment) -> Result<Figures, Failure> {
        let mut figures = Figures { height: 0, lower_bound: 0 };
        let finest = self.finest.min(default.get());
        for (id, buffer) in self.buffers.iter().enumerate() {
            let Some(next) = self.next.get_mut(id) else { continue };
            if buffer.size == 0 {
                *next = 0;
                continue;
            }
            let offset = *next;
            let end = offset.checked_add(buffer.size);
            let is_fixed_elsewhere = buffer.offset != NOWHERE && buffer.offset != offset;
            let is_aligned = offset & (buffer.alignment(default).get() - 1) == 0;
            let Some(end) = end.filter(|_| is_aligned && !is_fixed_elsewhere) else {
                return Err(Failure::Misplaced(id));
            };
            figures.height = figures.height.max(end);
            if buffer.offset != NOWHERE {
                figures.lower_bound = figures.lower_bound.max(end);
            }
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
    pub(crate) fn alignment(&self, default: Alignment) -> Alignment {
        Alignment::new(self.alignment).unwrap_or(default)
    }

    fn allocation(&self) -> Allocation {
        let &TfliteArenaMemoryBuffer { size, offset, first_node, last_node, .. } = self;
        Allocation { offset: Bytes(offset), size: Bytes(size), tensor: 0, first_node, last_node }
    }
}
