//! The problem as the search sees it: small numbers, and only what can make a difference.
//!
//! Sizes are counted in units, the largest in which all sizes and places are whole numbers. Every offset is a multiple of the
//! smallest alignment, so sizes are rounded up to it before: what lies above cannot start any earlier. Only the topmost buffer
//! needs no padding, which the highest offset that a buffer may have takes into account.

use alloc::vec::Vec;

use crate::collections::{push, refill};
use crate::packing::sections::{Cut, Sections};
use crate::packing::{Buffer, Problem};
use crate::{Bytes, Error};

/// The most units that are counted.
const MOST: u32 = u32::MAX - 1;

/// Sections that follow each other, from one up to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Span {
    pub(super) fn meets(self, other: Span) -> bool {
        self.from < other.to && other.from < self.to
    }

    pub(super) fn holds(self, other: Span) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// The values of its sections.
    pub(super) fn of<T>(self, values: &[T]) -> &[T] {
        values.get(self.from as usize..self.to as usize).unwrap_or_default()
    }

    /// The values of its sections, to be changed.
    pub(super) fn of_mut<T>(self, values: &mut [T]) -> &mut [T] {
        values.get_mut(self.from as usize..self.to as usize).unwrap_or_default()
    }
}

/// A buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Item {
    /// From its first section to its last.
    pub(super) hull: Span,
    /// The spans in which it is alive: `count` of them from `first` on.
    first: u32,
    count: u32,
    /// In units; so are all heights and offsets.
    pub(super) size: u32,
    /// What its offset is a multiple of, less one.
    mask: u32,
    /// Where it must lie.
    pub(super) fixed: Option<u32>,
    /// Its position in the problem.
    pub(super) position: u32,
}

impl Item {
    /// The first offset from `height` on that it may have; the maximum when there is none.
    pub(super) fn align(&self, height: u32) -> u32 {
        height.checked_add(self.mask).map_or(u32::MAX, |sum| sum & !self.mask)
    }
}

/// The buffers that have bytes.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) items: Vec<Item>,
    spans: Vec<Span>,
    /// How many sections there are.
    pub(super) sections: usize,
    /// The bytes in a unit.
    unit: usize,
    /// Added to a capacity before it is counted in units: the padding that the topmost buffer does not need.
    slack: usize,
    /// False when the search looks at less than all plans: windows are not made use of, or units are coarse.
    pub(super) complete: bool,
}

impl Model {
    /// Made for plans lower than `height`.
    pub(super) fn new(problem: &Problem<'_>, height: Bytes) -> Result<Model, Error> {
        let sections = Sections::new(problem, Cut::Fullest)?;
        let mut model = Model { sections: sections.count(), complete: true, ..Model::default() };
        model.choose_unit(problem);
        let mut load: Vec<u64> = Vec::new();
        loop {
            refill(&mut load, model.sections, 0)?;
            model.fill(problem, &sections, &mut load)?;
            let most = load.iter().copied().max().unwrap_or(0);
            if most < u64::from(MOST) && model.units(height) < MOST {
                return Ok(model);
            }
            model.complete = false;
            model.unit = model.unit.saturating_mul(2);
        }
    }

    /// A capacity, in units.
    pub(super) fn units(&self, capacity: Bytes) -> u32 {
        clamp(capacity.0.saturating_add(self.slack) / self.unit.max(1))
    }

    /// The highest offset that leaves room for `size` bytes below `capacity`; `None` when they are more.
    pub(super) fn highest(&self, size: Bytes, capacity: Bytes) -> Option<u32> {
        Some(clamp(capacity.0.checked_sub(size.0)? / self.unit.max(1)))
    }

    /// The lowest height at or above `height` that a plan can have: some buffer is the topmost.
    pub(super) fn next_height(&self, problem: &Problem<'_>, height: Bytes) -> Bytes {
        let ends = self.items.iter().filter_map(|item| {
            let size = problem.buffers.get(item.position as usize)?.size;
            let below = height.saturating_sub(size).0.div_ceil(self.unit.max(1));
            below.checked_mul(self.unit)?.checked_add(size.0)
        });
        ends.min().map_or(height, Bytes)
    }

    pub(super) fn spans(&self, item: &Item) -> &[Span] {
        let first = item.first as usize;
        self.spans.get(first..first + item.count as usize).unwrap_or_default()
    }

    pub(super) fn meet(&self, one: &Item, two: &Item) -> bool {
        one.hull.meets(two.hull)
            && (one.count + two.count == 2
                || self.spans(one).iter().any(|span| {
                    // In order of time, and apart from each other.
                    let others = self.spans(two);
                    others
                        .get(others.partition_point(|other| other.to <= span.from))
                        .is_some_and(|&other| span.meets(other))
                }))
    }

    fn choose_unit(&mut self, problem: &Problem<'_>) {
        let placed = || problem.buffers.iter().filter(|buffer| buffer.size != Bytes::ZERO);
        let starts_at = |buffer: &Buffer| buffer.fixed.map_or(buffer.alignment, Bytes::alignment);
        let smallest = placed().map(starts_at).min().unwrap_or_default();
        let round_up = |size: Bytes| size.align_up(smallest).unwrap_or(size).0;
        self.unit = placed().fold(0, |unit, buffer| {
            let unit = common(unit, round_up(buffer.size));
            common(unit, buffer.fixed.unwrap_or_default().0)
        });
        // Alignments that divide the unit ask for nothing. Any other one can move buffers by less than a unit.
        let largest = placed().map(|buffer| buffer.alignment).max().unwrap_or_default();
        if !self.unit.is_multiple_of(largest.get()) {
            self.unit = common(self.unit, largest.get());
        }
        self.slack = smallest.get() - 1;
    }

    fn fill(&mut self, problem: &Problem<'_>, sections: &Sections, load: &mut [u64]) -> Result<(), Error> {
        let unit = self.unit.max(1);
        self.items.clear();
        self.spans.clear();
        for (at, buffer) in problem.buffers.iter().enumerate() {
            let pieces = sections.of(at);
            let (Some(front), Some(back)) = (pieces.first(), pieces.last()) else { continue };
            let first = self.spans.len();
            let begin = buffer.fixed.map_or(0, |fixed| fixed.0 / unit);
            let end = buffer.fixed.unwrap_or_default().saturating_add(buffer.size).0.div_ceil(unit);
            let size = clamp(end - begin);
            for piece in pieces {
                let span = Span { from: piece.from, to: piece.to };
                self.complete &= piece.high.saturating_sub(piece.low) == buffer.size;
                match self.spans.get_mut(first..).and_then(|own| own.last_mut()).filter(|last| last.to == span.from) {
                    Some(last) => last.to = span.to,
                    None => push(&mut self.spans, span)?,
                }
                for load in span.of_mut(load) {
                    *load += u64::from(size);
                }
            }
            let alignment = (buffer.alignment.get() / unit).max(1);
            let mask = if buffer.fixed.is_some() { 0 } else { alignment - 1 };
            let item = Item {
                hull: Span { from: front.from, to: back.to },
                first: first as u32,
                count: (self.spans.len() - first) as u32,
                size,
                mask: u32::try_from(mask).unwrap_or(u32::MAX),
                fixed: buffer.fixed.map(|_| clamp(begin)),
                position: at as u32,
            };
            push(&mut self.items, item)?;
        }
        Ok(())
    }
}

/// As many units as can be told apart, or fewer.
fn clamp(units: usize) -> u32 {
    u32::try_from(units).unwrap_or(MOST).min(MOST)
}

/// The greatest common divisor.
fn common(mut one: usize, mut two: usize) -> usize {
    while let Some(rest) = one.checked_rem(two) {
        (one, two) = (two, rest);
    }
    one
}
