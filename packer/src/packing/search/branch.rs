//! Which item is placed, or else postponed.
//!
//! In a plan that is pushed down, look at any item `j` that is not placed. Either it is as low as it can be, or one that it
//! meets starts below the end that it would have. Let `i` be the lowest of those. If nothing that meets `i` can end below
//! that point, nothing is under `i`: it is as low as it can be. So one of few is: `j`, and those that meet it and start below
//! its end. They are all postponed one after the other when nothing comes of placing them.

use super::infer::Inference;
use super::model::{Item, Model};
use super::state::State;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Place an item; `only_one` when it need not be postponed after that.
    Place { item: u32, only_one: bool },
    /// This one cannot be as low as it seems.
    Postpone(u32),
    /// There is no plan.
    Nothing,
}

/// How to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The item that starts lowest, the preferred one among equals: follows the preference closely.
    Lowest,
    /// Where there are the fewest to choose from: fails early.
    Fewest,
}

impl Rule {
    /// Chooses from a list that is sorted by start, then by preference.
    pub(super) fn choose(self, model: &Model, state: &State, inference: &Inference, list: &[u32]) -> Choice {
        match self {
            Rule::Lowest => lowest(model, state, list),
            Rule::Fewest => fewest(model, state, inference, list),
        }
    }
}

fn lowest(model: &Model, state: &State, list: &[u32]) -> Choice {
    let Some(&first) = list.first() else { return Choice::Nothing };
    let Some(item) = model.items.get(first as usize) else { return Choice::Nothing };
    let known = state.known(first);
    if known.start > known.floor {
        return Choice::Postpone(first);
    }
    let only_one = starting_below(model, state, list, item, state.end(item, first)).nth(1).is_none();
    Choice::Place { item: first, only_one }
}

fn fewest(model: &Model, state: &State, inference: &Inference, list: &[u32]) -> Choice {
    let mut best: Option<(usize, u32, Choice)> = None;
    for &at in list {
        let Some(item) = model.items.get(at as usize) else { continue };
        let end = state.end(item, at);
        if !inference.none_ends_below(model, item, end) {
            continue;
        }
        let mut count = 0;
        let mut choice = Choice::Nothing;
        for (other, other_item) in starting_below(model, state, list, item, end) {
            if !inference.none_ends_below(model, other_item, end) {
                count = usize::MAX;
                break;
            }
            let known = state.known(other);
            if known.start == known.floor {
                count += 1;
                if count == 1 {
                    choice = Choice::Place { item: other, only_one: true };
                } else if let Choice::Place { only_one, .. } = &mut choice {
                    *only_one = false;
                }
            }
        }
        if count < usize::MAX && best.is_none_or(|(fewest, lowest, _)| (count, end) < (fewest, lowest)) {
            best = Some((count, end, choice));
        }
    }
    best.map_or(Choice::Nothing, |(_, _, choice)| choice)
}

/// The items that meet `item`, itself among them, and can start below `height`.
fn starting_below<'a>(
    model: &'a Model,
    state: &'a State,
    list: &'a [u32],
    item: &'a Item,
    height: u32,
) -> impl Iterator<Item = (u32, &'a Item)> {
    list.iter()
        .take_while(move |&&at| state.known(at).start < height)
        .filter_map(|&at| Some((at, model.items.get(at as usize)?)))
        .filter(|(_, other)| model.meet(item, other))
}
