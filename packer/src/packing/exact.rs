//! The lowest plan there is, or how near to it a search has come.

use super::search::{Goal, improve};
use super::{Limits, Plan, Problem, Watch};
use crate::Error;

/// Searches for a plan within the capacity, or without one for the lowest plan.
///
/// Ends when the plan is found, when there is none (then the plan's lower bound is above the capacity), when the steps are used
/// up, and when `watch` says so; always with the best plan so far and what is proven.
pub fn exact(problem: &Problem<'_>, limits: Limits, watch: &mut dyn Watch) -> Result<Plan, Error> {
    improve(problem, Goal { steps: limits.steps, capacity: limits.capacity, enough: None, proofs: true }, watch)
}
