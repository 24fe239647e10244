//! Which tensors of the ArenaRw arena are used from which node on: what a rewind takes back.

use alloc::vec::Vec;

use super::Planner;
use crate::fallible::{OutOfMemory, at, at_mut, grow};
use crate::{Arena, Bytes};

/// The end of a list.
const NONE: i32 = -1;
/// In the place of a next tensor: this one is in no list.
const UNLISTED: i32 = -2;

/// The tensors that have a place in the ArenaRw arena, and their aliases, by their first node. Only planners that rewind
/// keep it.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// False: nothing here counts.
    kept: bool,
    /// By node; up to the last one that has tensors.
    nodes: Vec<Node>,
    /// By tensor, the next one with the same first node.
    next: Vec<i32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first tensor of its list.
    head: i32,
    /// Bytes that the places of the nodes up to here need.
    height: Bytes,
}

impl Log {
    /// Stops keeping it: places have changed in a way that it cannot follow.
    pub(super) fn forget(&mut self) {
        self.kept = false;
    }

    /// Takes out a tensor that is used after `node` only.
    pub(super) fn pop_after(&mut self, node: i32) -> Option<i32> {
        loop {
            let last = self.nodes.len().checked_sub(1).filter(|&last| last as i32 > node)?;
            let head = self.nodes.get(last)?.head;
            match at_mut(&mut self.next, head) {
                Some(next) => {
                    self.nodes.get_mut(last)?.head = core::mem::replace(next, UNLISTED);
                    return Some(head);
                }
                None => self.nodes.truncate(last),
            }
        }
    }

    /// Bytes that all places need.
    pub(super) fn height(&self) -> Bytes {
        self.nodes.last().map_or(Bytes::ZERO, |node| node.height)
    }
}

impl Planner {
    /// Starts to keep the log if it is not kept already.
    pub(super) fn keep_log(&mut self) -> Result<(), OutOfMemory> {
        if self.log.kept {
            return Ok(());
        }
        self.log.nodes.clear();
        self.log.next.clear();
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
        self.log.kept = self.add_to_log(&mut queue.iter().copied()).is_ok();
        self.scratch.queue = queue;
    }

    /// Adds those of `tensors` that are not in the log and belong there.
    fn add_to_log(&mut self, tensors: &mut dyn Iterator<Item = i32>) -> Result<(), OutOfMemory> {
        grow(&mut self.log.next, self.places.len(), UNLISTED)?;
        let mut lowest = self.log.nodes.len();
        for tensor in tensors {
            let root = self.aliases.root(tensor);
            let Some(place) = self.place(root).filter(|place| place.arena == Arena::Rw) else { continue };
            let first = if root == tensor { place.first_node } else { self.usage(tensor).first };
            let first = usize::try_from(first).unwrap_or(0);
            let Log { nodes, next, .. } = &mut self.log;
            let Some(next) = at_mut(next, tensor).filter(|next| **next == UNLISTED) else { continue };
            grow(nodes, first + 1, Node { head: NONE, height: Bytes::ZERO })?;
            let Some(node) = nodes.get_mut(first) else { continue };
            *next = core::mem::replace(&mut node.head, tensor);
            lowest = lowest.min(first);
        }
        let below = lowest.checked_sub(1).and_then(|below| self.log.nodes.get(below));
        let mut height = below.map_or(Bytes::ZERO, |node| node.height);
        for node in lowest..self.log.nodes.len() {
            let mut tensor = self.log.nodes.get(node).map_or(NONE, |node| node.head);
            while tensor >= 0 {
                let end = self.place(tensor).map_or(Bytes::ZERO, |place| place.end());
                height = height.max(end);
                tensor = at(&self.log.next, tensor).copied().unwrap_or(NONE);
            }
            if let Some(node) = self.log.nodes.get_mut(node) {
                node.height = height;
            }
        }
        Ok(())
    }
}
