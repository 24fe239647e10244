//! The simulated memory of one arena, kept as runs of equal stamps so that sizes cost nothing.

use super::{Byte, Place};
use alloc::vec::Vec;

/// The content of one arena; bytes in no run were never written. No two runs meet in a byte.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) runs: Vec<Run>,
}

/// Bytes `start..end`, which hold the bytes of one value from `first` on.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) first: Byte,
}

impl Run {
    /// What is left of the run between two addresses.
    fn within(self, start: usize, end: usize) -> Option<Self> {
        let (start, end) = (start.max(self.start), end.min(self.end));
        let first = |skipped| Byte { index: self.first.index + skipped, ..self.first };
        (start < end).then(|| Self { start, end, first: first(start - self.start) })
    }
}

impl Memory {
    /// Forgets what lies between two addresses.
    pub(super) fn erase(&mut self, start: usize, end: usize) {
        let keep = |run: &Run| [run.within(0, start), run.within(end, usize::MAX)];
        self.runs = self.runs.iter().flat_map(keep).flatten().collect();
    }

    /// The byte at an address, and how many of its value follow from there on, itself included.
    pub(super) fn at(&self, address: usize) -> Option<(Byte, usize)> {
        let mut ahead = self.runs.iter().filter_map(|run| run.within(address, usize::MAX));
        let run = ahead.find(|run| run.start == address)?;
        Some((run.first, run.end - run.start))
    }

    /// What lies at `from`, as it will lie at `to`.
    pub(super) fn cut(&self, from: Place, to: Place) -> Vec<Run> {
        let end = from.offset.saturating_add(from.size.min(to.size));
        let runs = self.runs.iter().filter_map(|run| run.within(from.offset, end));
        let shift = |address: usize| (address - from.offset).saturating_add(to.offset);
        runs.map(|run| Run { start: shift(run.start), end: shift(run.end), ..run }).collect()
    }
}
