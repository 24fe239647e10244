//! What property tests of plans need: random graphs, a notation for them, and a search for the smallest graph that
//! still fails.

#![allow(dead_code, unused_imports, reason = "each test file uses its own part")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is wrong"
)]

mod for_all;
mod generator;
mod hostile;
mod notation;
mod rng;
mod shrink;
mod world;

pub(crate) use for_all::for_all;
pub(crate) use generator::{Bias, biased_graph, random_graph};
pub(crate) use hostile::{hostile_graph, is_orderly, rewritten_graph};
pub(crate) use notation::{parse, placed, print};
pub(crate) use rng::Rng;
pub(crate) use shrink::shrink;
pub(crate) use world::{LAST, World, any_reuse, judge_plan, owners, planner};
