//! A plan that is lower than greedy's, if one is found in a short time.

use super::search::{Goal, improve};
use super::{Limits, Plan, Problem};
use crate::Error;

/// Steps that are enough for most problems of so many buffers. They take some 50 ms for a few hundred, and up to 300 ms for a
/// thousand that are alive at once. Where there are very many, all can be placed once.
pub fn best_steps(buffers: usize) -> u64 {
    (buffers as u64).max(6_000)
}

/// Greedy's plan, unless a lower one is found within the limits. Looks for the lowest, but ends when the capacity is met.
pub fn best(problem: &Problem<'_>, limits: Limits) -> Result<Plan, Error> {
    let Limits { steps, capacity } = limits;
    improve(problem, Goal { steps, capacity: None, enough: capacity, proofs: false }, &mut ())
}
