//! Which searches are made, for which capacity, and for how long.
//!
//! Most searches that find a plan take few more steps than there are buffers; others would take for ever. So each is short, and
//! the next one has another preference or another rule: first those that have proved good, then mixtures by chance. Now and
//! then comes a longer one. From time to time, a search is given as many steps as all before it had: if any search can
//! finish, that one will in the end, and either find a plan or prove that there is none.
//!
//! Without a capacity to be met, searches aim at the lower bound, at a height halfway between it and the best plan, and
//! just below the best plan, in turn.

use alloc::vec::Vec;

use super::branch::Rule;
use super::model::{Item, MOST, Model};
use super::order::{Chance, Weights, rank};
use super::{Budget, Outcome, Search};
use crate::collections::extend;
use crate::order::Order;
use crate::packing::{Plan, Problem, Progress, Watch};
use crate::{Bytes, Error};

/// Heights to aim at, in turn, while no capacity is given.
const AIMS: usize = 3;

/// The search keeps a list of what is to be placed for each step: quadratic, so not for more items than this.
const MOST_ITEMS: usize = 4096;

/// Proportions that have proved good.
const GOOD: [Weights; 6] = [
    Weights { length: 62, size: 2, load: 4, chance: 0 },
    Weights { length: 52, size: 12, load: 0, chance: 0 },
    Weights { length: 42, size: 22, load: 32, chance: 0 },
    Weights { length: 32, size: 32, load: 0, chance: 0 },
    Weights { length: 28, size: 36, load: 4, chance: 0 },
    Weights { length: 55, size: 9, load: 16, chance: 20 },
];

/// How far searches go.
#[derive(Clone, Copy, Debug)]
pub(in crate::packing) struct Goal {
    /// Steps of all searches together.
    pub(in crate::packing) steps: u64,
    /// The height to be met; `None` for the lowest there is.
    pub(in crate::packing) capacity: Option<Bytes>,
    /// Whether long searches are made, which can prove that there is no plan.
    pub(in crate::packing) proofs: bool,
}

impl Goal {
    /// True when `plan` meets it.
    pub(super) fn is_met(&self, plan: &Plan) -> bool {
        plan.height <= self.capacity.unwrap_or(plan.lower_bound)
    }

    /// True when there is nothing to search for: `plan` meets it, it cannot be met, or the steps are used up.
    fn is_over(&self, plan: &Plan) -> bool {
        self.is_met(plan)
            || self.capacity.is_some_and(|capacity| capacity < plan.lower_bound)
            || plan.steps >= self.steps
    }
}

/// Searches, one after the other.
#[derive(Debug)]
pub(super) struct Schedule<'a> {
    problem: &'a Problem<'a>,
    model: Model,
    search: Search,
    order: Order,
    ranks: Vec<u32>,
    loads: Vec<u32>,
    /// Searches so far.
    count: u64,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Result<Schedule<'a>, Error> {
        let model = Model::new(problem)?;
        Ok(Schedule {
            problem,
            model,
            search: Search::default(),
            order: Order::default(),
            ranks: Vec::new(),
            loads: Vec::new(),
            count: 0,
        })
    }

    /// Improves `plan`, a plan for the problem with a proven lower bound.
    pub(super) fn run(&mut self, goal: Goal, plan: &mut Plan, watch: &mut dyn Watch) -> Result<(), Error> {
        let mut stopped = self.model.items.len() > MOST_ITEMS;
        while !stopped && !goal.is_over(plan) {
            let target = self.target(goal, plan);
            let progress = Progress { steps: plan.steps, height: plan.height, lower_bound: plan.lower_bound };
            let end = self.limit(goal, plan.steps).saturating_add(plan.steps).min(goal.steps);
            let mut budget = Budget { progress, end, watch, stopped };
            let outcome = self.search(goal, target, &mut budget)?;
            stopped = budget.stopped;
            plan.steps = budget.progress.steps;
            match outcome {
                Outcome::Found => self.keep(plan),
                Outcome::None => {
                    let above = self.model.next_height(self.problem, Bytes(target.0.saturating_add(1)));
                    plan.lower_bound = plan.lower_bound.max(above).min(plan.height);
                }
                Outcome::GivenUp => {}
            }
            self.count += 1;
        }
        Ok(())
    }

    /// The height that the next search aims at; below that of the plan.
    fn target(&self, goal: Goal, plan: &Plan) -> Bytes {
        let gap = plan.height.saturating_sub(plan.lower_bound).0;
        let aims = [0, gap / 2, gap.saturating_sub(1)];
        let aim = || aims.get(self.count as usize % AIMS).copied().unwrap_or(0);
        goal.capacity.unwrap_or_else(|| Bytes(plan.lower_bound.0 + aim()))
    }

    /// The steps for the next search, when `taken` have been taken.
    fn limit(&self, goal: Goal, taken: u64) -> u64 {
        if goal.proofs && self.count >= 64 && self.count.is_power_of_two() {
            return taken / 2;
        }
        let few = 3 * self.model.items.len() as u64 + 64;
        if self.count / 3 % 8 == 7 { 4 * few } else { few }
    }

    fn search(&mut self, goal: Goal, target: Bytes, budget: &mut Budget<'_>) -> Result<Outcome, Error> {
        let (model, problem) = (&self.model, self.problem);
        let capacity = model.units(target);
        let is_proof = model.complete && capacity < MOST;
        let none = if is_proof { Outcome::None } else { Outcome::GivenUp };
        let highest = &mut |item: &Item| {
            let size = problem.buffers.get(item.position as usize)?.size;
            model.highest(size, target)
        };
        if !self.search.state.start(model, capacity, highest)? {
            return Ok(none);
        }
        self.loads.clear();
        extend(&mut self.loads, &self.search.state.load)?;
        let round = if goal.capacity.is_some() { self.count } else { self.count / AIMS as u64 };
        let rule = if round % 2 == 0 { Rule::Lowest } else { Rule::Fewest };
        rank(model, &self.loads, weights(round / 2), round, &mut self.order, &mut self.ranks)?;
        match self.search.run(model, &self.ranks, rule, budget)? {
            Outcome::None => Ok(none),
            outcome => Ok(outcome),
        }
    }

    /// Takes over what the search has found.
    fn keep(&self, plan: &mut Plan) {
        plan.height = Bytes::ZERO;
        for (at, item) in (0..).zip(&self.model.items) {
            let Some(buffer) = self.problem.buffers.get(item.position as usize) else { continue };
            let offset = buffer.fixed.unwrap_or(self.model.bytes(self.search.start_of(at)));
            if let Some(slot) = plan.offsets.get_mut(item.position as usize) {
                *slot = offset;
            }
            plan.height = plan.height.max(offset.saturating_add(buffer.size));
        }
    }
}

/// The preference of a round.
///
/// In what proportion length and size count is what matters most; which one is good lies in a narrow range that differs from
/// problem to problem. So every other round has one that has proved good elsewhere, the rounds between spread evenly over
/// all. Once the good ones have had their turn, chance comes in.
fn weights(round: u64) -> Weights {
    let mut chance = Chance(round);
    let at = (round / 2) as usize % GOOD.len();
    let is_first = round / 2 == at as u64;
    if round.is_multiple_of(2) {
        let good = GOOD.get(at).copied().unwrap_or(Weights { length: 1, size: 1, load: 0, chance: 0 });
        return Weights { chance: if is_first { good.chance } else { chance.below(40) }, ..good };
    }
    // Multiples of the golden ratio, less their whole parts.
    let turn = ((round / 2) as u32).wrapping_mul(0x9e37_79b9);
    let size = 1 + (((turn >> 16) * 46) >> 16);
    let load = [4, 0, 32].get(round as usize / 2 % 3).copied().unwrap_or(0);
    Weights { length: 64 - size, size, load, chance: if round % 4 == 1 { 0 } else { chance.below(40) } }
}
