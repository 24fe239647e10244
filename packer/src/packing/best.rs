//! A plan that is lower than greedy's, if one is found in a short time.

use super::search::{Goal, Schedule};
use super::{Plan, Problem, greedy};
use crate::Error;

/// Greedy's plan, unless a lower one is found in `steps`.
pub fn best(problem: &Problem<'_>, steps: u64) -> Result<Plan, Error> {
    let mut plan = greedy(problem)?;
    if plan.height > plan.lower_bound {
        Schedule::new(problem)?.run(Goal { steps, capacity: None, proofs: false }, &mut plan, &mut ())?;
    }
    Ok(plan)
}
