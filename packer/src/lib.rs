//! Places intervals of bytes: buffers that are needed from one node to another get their offsets in an arena.
//!
//! [`strategy`] says in which order they are placed, [`occupancy`] what is in their way. [`validate`] judges the result and
//! shares no code with what made it.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod bounds;
mod bytes;
mod collections;
mod error;
mod gap;
mod index;
pub mod occupancy;
pub mod order;
pub mod packing;
mod runs;
pub mod strategy;
pub mod text;
pub mod validate;

pub use bytes::{Alignment, Bytes};
pub use error::{ASKED_FOR, Error};
pub use gap::{BestGap, GapMeasure};

/// In the place of a last node: needed to the end.
pub const END: i32 = i32::MAX;

/// Growth that can fail, for those who build on this crate under the same rules.
pub mod fallible {
    pub use crate::collections::{OutOfMemory, at, at_mut, extend, grow, push, push_within, refill, reserve};
}
