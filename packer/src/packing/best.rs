//! A plan that is lower than greedy's, if one is found in a short time.

use super::search::{Goal, improve};
use super::{Plan, Problem};
use crate::Error;

/// Steps that take some 50 ms where a few hundred buffers are to be placed.
pub const BEST_STEPS: u64 = 6_000;

/// Greedy's plan, unless a lower one is found in `steps`.
pub fn best(problem: &Problem<'_>, steps: u64) -> Result<Plan, Error> {
    improve(problem, Goal { steps, capacity: None, proofs: false }, &mut ())
}
