//! Plans for very many buffers: no choice is ever taken back.
//!
//! The buffer that can start lowest is placed there, the preferred one among equals, until all are. That is the first
//! descent of a search by the rule of the lowest, without any inference.

use alloc::vec::Vec;

use super::Budget;
use super::model::Model;
use super::state::State;
use crate::Error;
use crate::collections::push;
use crate::packing::get;

/// Items whose lowest key is kept.
const BLOCK: usize = 128;

#[derive(Debug, Default)]
pub(super) struct Skyline {
    /// By item, where it can start at the lowest, and its rank; the maximum when it is placed.
    keys: Vec<u64>,
    /// By block of items, the lowest key.
    lowest: Vec<u64>,
    starts: Vec<u32>,
}

impl Skyline {
    /// Places all items below the capacity that `state` has been started with. False when one is above, or the budget is used
    /// up.
    pub(super) fn run(
        &mut self,
        model: &Model,
        ranks: &[u32],
        state: &State,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        self.keys.clear();
        self.lowest.clear();
        self.starts.clear();
        for (item, &rank) in model.items.iter().zip(ranks) {
            push(&mut self.keys, key(item.fixed.unwrap_or(0), rank))?;
            push(&mut self.starts, 0)?;
        }
        for block in self.keys.chunks(BLOCK) {
            push(&mut self.lowest, lowest(block))?;
        }
        for _ in &model.items {
            let (block, key) = first(&self.lowest);
            let keys = self.keys.get(block * BLOCK..).unwrap_or_default();
            let at = block * BLOCK + keys.iter().position(|&other| other == key).unwrap_or(0);
            let item = get(&model.items, at);
            let start = (key >> u32::BITS) as u32;
            let end = start.saturating_add(item.size);
            if start > state.highest(at as u32) || end > state.capacity || !budget.take() {
                return Ok(false);
            }
            if let (Some(slot), Some(key)) = (self.starts.get_mut(at), self.keys.get_mut(at)) {
                *slot = start;
                *key = u64::MAX;
            }
            if !self.lift(model, at, end) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where an item is.
    pub(super) fn start_of(&self, item: u32) -> u32 {
        get(&self.starts, item as usize)
    }

    /// Lifts what meets an item above its end. False when something fixed would be lifted.
    fn lift(&mut self, model: &Model, at: usize, end: u32) -> bool {
        let item = get(&model.items, at);
        let blocks = model.items.chunks(BLOCK).zip(self.keys.chunks_mut(BLOCK)).zip(&mut self.lowest);
        for ((items, keys), lowest_key) in blocks {
            // Items are sorted by first node.
            if items.first().is_some_and(|first| first.hull.from >= item.hull.to) {
                break;
            }
            let mut changed = false;
            for (other, key) in items.iter().zip(&mut *keys) {
                if *key != u64::MAX && (*key >> u32::BITS) < u64::from(end) && model.meet(&item, other) {
                    if other.fixed.is_some() {
                        return false;
                    }
                    *key = self::key(other.align(end), *key as u32);
                    changed = true;
                }
            }
            if changed {
                *lowest_key = lowest(keys);
            }
        }
        let block = at / BLOCK;
        if let (Some(slot), Some(keys)) = (self.lowest.get_mut(block), self.keys.chunks(BLOCK).nth(block)) {
            *slot = lowest(keys);
        }
        true
    }
}

fn key(start: u32, rank: u32) -> u64 {
    u64::from(start) << u32::BITS | u64::from(rank)
}

fn lowest(keys: &[u64]) -> u64 {
    keys.iter().copied().fold(u64::MAX, u64::min)
}

/// The position of the lowest key, and the key.
fn first(keys: &[u64]) -> (usize, u64) {
    keys.iter().copied().enumerate().fold((0, u64::MAX), |first, other| if other.1 < first.1 { other } else { first })
}
