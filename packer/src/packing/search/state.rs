//! A partial plan: what is placed, and what is known of the rest.

use alloc::vec::Vec;

use super::model::{Item, Model};
use crate::Error;
use crate::collections::{push, refill};
use crate::packing::get;

/// What is known of an item that is not placed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// It starts here or higher.
    pub(super) start: u32,
    /// What is placed lets it start here; not above `start`. Where that is above, it will lie on something that is not placed.
    pub(super) floor: u32,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// By item; of one that is placed, where it is.
    known: Vec<Known>,
    /// By item, the highest offset below the capacity.
    highest: Vec<u32>,
    /// By section, the sizes that are not placed.
    pub(super) load: Vec<u32>,
    pub(super) capacity: u32,
    /// What to undo, the latest last.
    trail: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Learned(u32, Known),
    Placed(u32),
}

impl State {
    /// Nothing is placed. False when an item does not fit below the capacity.
    pub(super) fn start(
        &mut self,
        model: &Model,
        capacity: u32,
        highest: &mut dyn FnMut(&Item) -> Option<u32>,
    ) -> Result<bool, Error> {
        self.capacity = capacity;
        self.trail.clear();
        self.known.clear();
        self.highest.clear();
        refill(&mut self.load, model.sections, 0)?;
        for item in &model.items {
            let start = item.fixed.unwrap_or(0);
            let Some(highest) = highest(item).filter(|&highest| start <= highest) else { return Ok(false) };
            push(&mut self.known, Known { start, floor: start })?;
            push(&mut self.highest, item.fixed.unwrap_or(highest))?;
            for span in model.spans(item) {
                for load in span.of_mut(&mut self.load) {
                    *load += item.size;
                }
            }
        }
        Ok(true)
    }

    pub(super) fn known(&self, at: u32) -> Known {
        get(&self.known, at as usize)
    }

    /// The highest offset that an item may have.
    pub(super) fn highest(&self, at: u32) -> u32 {
        get(&self.highest, at as usize)
    }

    /// Where an item ends at the lowest.
    pub(super) fn end(&self, item: &Item, at: u32) -> u32 {
        self.known(at).start.saturating_add(item.size)
    }

    /// Learns that an item starts at `start` or higher. False when it cannot.
    pub(super) fn raise(&mut self, at: u32, start: u32) -> Result<bool, Error> {
        let floor = self.known(at).floor;
        self.learn(at, Known { start, floor })
    }

    fn learn(&mut self, at: u32, now: Known) -> Result<bool, Error> {
        if let Some(known) = self.known.get_mut(at as usize) {
            push(&mut self.trail, Change::Learned(at, *known))?;
            *known = now;
        }
        Ok(now.start <= get(&self.highest, at as usize))
    }

    /// Places an item at its start; the `others`, those not placed that may be alive with it, come to lie above. False when
    /// one of them cannot.
    pub(super) fn place(&mut self, model: &Model, at: u32, others: &[u32]) -> Result<bool, Error> {
        let item = get(&model.items, at as usize);
        let end = self.end(&item, at);
        push(&mut self.trail, Change::Placed(at))?;
        for span in model.spans(&item) {
            for load in span.of_mut(&mut self.load) {
                *load -= item.size;
            }
        }
        for &other in others {
            let known = self.known(other);
            if known.floor >= end {
                continue;
            }
            let Some(other_item) = model.items.get(other as usize) else { continue };
            if other != at && model.meet(&item, other_item) {
                let floor = other_item.align(end);
                if !self.learn(other, Known { start: known.start.max(floor), floor })? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// A point to which [`State::undo`] can go back.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn undo(&mut self, model: &Model, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Learned(at, before)) => {
                    if let Some(known) = self.known.get_mut(at as usize) {
                        *known = before;
                    }
                }
                Some(Change::Placed(at)) => {
                    let item = get(&model.items, at as usize);
                    for span in model.spans(&item) {
                        for load in span.of_mut(&mut self.load) {
                            *load += item.size;
                        }
                    }
                }
                None => return,
            }
        }
    }
}
