//! The C ABI of tflite-arena: one function for each public method of upstream's `ArenaPlanner`, `SimpleMemoryArena` and
//! `ResizableAlignedBuffer`, a graph builder for programs that have no TFLite structs, and a planner of buffers without a graph.
//!
//! An extern function turns pointers into references and integers into enums ([`boundary`]), makes one call and gives a
//! status back. What is planned, and how, is the crate `arena-planner`.
#![no_std]

extern crate alloc;

pub mod aligned_buffer;
mod boundary;
pub mod buffer_api;
pub mod graph_api;
pub mod graph_builder;
mod graph_info;
#[cfg_attr(not(feature = "inspect"), path = "inspect_left_out.rs")]
mod inspect;
pub mod inspect_api;
mod last_error;
pub mod memory_planner;
pub mod memory_planner_api;
#[cfg(any(feature = "best", feature = "exact"))]
mod memory_search;
pub mod planner_api;
mod platform;
mod runtime;
pub mod simple_arena;
pub mod simple_arena_api;
pub mod simple_arena_buffer_api;
pub mod status;
pub mod types;
mod writer;
