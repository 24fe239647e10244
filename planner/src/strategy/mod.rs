//! Placement strategies: in which order tensors are given their places.

mod greedy;

pub use greedy::Greedy;

use crate::occupancy::Occupancy;
use crate::{Alignment, Bytes, Error};

/// A tensor that wants a place in one arena.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The tensor.
    pub tensor: i32,
    /// Its size; more than zero.
    pub size: Bytes,
    /// What its offset must be a multiple of.
    pub alignment: Alignment,
    /// The first node that needs the bytes.
    pub first_node: i32,
    /// The last node that needs the bytes.
    pub last_node: i32,
    /// Alive from the first node to the end by the graph's own account, whatever its arena says.
    pub whole_run: bool,
    /// The answer, written by [`Strategy::place`].
    pub offset: Bytes,
}

/// Gives places.
pub trait Strategy {
    /// Places every request around what `occupied` holds and adds it there.
    ///
    /// On an error some requests may have been added; the caller rebuilds `occupied`.
    fn place(&self, requests: &mut [Request], occupied: &mut Occupancy) -> Result<(), Error>;
}
