//! Lists of occupied runs of bytes, many of them in one block of memory.

use alloc::vec::Vec;

use crate::collections::{OutOfMemory, grow, refill, refused, shift_in};
use crate::{Alignment, Bytes};

/// Occupied bytes from `start` up to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: Bytes,
    pub(crate) end: Bytes,
}

impl Run {
    pub(crate) const EMPTY: Run = Run { start: Bytes::ZERO, end: Bytes::ZERO };
}

/// Numbered lists. The runs of a list are sorted and apart: between any two there is an aligned byte.
#[derive(Debug, Default)]
pub(crate) struct RunLists {
    lists: Vec<List>,
    pool: Vec<Run>,
}

/// A part of the pool: `room` runs from `start` on, of which the first `len` are the list's.
#[derive(Clone, Copy, Debug)]
struct List {
    start: u32,
    len: u32,
    room: u32,
}

impl RunLists {
    /// `count` empty lists.
    pub(crate) fn start(&mut self, count: usize) -> Result<(), OutOfMemory> {
        self.pool.clear();
        refill(&mut self.lists, count, List { start: 0, len: 0, room: 0 })
    }

    /// True when there is a list with that number.
    pub(crate) fn has(&self, list: usize) -> bool {
        list < self.lists.len()
    }

    /// The runs of a list, lowest first.
    pub(crate) fn get(&self, list: usize) -> &[Run] {
        let Some(&List { start, len, .. }) = self.lists.get(list) else { return &[] };
        self.pool.get(start as usize..).and_then(|from| from.get(..len as usize)).unwrap_or_default()
    }

    /// Marks the bytes of `run` as occupied in a list. Gaps too small for an aligned byte are closed. False when all of it
    /// was occupied before.
    pub(crate) fn occupy(&mut self, list: usize, run: Run, alignment: Alignment) -> Result<bool, OutOfMemory> {
        let runs = self.get(list);
        // Starts are aligned. So a gap has an aligned byte if and only if it is as long as the alignment.
        let reach = |end: Bytes| end.saturating_add(Bytes(alignment.get()));
        let first = runs.partition_point(|other| reach(other.end) <= run.start);
        let touched = runs.get(first..).unwrap_or_default();
        let count = touched.partition_point(|other| other.start < reach(run.end));
        let joined = match (touched.first(), touched.get(count.wrapping_sub(1))) {
            (Some(low), Some(high)) => Run { start: run.start.min(low.start), end: run.end.max(high.end) },
            _ => run,
        };
        if count == 1 && touched.first() == Some(&joined) {
            return Ok(false);
        }
        self.splice(list, first, count, joined)?;
        Ok(true)
    }

    /// Puts `run` in place of the `count` runs from `first` on.
    fn splice(&mut self, list: usize, first: usize, count: usize, run: Run) -> Result<(), OutOfMemory> {
        if count == 0 {
            self.make_room(list)?;
        }
        let Some(head) = self.lists.get_mut(list) else { return Ok(()) };
        let used = head.len as usize + usize::from(count == 0);
        let runs = self.pool.get_mut(head.start as usize..).and_then(|from| from.get_mut(..used));
        let Some(tail @ [_, ..]) = runs.and_then(|runs| runs.get_mut(first..)) else { return Ok(()) };
        match count.checked_sub(1) {
            None => shift_in(tail, run),
            Some(gone) => {
                for at in 1..tail.len() {
                    let Some(&next) = tail.get(at + gone) else { break };
                    if let Some(slot) = tail.get_mut(at) {
                        *slot = next;
                    }
                }
                if let Some(slot) = tail.first_mut() {
                    *slot = run;
                }
            }
        }
        head.len = (used + 1).saturating_sub(count.max(1)) as u32;
        Ok(())
    }

    /// Makes a list hold one more run than it does. The part of the pool that it outgrows is not used again.
    fn make_room(&mut self, list: usize) -> Result<(), OutOfMemory> {
        let Some(head) = self.lists.get_mut(list).filter(|head| head.len == head.room) else { return Ok(()) };
        let runs = head.start as usize..head.start as usize + head.len as usize;
        let room = (head.room * 2).max(2);
        let start = self.pool.len();
        let end = start.saturating_add(room as usize);
        let count = u32::try_from(end).map_err(|_| refused::<Run>(end))?;
        grow(&mut self.pool, end, Run::EMPTY)?;
        if let Some((old, new)) = self.pool.split_at_mut_checked(start) {
            let old = old.get(runs).unwrap_or_default();
            for (new, old) in new.iter_mut().zip(old) {
                *new = *old;
            }
        }
        *head = List { start: count - room, len: head.len, room };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// The runs of a list, told byte by byte.
    fn expected(occupied: &[(usize, usize)], alignment: usize) -> Vec<(usize, usize)> {
        let end = occupied.iter().map(|run| run.1).max().unwrap_or(0);
        let taken = |byte: usize| occupied.iter().any(|run| run.0 <= byte && byte < run.1);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for byte in (0..end).filter(|&byte| taken(byte)) {
            match runs.last_mut() {
                Some(last) if !(last.1..byte).any(|gap| gap % alignment == 0) => last.1 = byte + 1,
                _ => runs.push((byte, byte + 1)),
            }
        }
        runs
    }

    proptest! {
        #[test]
        fn runs_are_what_is_occupied(
            alignment in prop_oneof![Just(1usize), Just(4), Just(16)],
            steps in proptest::collection::vec((0usize..3, 0usize..40, 1usize..30), 0..60),
        ) {
            let mut lists = RunLists::default();
            lists.start(3).unwrap();
            let mut taken = [const { Vec::new() }; 3];
            for (list, at, size) in steps {
                let (start, end) = (at * alignment, at * alignment + size);
                let before = expected(&taken[list], alignment);
                taken[list].push((start, end));
                let now = expected(&taken[list], alignment);
                let run = Run { start: Bytes(start), end: Bytes(end) };
                let changed = lists.occupy(list, run, Alignment::new(alignment).unwrap()).unwrap();
                prop_assert_eq!(changed, before != now);
                let found: Vec<_> = lists.get(list).iter().map(|run| (run.start.0, run.end.0)).collect();
                prop_assert_eq!(found, now);
            }
        }
    }
}
