//! Placement strategies: in which order tensors are given their places.

mod greedy;
mod in_order;

pub use greedy::Greedy;
pub use in_order::InOrder;

use crate::occupancy::{Allocation, GapMeasure, Occupancy};
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
    /// Where it stands among the requests: temporaries first, then as the nodes list them.
    pub position: usize,
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

/// Places requests one after the other, each into the best-fitting gap.
fn place_each(requests: &mut [Request], occupied: &mut Occupancy, measure: GapMeasure) -> Result<(), Error> {
    for request in requests {
        let Request { tensor, size, alignment, first_node, last_node, .. } = *request;
        request.offset = occupied
            .best_fit(size, alignment, first_node, last_node, measure)
            .ok_or(Error::Overflow { tensor, bytes: size.0 })?;
        occupied.insert(Allocation { offset: request.offset, size, tensor, first_node, last_node })?;
    }
    Ok(())
}

/// The strategies by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// [`Greedy`].
    #[default]
    Greedy,
    /// [`InOrder`].
    InOrder,
}

impl Strategy for Choice {
    fn place(&self, requests: &mut [Request], occupied: &mut Occupancy) -> Result<(), Error> {
        match self {
            Choice::Greedy => Greedy.place(requests, occupied),
            Choice::InOrder => InOrder.place(requests, occupied),
        }
    }
}
