//! What follows from a partial plan.
//!
//! All rules are about plans that are pushed down: each buffer lies at the bottom, or on another one. Every plan can be pushed
//! down, so nothing is lost.
//!
//! * In a section, one buffer is the lowest of those that are not placed. A buffer that as the lowest would leave too little
//!   room for the others lies on one of them, and starts where the first of those can end.
//! * A buffer that starts above what is placed lies on one that is not. It starts where the first of those can end.
//! * In a section, all that start at some height or above need their room between there and the capacity.

use alloc::vec::Vec;

use super::model::{Item, Model, Span};
use super::state::State;
use crate::Error;
use crate::collections::{push, refill};
use crate::packing::get;

#[derive(Debug, Default)]
pub(super) struct Inference {
    /// By section, the lowest end of an item that is not placed.
    first_end: Vec<u32>,
    /// The second lowest.
    second_end: Vec<u32>,
    /// By section, the sizes of what starts at some height or above.
    above: Vec<u32>,
    /// Items to be sorted: start and preference in one key.
    keys: Vec<(u64, u32)>,
}

impl Inference {
    pub(super) fn start(&mut self, model: &Model) -> Result<(), Error> {
        for values in [&mut self.first_end, &mut self.second_end, &mut self.above] {
            refill(values, model.sections, 0)?;
        }
        Ok(())
    }

    /// Draws conclusions on the items in `list`, and sorts it: the lowest start first, then by preference. False when they
    /// cannot all be placed. [`Inference::none_ends_below`] may be asked after that only `with_ends`.
    pub(super) fn run(
        &mut self,
        model: &Model,
        state: &mut State,
        list: &mut [u32],
        hull: Span,
        preference: &[u32],
        with_ends: bool,
    ) -> Result<bool, Error> {
        self.sort(state, list, preference)?;
        if !self.all_have_room(model, state, list, hull) {
            return Ok(false);
        }
        self.find_ends(model, state, list, hull);
        let mut changed = false;
        for &at in &*list {
            let Some(item) = model.items.get(at as usize) else { continue };
            let start = self.lowest_start(model, state, item, at);
            if start > state.known(at).start {
                changed = true;
                if start == u32::MAX || !state.raise(at, item.align(start))? {
                    return Ok(false);
                }
            }
        }
        if !changed {
            return Ok(true);
        }
        if with_ends {
            self.find_ends(model, state, list, hull);
        }
        self.sort(state, list, preference)?;
        Ok(self.all_have_room(model, state, list, hull))
    }

    /// Where an item can start at the lowest by the first two rules; at the maximum when nowhere.
    fn lowest_start(&self, model: &Model, state: &State, item: &Item, at: u32) -> u32 {
        let known = state.known(at);
        // As the lowest in a section, it must leave room for all that is not placed.
        let room = state.capacity.saturating_sub(known.start);
        let most = model.spans(item).iter().flat_map(|span| span.of(&state.load)).fold(0, |most, &load| load.max(most));
        if most <= room && known.start == known.floor {
            return known.start;
        }
        let end = state.end(item, at);
        let mut start = known.start;
        let mut support = u32::MAX;
        for span in model.spans(item) {
            let ends = span.of(&self.first_end).iter().zip(span.of(&self.second_end));
            for ((&first, &second), &load) in ends.zip(span.of(&state.load)) {
                let others = if first == end { second } else { first };
                support = support.min(others);
                start = if load > room { start.max(others) } else { start };
            }
        }
        if start > known.floor { start.max(support) } else { start }
    }

    /// True when no item that is not placed can end below `height` where `item` is alive.
    pub(super) fn none_ends_below(&self, model: &Model, item: &Item, height: u32) -> bool {
        model.spans(item).iter().all(|span| span.of(&self.first_end).iter().all(|&end| end >= height))
    }

    fn find_ends(&mut self, model: &Model, state: &State, list: &[u32], hull: Span) {
        hull.of_mut(&mut self.first_end).fill(u32::MAX);
        hull.of_mut(&mut self.second_end).fill(u32::MAX);
        for &at in list {
            let Some(item) = model.items.get(at as usize) else { continue };
            let end = state.end(item, at);
            for span in model.spans(item) {
                let ends = span.of_mut(&mut self.first_end).iter_mut().zip(span.of_mut(&mut self.second_end));
                for (first, second) in ends {
                    *second = (*second).min((*first).max(end));
                    *first = (*first).min(end);
                }
            }
        }
    }

    /// By insertion: most of a list is still in the order of the step before.
    fn sort(&mut self, state: &State, list: &mut [u32], preference: &[u32]) -> Result<(), Error> {
        self.keys.clear();
        for &at in &*list {
            let key = u64::from(state.known(at).start) << 32 | u64::from(get(preference, at as usize));
            push(&mut self.keys, (key, at))?;
        }
        for end in 1..self.keys.len() {
            let Some((sorted, [next, ..])) = self.keys.split_at_mut_checked(end) else { continue };
            let mut hole = next;
            for other in sorted.iter_mut().rev() {
                if other.0 <= hole.0 {
                    break;
                }
                core::mem::swap(other, hole);
                hole = other;
            }
        }
        for (slot, &(_, at)) in list.iter_mut().zip(&self.keys) {
            *slot = at;
        }
        Ok(())
    }

    /// The third rule, for a list that is sorted by start.
    fn all_have_room(&mut self, model: &Model, state: &State, list: &[u32], hull: Span) -> bool {
        hull.of_mut(&mut self.above).fill(0);
        for &at in list.iter().rev() {
            let Some(item) = model.items.get(at as usize) else { continue };
            let mut most = 0;
            for span in model.spans(item) {
                for above in span.of_mut(&mut self.above) {
                    *above += item.size;
                    most = most.max(*above);
                }
            }
            if most > state.capacity - state.known(at).start {
                return false;
            }
        }
        true
    }
}
