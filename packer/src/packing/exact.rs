//! The lowest plan there is, or how near to it a search has come.

use super::search::{Goal, Schedule};
use super::{Limits, Plan, Problem, Watch, greedy};
use crate::Error;

/// Searches for a plan within the capacity, or without one for the lowest plan.
///
/// Ends when the plan is found, when there is none (then the plan's lower bound is above the capacity), when the steps are used
/// up, and when `watch` says so; always with the best plan so far and what is proven.
pub fn exact(problem: &Problem<'_>, limits: Limits, watch: &mut dyn Watch) -> Result<Plan, Error> {
    let mut plan = greedy(problem)?;
    let goal = Goal { steps: limits.steps, capacity: limits.capacity, proofs: true };
    if plan.height > plan.lower_bound {
        Schedule::new(problem)?.run(goal, &mut plan, watch)?;
    }
    Ok(plan)
}
