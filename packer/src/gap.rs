//! The best-fitting gap between occupied runs of bytes.

use crate::runs::Run;
use crate::{Alignment, Bytes};

/// How a gap is measured against the best so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapMeasure {
    /// From where it begins: upstream's way up to 2.1.
    FromStart,
    /// From its first aligned byte, though it is remembered as measured from where it begins: upstream's way since 2.2.
    /// Identical placement needs exactly this.
    FromAlignedStart,
}

/// The smallest gap so far for a number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct BestGap {
    size: Bytes,
    alignment: Alignment,
    measure: GapMeasure,
    found: Option<(Bytes, Bytes)>,
}

impl BestGap {
    /// Looks for `size` bytes.
    pub fn new(size: Bytes, alignment: Alignment, measure: GapMeasure) -> BestGap {
        BestGap { size, alignment, measure, found: None }
    }

    /// Where the bytes would start and end if they began in a gap that starts at `from`; `None` beyond the address space.
    fn within(&self, from: Bytes) -> Option<Run> {
        let start = from.align_up(self.alignment)?;
        Some(Run { start, end: start.checked_add(self.size)? })
    }

    /// Takes note of a gap. True when none can be better than the best now.
    fn offer(&mut self, gap: Run) -> bool {
        match self.within(gap.start) {
            Some(place) if place.end <= gap.end => self.take(gap, place.start),
            _ => false,
        }
    }

    /// Takes note of a gap where the bytes fit at `start`. True when none can be better than the best now.
    fn take(&mut self, gap: Run, start: Bytes) -> bool {
        let whole = gap.end.saturating_sub(gap.start);
        let measured = match self.measure {
            GapMeasure::FromStart => whole,
            GapMeasure::FromAlignedStart => gap.end.saturating_sub(start),
        };
        if self.found.is_none_or(|(_, best)| measured < best) {
            self.found = Some((start, whole));
        }
        // A gap where the bytes fit is at least as large as they are, however it is measured.
        self.found.is_some_and(|(_, best)| best <= self.size)
    }

    /// The best start, else the first behind `end`; `None` beyond the address space.
    fn found_or_behind(&self, end: Bytes) -> Option<Bytes> {
        self.found.map(|(start, _)| start).or_else(|| self.within(end).map(|place| place.start))
    }
}

/// Finds the best gap while it passes occupied runs, lowest start first. They may overlap.
pub(crate) struct Pass {
    best: BestGap,
    gap_start: Bytes,
}

impl Pass {
    pub(crate) fn new(best: BestGap) -> Pass {
        Pass { best, gap_start: Bytes::ZERO }
    }

    /// Passes a run. True when no further one needs to be passed.
    pub(crate) fn run(&mut self, run: Run) -> bool {
        if run.start > self.gap_start && self.best.offer(Run { start: self.gap_start, end: run.start }) {
            return true;
        }
        self.gap_start = self.gap_start.max(run.end);
        false
    }

    /// The start of the best gap, else of the bytes behind all runs; `None` beyond the address space.
    pub(crate) fn found(self) -> Option<Bytes> {
        self.best.found_or_behind(self.gap_start)
    }
}

/// Calls `visit` with those of `items` for which `overlap` is not negative, until it returns true.
///
/// Which ones that are is hard to foretell. So signs are collected for a group of items first, without a branch.
pub(crate) fn visit_overlapping<T>(items: &[T], overlap: impl Fn(&T) -> i64, mut visit: impl FnMut(&T) -> bool) {
    #[cfg(test)]
    visits::add(items.len());
    for group in items.chunks(u64::BITS as usize) {
        let apart = group.iter().rev().fold(u64::MAX, |apart, item| apart << 1 | overlap(item) as u64 >> 63);
        let mut overlapping = !apart;
        while let Some(item) = group.get(overlapping.trailing_zeros() as usize) {
            if visit(item) {
                return;
            }
            overlapping &= overlapping - 1;
        }
    }
}

/// So many runs are passed one by one before a list is searched.
pub(crate) const FEW: usize = 8;

/// The start of the best gap that all `lists` leave, else of the bytes behind all runs; `None` beyond the address space.
/// Each list is sorted, and its runs do not overlap.
///
/// Goes through all lists at once, from one gap where the bytes fit to the next. Each list skips what lies below the point
/// where another one already is.
pub(crate) fn best_fit(lists: &mut [&[Run]], mut best: BestGap) -> Option<Bytes> {
    // No gap that is still to be looked at lies below.
    let mut from = Bytes::ZERO;
    while let Some(mut place) = best.within(from) {
        // The lowest run above the place. It is known once no list moves the place any further.
        let mut above = None;
        let mut moved = true;
        while moved {
            moved = false;
            above = None;
            for list in &mut *lists {
                while let [run, rest @ ..] = *list {
                    #[cfg(test)]
                    visits::add(1);
                    if run.start >= place.end {
                        above = Some(above.map_or(run.start, |above: Bytes| above.min(run.start)));
                        break;
                    }
                    *list = rest;
                    if run.end > from {
                        from = run.end;
                        let Some(further) = best.within(from) else { return best.found_or_behind(from) };
                        place = further;
                        moved = true;
                    } else if rest.get(FEW).is_some_and(|run| run.end <= from) {
                        *list = rest.get(rest.partition_point(|run| run.end <= from)..).unwrap_or_default();
                    }
                }
            }
        }
        let Some(end) = above else { break };
        if best.take(Run { start: from, end }, place.start) {
            break;
        }
        from = end;
    }
    best.found_or_behind(from)
}

/// Counts the entries that searches look at.
#[cfg(test)]
pub(crate) mod visits {
    use core::cell::Cell;

    std::thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

    pub(crate) fn add(more: usize) {
        COUNT.set(COUNT.get() + more);
    }

    /// The count since the last call.
    pub(crate) fn take() -> usize {
        COUNT.take()
    }
}
