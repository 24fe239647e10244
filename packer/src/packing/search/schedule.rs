//! Which searches are made, for which capacity, and for how long.
//!
//! Most searches that find a plan take few more steps than there are buffers; others would take for ever. So each is short, and
//! the next one has another preference or another rule: first those that have proved good, then ones that spread evenly over
//! all there are, at last mixed with chance. Now and then comes a longer one. And from time to time, a search is given half as
//! many steps as all before it had: if any search can come to an end, that one will at last, and either find a plan or prove
//! that there is none.
//!
//! Without a capacity to be met, searches aim at the lower bound, at the height halfway between it and the best plan, and
//! just below the best plan, in turn. Low aims are not the worst: the less room there is, the sooner a search sees that it is
//! on a wrong way. Before all searches come a few descents, which place all buffers without looking ahead.

use alloc::vec::Vec;

use super::branch::Rule;
use super::model::{Item, Model};
use super::order::{Chance, Weights, rank};
use super::skyline::Skyline;
use super::{Budget, Outcome, Search};
use crate::collections::{extend, refill};
use crate::order::Order;
use crate::packing::{Plan, Problem, Progress, Watch};
use crate::{Bytes, Error};

/// No more items than this are searched.
const MOST_ITEMS: usize = 4096;

/// Descents before the first search.
const DESCENTS: u64 = 5;

/// Heights to aim at, in turn, while no capacity is given.
const AIMS: u64 = 3;

/// A rule and a preference.
#[derive(Clone, Copy, Debug)]
struct Way {
    rule: Rule,
    weights: Weights,
    seed: u64,
}

/// A way that leaves nothing to chance.
const fn way(rule: Rule, size: u32, load: u32) -> Way {
    Way { rule, weights: Weights { length: 64 - size, size, load, chance: 0 }, seed: 0 }
}

/// Ways that have proved good for many problems. Long lifetimes mostly come first, then large sizes.
const GOOD: [Way; 5] = [
    way(Rule::Lowest, 3, 2),
    way(Rule::Lowest, 32, 2),
    way(Rule::Fewest, 22, 32),
    way(Rule::Fewest, 36, 4),
    way(Rule::Lowest, 12, 2),
];

/// How far searches go.
#[derive(Clone, Copy, Debug)]
pub(in crate::packing) struct Goal {
    /// Steps of all searches together.
    pub(in crate::packing) steps: u64,
    /// The height to aim at; `None` for the lowest there is.
    pub(in crate::packing) capacity: Option<Bytes>,
    /// A height that is low enough, whatever is aimed at.
    pub(in crate::packing) enough: Option<Bytes>,
    /// Whether long searches are made, which can prove that there is no plan.
    pub(in crate::packing) proofs: bool,
}

impl Goal {
    /// True when `plan` meets it.
    pub(super) fn is_met(&self, plan: &Plan) -> bool {
        plan.height <= self.capacity.unwrap_or(plan.lower_bound).max(self.enough.unwrap_or_default())
    }

    /// True when there is nothing to search for: `plan` meets it, there is nothing below `lowest`, or the steps are used up.
    fn is_over(&self, plan: &Plan, lowest: Bytes) -> bool {
        let wanted = self.capacity.unwrap_or(lowest);
        self.is_met(plan) || wanted < lowest || plan.height <= lowest || plan.steps >= self.steps
    }
}

/// Searches, one after the other.
#[derive(Debug)]
pub(super) struct Schedule<'a> {
    problem: &'a Problem<'a>,
    model: Model,
    search: Search,
    skyline: Skyline,
    order: Order,
    ranks: Vec<u32>,
    loads: Vec<u32>,
    /// By section, where what is placed ends.
    ends: Vec<Bytes>,
    /// No search finds a plan below, though there may be one where it does not look at all of them.
    lowest: Bytes,
    /// Searches so far.
    count: u64,
}

impl<'a> Schedule<'a> {
    /// For plans lower than `height`.
    pub(super) fn new(problem: &'a Problem<'a>, height: Bytes) -> Result<Schedule<'a>, Error> {
        let model = Model::new(problem, height)?;
        Ok(Schedule {
            problem,
            model,
            search: Search::default(),
            skyline: Skyline::default(),
            order: Order::default(),
            ranks: Vec::new(),
            loads: Vec::new(),
            ends: Vec::new(),
            lowest: Bytes::ZERO,
            count: 0,
        })
    }

    /// Improves `plan`, a plan for the problem with a proven lower bound.
    pub(super) fn run(&mut self, goal: Goal, plan: &mut Plan, watch: &mut dyn Watch) -> Result<(), Error> {
        let mut stopped = false;
        self.lowest = plan.lower_bound;
        while !stopped && !goal.is_over(plan, self.lowest) && self.is_worth_it(goal, plan) {
            let target = self.target(goal, plan);
            let progress = Progress { steps: plan.steps, height: plan.height, lower_bound: plan.lower_bound };
            let end = self.limit(goal, plan.steps).saturating_add(plan.steps).min(goal.steps);
            let mut budget = Budget { progress, end, watch, stopped };
            let outcome = self.search(goal, target, &mut budget)?;
            stopped = budget.stopped;
            plan.steps = budget.progress.steps;
            match outcome {
                Outcome::Found => self.keep(plan)?,
                Outcome::None => {
                    self.lowest = self.model.next_height(self.problem, Bytes(target.0.saturating_add(1)));
                    if self.model.complete {
                        plan.lower_bound = plan.lower_bound.max(self.lowest).min(plan.height);
                    }
                }
                Outcome::GivenUp => {}
            }
            self.count += 1;
        }
        Ok(())
    }

    /// True when the steps that are left may be enough: a plan takes one for each buffer, a proof sometimes fewer.
    fn is_worth_it(&self, goal: Goal, plan: &Plan) -> bool {
        goal.proofs || goal.steps.saturating_sub(plan.steps) >= self.model.items.len() as u64
    }

    /// The height that the next search aims at; below that of the plan.
    fn target(&self, goal: Goal, plan: &Plan) -> Bytes {
        let gap = plan.height.saturating_sub(self.lowest).0;
        let aim = match self.count % AIMS {
            _ if self.descends() => gap,
            0 => 0,
            1 => gap / 2,
            _ => gap,
        };
        goal.capacity.unwrap_or_else(|| Bytes(self.lowest.0 + aim.min(gap.saturating_sub(1))))
    }

    /// The steps for the next search, when `taken` have been taken.
    fn limit(&self, goal: Goal, taken: u64) -> u64 {
        let few = 3 * self.model.items.len() as u64 + 64;
        match self.count {
            64.. if goal.proofs && self.count.is_power_of_two() => taken / 2,
            count if count % 24 >= 21 => 4 * few,
            _ => few,
        }
    }

    fn search(&mut self, goal: Goal, target: Bytes, budget: &mut Budget<'_>) -> Result<Outcome, Error> {
        let (model, problem) = (&self.model, self.problem);
        let capacity = model.units(target);
        let highest = &mut |item: &Item| {
            let size = problem.buffers.get(item.position as usize)?.size;
            model.highest(size, target)
        };
        if !self.search.state.start(model, capacity, highest)? {
            return Ok(Outcome::None);
        }
        self.loads.clear();
        extend(&mut self.loads, &self.search.state.load)?;
        let way = way_of(self.round(goal));
        rank(model, &self.loads, way.weights, way.seed, &mut self.order, &mut self.ranks)?;
        if self.descends() {
            let found = self.skyline.run(model, &self.ranks, &self.search.state, budget)?;
            return Ok(if found { Outcome::Found } else { Outcome::GivenUp });
        }
        self.search.run(model, &self.ranks, way.rule, budget)
    }

    /// True for all searches where they would take too much memory, as each step keeps a list of what is to be placed. And
    /// for the first ones anywhere: they take little time, and what they find is less to be improved.
    fn descends(&self) -> bool {
        self.model.items.len() > MOST_ITEMS || self.count < DESCENTS
    }

    fn round(&self, goal: Goal) -> u64 {
        let searches = self.count.saturating_sub(DESCENTS);
        match goal.capacity {
            _ if self.descends() => self.count,
            Some(_) => searches,
            None => searches / AIMS,
        }
    }

    /// Takes over what the search has found: with the order in which buffers lie one above the other, and with exact sizes.
    fn keep(&mut self, plan: &mut Plan) -> Result<(), Error> {
        let model = &self.model;
        let descends = self.descends();
        self.order.start(model.items.len())?;
        self.order.sort_by_key(&mut |at| {
            let at = at as u32;
            u64::from(if descends { self.skyline.start_of(at) } else { self.search.start_of(at) })
        })?;
        refill(&mut self.ends, model.sections, Bytes::ZERO)?;
        plan.height = Bytes::ZERO;
        for item in self.order.positions().filter_map(|at| model.items.get(at)) {
            let Some(buffer) = self.problem.buffers.get(item.position as usize) else { continue };
            let below = model.spans(item).iter().flat_map(|span| span.of(&self.ends)).copied().max();
            let lowest = below.unwrap_or_default().align_up(buffer.alignment).unwrap_or(Bytes(usize::MAX));
            let offset = buffer.fixed.unwrap_or(lowest);
            let end = offset.saturating_add(buffer.size);
            for span in model.spans(item) {
                span.of_mut(&mut self.ends).fill(end);
            }
            if let Some(slot) = plan.offsets.get_mut(item.position as usize) {
                *slot = offset;
            }
            plan.height = plan.height.max(end);
        }
        Ok(())
    }
}

/// The way of a round.
///
/// In what proportion length and size count is what matters most; which one is good lies in a narrow range that differs from
/// problem to problem. So after those that have proved good elsewhere come ones that spread evenly over all, each with both
/// rules, and every other one mixed with chance.
fn way_of(round: u64) -> Way {
    if let Some(&way) = GOOD.get(round as usize) {
        return way;
    }
    let round = round - GOOD.len() as u64;
    let rule = if round.is_multiple_of(2) { Rule::Lowest } else { Rule::Fewest };
    let pair = round / 4;
    // Multiples of the golden ratio, less their whole parts.
    let turn = (pair as u32).wrapping_mul(0x9e37_79b9);
    let size = 1 + (((turn >> 16) * 46) >> 16);
    if round % 4 < 2 {
        let load = [4, 0, 32].get(pair as usize % 3).copied().unwrap_or(0);
        return way(rule, size, load);
    }
    let mut chance = Chance(round / 2);
    let way = way(rule, size, chance.below(64));
    let chance = 1 + chance.below(56);
    Way { weights: Weights { chance, ..way.weights }, seed: round / 2, ..way }
}
