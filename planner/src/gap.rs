//! The best-fitting gap between occupied runs of bytes.

use crate::runs::Run;
use crate::{Alignment, Bytes};

/// How a gap is measured against the best so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapMeasure {
    /// From where it begins: upstream's way up to 2.1.
    FromStart,
    /// From its first aligned byte, though it is remembered as measured from where it begins: upstream's way since 2.2.
    /// Identical placement needs exactly this.
    FromAlignedStart,
}

/// The smallest gap so far for a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestGap {
    size: Bytes,
    alignment: Alignment,
    measure: GapMeasure,
    found: Option<(Bytes, Bytes)>,
}

impl BestGap {
    /// Looks for `size` bytes.
    pub(crate) fn new(size: Bytes, alignment: Alignment, measure: GapMeasure) -> BestGap {
        BestGap { size, alignment, measure, found: None }
    }

    /// Where the bytes would start and end if they began in a gap that starts at `from`; `None` beyond the address space.
    fn within(&self, from: Bytes) -> Option<Run> {
        let start = from.align_up(self.alignment)?;
        Some(Run { start, end: start.checked_add(self.size)? })
    }

    /// Takes note of a gap. True when none can be better than the best now.
    pub(crate) fn offer(&mut self, gap: Run) -> bool {
        let Some(Run { start, .. }) = self.within(gap.start).filter(|place| place.end <= gap.end) else { return false };
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
    pub(crate) fn found_or_behind(&self, end: Bytes) -> Option<Bytes> {
        self.found.map(|(start, _)| start).or_else(|| self.within(end).map(|place| place.start))
    }
}

/// The start of the best gap that all `lists` leave, else of the bytes behind all runs; `None` beyond the address space.
/// Each list is sorted, and its runs do not overlap.
///
/// Goes through all lists at once, from one gap where the bytes fit to the next. Each list skips what lies below the point
/// where another one already is.
pub(crate) fn best_fit(lists: &mut [&[Run]], mut best: BestGap) -> Option<Bytes> {
    let count = lists.len();
    // No gap that is still to be looked at lies below.
    let mut from = Bytes::ZERO;
    loop {
        // Once all lists, one after the other, have left `from` where it is, it is where a gap begins.
        let mut left_alone = 0;
        while left_alone < count {
            for list in &mut *lists {
                let before = from;
                if pass(list, &mut from, &best).is_none() {
                    return best.found_or_behind(from);
                }
                left_alone = if from > before { 1 } else { left_alone + 1 };
                if left_alone == count {
                    break;
                }
            }
        }
        let end = lists.iter().filter_map(|list| list.first()).map(|run| run.start).min();
        let Some(end) = end else { return best.found_or_behind(from) };
        if best.offer(Run { start: from, end }) {
            return best.found_or_behind(from);
        }
        from = end;
    }
}

/// Takes off `list` all runs that leave no room for the bytes before them, and moves `from` behind. `None` when there is
/// no such place in the address space.
fn pass(list: &mut &[Run], from: &mut Bytes, best: &BestGap) -> Option<()> {
    /// So many runs are taken off one by one before the list is searched.
    const FEW: usize = 8;

    let mut place = best.within(*from)?;
    while let [run, rest @ ..] = *list {
        if run.start >= place.end {
            break;
        }
        *list = rest;
        if run.end > *from {
            *from = run.end;
            place = best.within(*from)?;
        } else if rest.get(FEW).is_some_and(|run| run.end <= *from) {
            *list = rest.get(rest.partition_point(|run| run.end <= *from)..).unwrap_or_default();
        }
    }
    Some(())
}
