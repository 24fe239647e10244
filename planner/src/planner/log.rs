//! Which tensors of the ArenaRw arena are used from which node on: what a rewind takes back, last first.

use alloc::vec::Vec;

use super::Planner;
use crate::collections::{at_mut, grow, push};
use crate::order::Order;
use crate::{Arena, Bytes, Error};

/// The tensors that have a place in the ArenaRw arena, and their aliases. Only planners that rewind keep it.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// False: nothing here counts.
    kept: bool,
    /// By first node.
    entries: Vec<Entry>,
    /// By tensor: it is among the entries.
    listed: Vec<bool>,
    added: Vec<Entry>,
    order: Order,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    tensor: i32,
    first_node: i32,
    /// Bytes that the places up to here need.
    height: Bytes,
}

impl Log {
    /// Stops keeping it: places have changed in a way that it cannot follow.
    pub(super) fn forget(&mut self) {
        self.kept = false;
    }

    /// Takes out the last tensor if it is used after `node` only.
    pub(super) fn pop_after(&mut self, node: i32) -> Option<i32> {
        let entry = self.entries.pop_if(|entry| entry.first_node > node)?;
        if let Some(listed) = at_mut(&mut self.listed, entry.tensor) {
            *listed = false;
        }
        Some(entry.tensor)
    }

    /// Bytes that all places need.
    pub(super) fn height(&self) -> Bytes {
        self.entries.last().map_or(Bytes::ZERO, |entry| entry.height)
    }

    /// Moves what has been added to the entries. Without effect, and false, where it begins before the last of them.
    fn take_added(&mut self) -> Result<bool, Error> {
        self.order.start(self.added.len())?;
        let added = &self.added;
        self.order.sort_by_key(&mut |at| added.get(at).map_or(0, |entry| entry.first_node as u64))?;
        let last = self.entries.last().map_or(0, |entry| entry.first_node);
        for entry in self.order.positions().filter_map(|at| self.added.get(at)) {
            if entry.first_node < last {
                return Ok(false);
            }
            let height = self.entries.last().map_or(Bytes::ZERO, |entry| entry.height).max(entry.height);
            push(&mut self.entries, Entry { height, ..*entry })?;
        }
        Ok(true)
    }
}

impl Planner {
    /// Starts to keep the log if it is not kept already.
    pub(super) fn keep_log(&mut self) -> Result<(), Error> {
        if self.log.kept {
            return Ok(());
        }
        self.log.entries.clear();
        self.log.listed.clear();
        self.add_to_log(&mut (0..self.places.len() as i32))?;
        self.log.kept = true;
        Ok(())
    }

    /// Adds what the last execution placed. Where that cannot be done, the next rewind makes the log anew.
    pub(super) fn update_log(&mut self) {
        self.log.kept &= self.scratch.replaced.is_empty() && !self.aliases.have_changed();
        if !self.log.kept {
            return;
        }
        let queue = core::mem::take(&mut self.scratch.queue);
        let added = self.add_to_log(&mut queue.iter().copied());
        self.scratch.queue = queue;
        self.log.kept = added == Ok(true);
    }

    /// Adds those of `tensors` that are not in the log and belong there.
    fn add_to_log(&mut self, tensors: &mut dyn Iterator<Item = i32>) -> Result<bool, Error> {
        let mut log = core::mem::take(&mut self.log);
        let done = self.add_to(&mut log, tensors).and_then(|()| log.take_added());
        self.log = log;
        done
    }

    fn add_to(&self, log: &mut Log, tensors: &mut dyn Iterator<Item = i32>) -> Result<(), Error> {
        grow(&mut log.listed, self.places.len(), false)?;
        log.added.clear();
        for tensor in tensors {
            let root = self.aliases.root(tensor);
            let Some(place) = self.place(root).filter(|place| place.arena == Arena::Rw) else { continue };
            let Some(listed) = at_mut(&mut log.listed, tensor).filter(|listed| !**listed) else { continue };
            *listed = true;
            let first_node = if root == tensor { place.allocation.first_node } else { self.usage(tensor).first };
            push(&mut log.added, Entry { tensor, first_node, height: place.allocation.end() })?;
        }
        Ok(())
    }
}
