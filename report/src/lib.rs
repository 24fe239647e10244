//! Tells where the memory of a neural network goes.
//!
//! [`input`] reads what people have (a recording, a model, a table of buffers) into [`MemoryMap`]s: a graph, and where and when
//! each of its tensors has its bytes. Everything else reads those.

pub mod check;
pub mod comparison;
pub mod csv;
pub mod diagnosis;
pub mod html;
pub mod input;
pub mod json;
pub mod judge;
pub mod map;
mod model;
pub mod model_explorer;
pub mod numbers;
mod picture;
mod planning;
mod strategy;
pub mod svg;
pub mod table;
#[cfg(test)]
mod testing;
pub mod text;
pub mod trace;
pub mod validation;

pub use input::Refusal;
pub use map::MemoryMap;
pub use strategy::Strategy;
