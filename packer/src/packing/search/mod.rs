//! A tree search for a plan below a given capacity.
//!
//! Time is cut into sections; in each, the buffers that are alive lie one above the other. A plan is built from below. At each
//! step some buffer that has only placed ones below it is placed as low as it can be, or it is *postponed*: then it will lie
//! on one that is not placed yet, so that it starts no lower than the first of those can end. As both cases are looked at,
//! nothing is lost, and no plan is met twice. [`infer`] draws conclusions from each step and finds out early that no plan
//! can come of it; [`branch`] chooses the buffer; [`order`] says which one is preferred.
//!
//! Where no buffer reaches from one section to the next, time falls apart: the parts are planned one after the other, and
//! when one of them cannot be, no other plan of another part is tried.
//!
//! How long a search takes depends on luck, above all on early choices. So [`schedule`] stops each after a few steps per
//! buffer, and starts again with another preference.

mod branch;
mod infer;
mod model;
mod order;
mod schedule;
mod skyline;
mod state;

use alloc::vec::Vec;
use core::ops::Range;

pub(super) use schedule::Goal;

use self::branch::{Choice, Rule};
use self::infer::Inference;
use self::model::{Model, Span};
use self::schedule::Schedule;
use self::state::State;
use super::greedy::one_by_one;
use super::sorted::Sorted;
use super::{Plan, Problem, Progress, Watch, get};
use crate::collections::{push, refill, reserve};
use crate::{Error, strategy};

/// Greedy's plan, or the lowest one that searches towards a goal have found, if it is lower. It does not depend on the order
/// of the buffers.
pub(super) fn improve(problem: &Problem<'_>, goal: Goal, watch: &mut dyn Watch) -> Result<Plan, Error> {
    let sorted = Sorted::new(problem)?;
    let problem = sorted.problem();
    let mut plan = one_by_one(&problem, strategy::Choice::Greedy)?;
    if !goal.is_met(&plan) {
        Schedule::new(&problem, plan.height)?.run(goal, &mut plan, watch)?;
    }
    plan.offsets = sorted.unsort(&plan.offsets)?;
    Ok(plan)
}

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// A plan, in [`Search::start_of`].
    Found,
    /// There is none.
    None,
    /// The budget does not allow to find out.
    GivenUp,
}

/// How long a search may go on.
struct Budget<'a> {
    progress: Progress,
    /// Steps are counted up to here.
    end: u64,
    watch: &'a mut dyn Watch,
    /// The watch has said so.
    stopped: bool,
}

impl Budget<'_> {
    /// Takes a step, if there is one left.
    fn take(&mut self) -> bool {
        const SELDOM: u64 = 256;

        if self.stopped || self.progress.steps >= self.end {
            return false;
        }
        if self.progress.steps.is_multiple_of(SELDOM) {
            self.stopped = !self.watch.go_on(&self.progress);
        }
        self.progress.steps += 1;
        !self.stopped
    }
}

/// Items that are still to be placed, and sections that nothing else reaches into.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// Its items: `len` in [`Search::items`], from `start` on.
    start: u32,
    len: u32,
    hull: Span,
    /// The part that comes after it, one more than its index; 0 for none.
    next: u32,
    /// The step that left it over, one more than its index; 0 for none.
    parent: u32,
}

/// A part that has been taken up: one of its items is placed.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// One more than its index.
    part: u32,
    /// Where the state was before the item was placed.
    mark: usize,
    /// How many parts and items of parts there were.
    parts: usize,
    items: usize,
    item: u32,
    /// Postponing the item leads to nothing.
    only_one: bool,
}

impl Part {
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

#[derive(Debug, Default)]
struct Search {
    state: State,
    inference: Inference,
    parts: Vec<Part>,
    items: Vec<u32>,
    steps: Vec<Step>,
    /// By section, how far the items that begin there reach.
    reach: Vec<u32>,
}

impl Search {
    /// Where an item is, when a plan was found.
    fn start_of(&self, item: u32) -> u32 {
        self.state.known(item).start
    }

    /// Searches on from a state in which nothing is placed.
    fn run(
        &mut self,
        model: &Model,
        preference: &[u32],
        rule: Rule,
        budget: &mut Budget<'_>,
    ) -> Result<Outcome, Error> {
        self.inference.start(model)?;
        self.parts.clear();
        self.items.clear();
        self.steps.clear();
        for at in 0..model.items.len() as u32 {
            push(&mut self.items, at)?;
        }
        refill(&mut self.reach, model.sections, 0)?;
        let all = Span { from: 0, to: model.sections as u32 };
        let mut part = self.split(model, 0, Part { hull: all, ..Part::default() })?;
        while part != 0 {
            let mark = self.state.mark();
            let (parts, items) = (self.parts.len(), self.items.len());
            push(&mut self.steps, Step { part, mark, parts, items, item: 0, only_one: false })?;
            part = loop {
                if !budget.take() {
                    return Ok(Outcome::GivenUp);
                }
                if let Some(next) = self.advance(model, preference, rule)? {
                    break next;
                }
                if !self.go_back(model)? {
                    return Ok(Outcome::None);
                }
            };
        }
        Ok(Outcome::Found)
    }

    /// Places an item of the part that the last step has taken up; returns the part to take up next. `None` when no item
    /// can be placed so that there is room for all others.
    fn advance(&mut self, model: &Model, preference: &[u32], rule: Rule) -> Result<Option<u32>, Error> {
        let Some(step) = self.steps.last_mut() else { return Ok(None) };
        let part = part(&self.parts, step.part);
        let list = self.items.get_mut(part.range()).unwrap_or_default();
        loop {
            if !self.inference.run(model, &mut self.state, list, part.hull, preference, rule == Rule::Fewest)? {
                return Ok(None);
            }
            let (item, only_one) = match rule.choose(model, &self.state, &self.inference, list) {
                Choice::Place { item, only_one } => (item, only_one),
                Choice::Postpone(item) if postpone(model, &mut self.state, list, item)? => continue,
                Choice::Postpone(_) | Choice::Nothing => return Ok(None),
            };
            (step.mark, step.item, step.only_one) = (self.state.mark(), item, only_one);
            if self.state.place(model, item, list)? {
                break;
            }
            self.state.undo(model, step.mark);
            if only_one || !postpone(model, &mut self.state, list, item)? {
                return Ok(None);
            }
        }
        let placed = step.item;
        let rest = self.items.len();
        reserve(&mut self.items, part.len as usize)?;
        for at in part.range() {
            let item = get(&self.items, at);
            if item != placed {
                push(&mut self.items, item)?;
            }
        }
        self.split(model, rest, Part { parent: self.steps.len() as u32, ..part }).map(Some)
    }

    /// Gives up the part of the last step, and with it the choice that left it over: that item is postponed. False when
    /// there is no choice left.
    fn go_back(&mut self, model: &Model) -> Result<bool, Error> {
        loop {
            let failed = self.steps.last().map_or(0, |step| part(&self.parts, step.part).parent);
            self.steps.truncate(failed as usize);
            let Some(step) = self.steps.last() else { return Ok(false) };
            self.state.undo(model, step.mark);
            self.parts.truncate(step.parts);
            self.items.truncate(step.items);
            let list = self.items.get(part(&self.parts, step.part).range()).unwrap_or_default();
            if !step.only_one && postpone(model, &mut self.state, list, step.item)? {
                return Ok(true);
            }
        }
    }

    /// Makes parts of the items from `start` on, as time falls apart; all else they have from `like`. Returns the first of
    /// them, which the others follow, the smallest first, and then what comes after `like`.
    fn split(&mut self, model: &Model, start: usize, like: Part) -> Result<u32, Error> {
        like.hull.of_mut(&mut self.reach).fill(0);
        let hull_of = |at: u32| model.items.get(at as usize).map_or(Span::default(), |item| item.hull);
        let end = self.items.len();
        for &item in self.items.get(start..).unwrap_or_default() {
            let hull = hull_of(item);
            if let Some(reach) = self.reach.get_mut(hull.from as usize) {
                *reach = hull.to.max(*reach);
            }
        }
        let mut head = like.next;
        let mut section = like.hull.from;
        while section < like.hull.to {
            // The next sections that buffers hold together.
            let mut hull = Span { from: section, to: get(&self.reach, section as usize) };
            while section < hull.to {
                hull.to = hull.to.max(get(&self.reach, section as usize));
                section += 1;
            }
            if hull.to <= hull.from {
                section += 1;
                continue;
            }
            let mut new = Part { start: start as u32, len: (end - start) as u32, hull, ..like };
            let is_all = self.items.get(start..end).unwrap_or_default().iter().all(|&item| hull.holds(hull_of(item)));
            if !is_all {
                new.start = self.items.len() as u32;
                for at in start..end {
                    let item = get(&self.items, at);
                    if hull.holds(hull_of(item)) {
                        push(&mut self.items, item)?;
                    }
                }
                new.len = self.items.len() as u32 - new.start;
            }
            head = self.insert(new, head, like.next)?;
        }
        Ok(head)
    }

    /// Inserts a part into the list from `head` up to `end`, in front of those that are larger; returns its new head.
    fn insert(&mut self, mut new: Part, head: u32, end: u32) -> Result<u32, Error> {
        let mut before = 0;
        let mut after = head;
        while after != end && part(&self.parts, after).len < new.len {
            before = after;
            after = part(&self.parts, after).next;
        }
        new.next = after;
        push(&mut self.parts, new)?;
        let number = self.parts.len() as u32;
        match self.parts.get_mut((before as usize).wrapping_sub(1)) {
            Some(part) => {
                part.next = number;
                Ok(head)
            }
            None => Ok(number),
        }
    }
}

/// Postpones an item: it will lie on another one of the list. False when that is impossible.
fn postpone(model: &Model, state: &mut State, list: &[u32], item: u32) -> Result<bool, Error> {
    let Some(own) = model.items.get(item as usize) else { return Ok(false) };
    let mut support = u32::MAX;
    for &other in list.iter().filter(|&&other| other != item) {
        let Some(theirs) = model.items.get(other as usize) else { continue };
        let end = state.end(theirs, other);
        if end < support && model.meet(own, theirs) {
            support = end;
        }
    }
    if support == u32::MAX {
        return Ok(false);
    }
    state.raise(item, own.align(support))
}

fn part(parts: &[Part], number: u32) -> Part {
    get(parts, (number as usize).wrapping_sub(1))
}
