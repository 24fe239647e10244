//! The requests of an execution, and what became of them the last time.

use alloc::vec::Vec;

use crate::Error;
use crate::collections::{push, reserve};
use crate::strategy::Request;

/// Requests for one arena. Written over those of the execution before, so that the same ones are noticed.
#[derive(Debug, Default)]
pub(super) struct Requests {
    list: Vec<Request>,
    /// How many belong to this execution.
    len: usize,
    /// The list is that of an execution that placed it into an empty arena.
    placed_into_empty: bool,
}

impl Requests {
    /// A new execution.
    pub(super) fn start(&mut self) {
        self.len = 0;
    }

    /// Makes room for `count` of them.
    pub(super) fn reserve(&mut self, count: usize) -> Result<(), Error> {
        let more = count.saturating_sub(self.list.len());
        reserve(&mut self.list, more)
    }

    /// Adds one, which is still without an offset.
    pub(super) fn add(&mut self, request: Request) -> Result<(), Error> {
        match self.list.get_mut(self.len) {
            Some(old) => {
                if *old != (Request { offset: old.offset, ..request }) {
                    *old = request;
                    self.placed_into_empty = false;
                }
            }
            None => {
                push(&mut self.list, request)?;
                self.placed_into_empty = false;
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Those of this execution.
    pub(super) fn all(&self) -> &[Request] {
        self.list.get(..self.len).unwrap_or_default()
    }

    /// True when their offsets are right already: the same requests have been placed into an empty arena before.
    pub(super) fn are_placed(&self, into_empty: bool) -> bool {
        into_empty && self.placed_into_empty && self.len == self.list.len()
    }

    /// Those of this execution, to be placed.
    pub(super) fn to_place(&mut self) -> &mut [Request] {
        self.placed_into_empty = false;
        self.list.truncate(self.len);
        &mut self.list
    }

    /// Notes that they have been placed.
    pub(super) fn note_placed(&mut self, into_empty: bool) {
        self.placed_into_empty = into_empty;
    }
}
