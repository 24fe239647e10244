//! The tools of the property tests are tested themselves, and the shadow run is proved on planted faults.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops where something is wrong"
)]

#[path = "mod.rs"]
mod support;

mod faults;
mod sharing;
mod steps;
mod tools;
