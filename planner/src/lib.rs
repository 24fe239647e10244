//! Arena planning for neural networks: which tensor lies where, and from which node to which.
//!
//! The steps, each a module with one kind of data in and one out:
//! [`topology`] (the graph's connections) → [`usage`] (usage intervals) → [`alias`] (groups that share bytes) →
//! [`strategy`] (placement) → [`Memory::commit`] and [`Memory::bind`]. [`Planner`] drives them, also in parts of the
//! execution plan. [`arena`] keeps the offsets of a bare arena without a graph.
//!
//! [`validate`] and [`shadow`] judge plans. They share no code with the planner.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod alias;
pub mod arena;
mod bounds;
mod bytes;
mod collections;
mod dump;
mod error;
mod gap;
pub mod graph;
mod index;
pub mod occupancy;
mod order;
mod planner;

mod runs;
pub mod shadow;
pub mod strategy;
pub mod text;
pub mod topology;
pub mod usage;
pub mod validate;

pub use bytes::{Alignment, Bytes};
pub use error::{ASKED_FOR, Error};
pub use graph::{Arena, END, Graph, Memory, Node, OPTIONAL_TENSOR, Tensor};
pub use planner::{Options, PlanInfo, Planner, TensorPlan};

/// Growth that can fail, for those who build on this crate under the same rules.
pub mod fallible {
    pub use crate::collections::{at, at_mut, extend, grow, push, reserve};
}
