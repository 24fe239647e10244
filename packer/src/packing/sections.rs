//! Time cut into sections, within which nothing begins or ends.

use alloc::vec::Vec;

use super::{Problem, get};
use crate::collections::{push, refill};
use crate::order::Order;
use crate::{Bytes, Error};

/// A buffer during some sections that follow each other, in which it needs the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// The first section.
    pub(super) from: u32,
    /// The one behind the last.
    pub(super) to: u32,
    /// The first byte needed, counted from the buffer's start.
    pub(super) low: Bytes,
    /// The one behind the last.
    pub(super) high: Bytes,
}

impl Piece {
    pub(super) fn meets(&self, other: &Piece) -> bool {
        self.from < other.to && other.from < self.to
    }
}

/// What each buffer needs, section by section.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// The pieces of all buffers, each buffer's together and in order of time. A buffer without bytes has none.
    pieces: Vec<Piece>,
    /// By buffer, where its pieces begin; one more than there are buffers.
    starts: Vec<u32>,
    count: usize,
}

/// Which sections are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// All that differ in what is alive.
    Every,
    /// Of two that follow each other, only if neither has all that the other one has: what fits into a section with more
    /// buffers fits into one with fewer.
    #[cfg(any(feature = "best", feature = "exact"))]
    Fullest,
}

/// A piece with its nodes, `first` to `last`.
struct Interval {
    first: i32,
    last: i32,
    low: Bytes,
    high: Bytes,
}

impl Sections {
    pub(super) fn new(problem: &Problem<'_>, cut: Cut) -> Result<Sections, Error> {
        let mut sections = Sections::default();
        let mut intervals = Vec::new();
        let mut gaps = problem.gaps;
        for (at, buffer) in (0..).zip(problem.buffers) {
            push(&mut sections.starts, intervals.len() as u32)?;
            let own = gaps.partition_point(|gap| gap.buffer <= at);
            let (own, others) = gaps.split_at_checked(own).unwrap_or_default();
            gaps = others;
            if buffer.size == Bytes::ZERO {
                continue;
            }
            let whole = |first, last| Interval { first, last, low: Bytes::ZERO, high: buffer.size };
            let mut first = buffer.first_node;
            for gap in own.iter().filter(|gap| gap.buffer == at) {
                if gap.first_node > first {
                    push(&mut intervals, whole(first, gap.first_node - 1))?;
                }
                if let Some((low, high)) = gap.window.filter(|(low, high)| low < high) {
                    push(&mut intervals, Interval { first: gap.first_node, last: gap.last_node, low, high })?;
                }
                first = gap.last_node.saturating_add(1);
            }
            if first <= buffer.last_node {
                push(&mut intervals, whole(first, buffer.last_node))?;
            }
        }
        let count = u32::try_from(intervals.len()).map_err(|_| Error::TooMany { count: intervals.len() })?;
        push(&mut sections.starts, count)?;
        sections.cut(&intervals, cut)?;
        Ok(sections)
    }

    /// The pieces of a buffer.
    pub(super) fn of(&self, buffer: usize) -> &[Piece] {
        let range = get(&self.starts, buffer) as usize..get(&self.starts, buffer + 1) as usize;
        self.pieces.get(range).unwrap_or_default()
    }

    /// How many sections there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Goes through beginnings and ends in the order of time; at the same time, ends come first.
    fn cut(&mut self, intervals: &[Interval], cut: Cut) -> Result<(), Error> {
        let time = |node: i32| u64::from(node.max(0) as u32);
        let key = |event: usize| match (intervals.get(event / 2), event % 2) {
            (Some(interval), 0) => time(interval.first) << 1 | 1,
            (Some(interval), _) => (time(interval.last) + 1) << 1,
            (None, _) => 0,
        };
        let mut order = Order::default();
        order.start(2 * intervals.len())?;
        order.sort_by_key(&mut |event| key(event))?;
        refill(&mut self.pieces, intervals.len(), Piece::default())?;
        // The section that is open, and whether the next beginning is in another one.
        let mut section = 0;
        let mut over = false;
        let mut now = None;
        for event in order.positions() {
            let begins = event % 2 == 0;
            let time = key(event) >> 1;
            over |= cut == Cut::Every && now.replace(time).is_some_and(|before| before < time);
            if over && (begins || cut == Cut::Every) {
                section += 1;
                over = false;
            }
            let Some(piece) = self.pieces.get_mut(event / 2) else { continue };
            if begins {
                piece.from = section;
            } else if cut == Cut::Every {
                piece.to = section;
            } else {
                piece.to = section + 1;
                over = true;
            }
            self.count = self.count.max(piece.to as usize);
        }
        for (piece, interval) in self.pieces.iter_mut().zip(intervals) {
            (piece.low, piece.high) = (interval.low, interval.high);
        }
        Ok(())
    }
}
