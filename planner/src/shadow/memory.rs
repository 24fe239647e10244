//! The simulated memory of one arena, kept as runs of equal stamps so that sizes cost nothing.

use super::{Byte, Place};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The content of one arena; bytes in no run were never written. No two runs meet in a byte.
#[derive(Default)]
pub(super) struct Memory {
    /// By their first address.
    runs: BTreeMap<usize, Run>,
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
    /// Adds a run where nothing lies.
    pub(super) fn put(&mut self, run: Run) {
        self.runs.insert(run.start, run);
    }

    /// Forgets what lies between two addresses.
    pub(super) fn erase(&mut self, start: usize, end: usize) {
        let met: Vec<_> = self.between(start, end).collect();
        for run in met {
            self.runs.remove(&run.start);
            [run.within(0, start), run.within(end, usize::MAX)].into_iter().flatten().for_each(|rest| self.put(rest));
        }
    }

    /// The byte at an address, and how many of its value follow from there on, itself included.
    pub(super) fn at(&self, address: usize) -> Option<(Byte, usize)> {
        let (_, run) = self.runs.range(..=address).next_back()?;
        let run = run.within(address, usize::MAX)?;
        Some((run.first, run.end - run.start))
    }

    /// What lies at `from`, as it will lie at `to`.
    pub(super) fn cut(&self, from: Place, to: Place) -> Vec<Run> {
        let end = from.offset.saturating_add(from.size.min(to.size));
        let runs = self.between(from.offset, end).filter_map(|run| run.within(from.offset, end));
        let shift = |address: usize| (address - from.offset).saturating_add(to.offset);
        runs.map(|run| Run { start: shift(run.start), end: shift(run.end), ..run }).collect()
    }

    /// The runs that have bytes between two addresses, whole.
    fn between(&self, start: usize, end: usize) -> impl Iterator<Item = Run> + '_ {
        // Of those that begin before, only the last can reach so far.
        let before = self.runs.range(..start).next_back();
        before
            .into_iter()
            .chain(self.runs.range(start..end.max(start)))
            .map(|(_, run)| *run)
            .filter(move |run| run.end > start)
    }
}

#[cfg(test)]
mod tests {
    use super::{Byte, Memory, Run};
    use crate::shadow::{Arena, Moment, Place, Value};
    use alloc::vec::Vec;

    fn run(start: usize, end: usize, id: u32) -> Run {
        let value = Value { id, tensor: 0, written: Moment::Start };
        Run { start, end, first: Byte { value, index: 0 } }
    }

    fn place(offset: usize, size: usize) -> Place {
        Place { arena: Arena::Rw, offset, size }
    }

    /// Which byte of which value lies at an address.
    type Cells = [Option<(u32, usize)>; 48];

    fn is_like(memory: &Memory, cells: &Cells) {
        for (address, cell) in cells.iter().enumerate() {
            let found = memory.at(address);
            assert_eq!(found.map(|(byte, _)| (byte.value.id, byte.index)), *cell, "at {address}");
            let follows = |&(ahead, cell): &(usize, &Option<(u32, usize)>)| {
                found.is_some_and(|(byte, _)| *cell == Some((byte.value.id, byte.index + ahead)))
            };
            let rest = cells[address..].iter().enumerate().take_while(follows).count();
            assert!(found.is_none_or(|(_, told)| 0 < told && told <= rest), "{found:?} at {address}, {rest} follow");
        }
    }

    /// Values come and go and are copied, as in an array of bytes.
    #[test]
    fn runs_are_bytes() {
        let (mut memory, mut cells): (Memory, Cells) = (Memory::default(), [None; 48]);
        for step in 0..5_000u32 {
            // Knuth's multiplicative hash.
            let number = |what: u32| ((step * 4 + what).wrapping_mul(2_654_435_761) >> 8) as usize % 32;
            let (start, size, to) = (number(0), number(1) % 17, number(2));
            let end = start + size;
            if number(3) < 8 {
                let copied = memory.cut(place(start, size), place(to, size));
                memory.erase(to, to + size);
                copied.into_iter().for_each(|run| memory.put(run));
                let old: Vec<_> = cells[start..end].to_vec();
                cells[to..to + size].copy_from_slice(&old);
            } else {
                memory.erase(start, end);
                cells[start..end].fill(None);
                if number(3) < 24 && size > 0 {
                    memory.put(run(start, end, step));
                    cells[start..end].iter_mut().enumerate().for_each(|(index, cell)| *cell = Some((step, index)));
                }
            }
            is_like(&memory, &cells);
        }
    }

    /// Were all of them looked at for each, this would take minutes.
    #[test]
    fn many_values_are_held_at_once() {
        const RUNS: u32 = 300_000;
        let mut memory = Memory::default();
        for id in 0..RUNS {
            memory.erase(id as usize * 8, id as usize * 8 + 4);
            memory.put(run(id as usize * 8, id as usize * 8 + 4, id));
        }
        for id in 0..RUNS {
            assert_eq!(memory.at(id as usize * 8 + 1).map(|(byte, rest)| (byte.value.id, rest)), Some((id, 3)));
        }
    }
}
