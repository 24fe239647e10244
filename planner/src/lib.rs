//! Arena planning for neural networks: which tensor lies where, and from which node to which.
//!
//! The steps, each a module with one kind of data in and one out:
//! [`topology`] (the graph's connections) → [`usage`] (usage intervals) → [`alias`] (groups that share bytes) →
//! [`strategy`] (placement, in the crate `arena-packer`) → [`Memory::commit`] and [`Memory::bind`]. [`Planner`] drives them, also in parts of the
//! execution plan. [`arena`] keeps the offsets of a bare arena without a graph.
//!
//! [`validate`] and [`shadow`] judge plans. They share no code with the planner.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod alias;
pub mod arena;
mod dump;
pub mod graph;
#[cfg(feature = "inspect")]
mod picture;
mod planner;
#[cfg(feature = "inspect")]
mod previous;
pub mod shadow;
pub mod topology;
pub mod usage;

pub use arena_packer::{
    ASKED_FOR, Alignment, BestGap, Bytes, END, Error, GapMeasure, bounds, fallible, occupancy, packing, strategy, text,
    validate,
};
pub use graph::{Arena, Graph, Memory, Node, OPTIONAL_TENSOR, Tensor};
pub use planner::{Options, PlanInfo, Planner, TensorPlan};
#[cfg(feature = "inspect")]
pub use previous::{NOBODY, previous_owners};
