//! Placement strategies: in which order tensors are given their places.

mod greedy;
mod in_order;

pub use greedy::Greedy;
pub use in_order::InOrder;

use crate::gap::{BestGap, GapMeasure};
use crate::index::Index;
use crate::occupancy::{Allocation, Occupancy};
use crate::order::Order;
use crate::runs::Run;
use crate::{Alignment, Bytes, Error};

/// From so many pairs of a request and an allocation that it may meet on, an index saves more than making it costs.
const WORTH_AN_INDEX: usize = 16 * 1024;

/// A tensor that wants a place in one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub position: u32,
    /// The answer, written by [`Strategy::place`].
    pub offset: Bytes,
}

impl Request {
    /// The allocation that answers it.
    pub fn allocation(&self) -> Allocation {
        let Request { tensor, size, first_node, last_node, offset, .. } = *self;
        Allocation { offset, size, tensor, first_node, last_node }
    }
}

/// Gives places.
pub trait Strategy {
    /// Places every request around what `occupied` holds.
    ///
    /// True when all of them have been added there. False, and on an error, when the caller has to rebuild `occupied`
    /// before it is used again.
    fn place(
        &self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        workspace: &mut Workspace,
    ) -> Result<bool, Error>;
}

/// What a strategy works with; kept from one placement to the next, so that a repeated one asks for no memory.
#[derive(Debug, Default)]
pub struct Workspace {
    order: Order,
    index: Index,
}

impl Workspace {
    /// Places requests one after the other as `order` has them, each into the best-fitting gap.
    fn place_each(
        &mut self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        measure: GapMeasure,
    ) -> Result<bool, Error> {
        let Workspace { order, index } = self;
        let met = occupied.allocations().len().saturating_add(requests.len() / 2);
        let scans = requests.len().saturating_mul(met) < WORTH_AN_INDEX;
        let Some(alignment) = requests.iter().map(|request| request.alignment).min() else { return Ok(true) };
        if !scans {
            index.start(requests, occupied.allocations(), alignment)?;
        }
        for at in order.positions() {
            let Some(request) = requests.get_mut(at) else { continue };
            let best = BestGap::new(request.size, request.alignment, measure);
            let found = if scans {
                occupied.best_fit(request.first_node, request.last_node, best)
            } else {
                index.best_fit(at, best)?
            };
            request.offset = found.ok_or(Error::Overflow { tensor: request.tensor, bytes: request.size.0 })?;
            let allocation = request.allocation();
            if scans {
                occupied.insert(allocation)?;
            } else {
                index.put(at, Run { start: allocation.offset, end: allocation.end() }, alignment)?;
            }
        }
        Ok(scans)
    }
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
    fn place(
        &self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        workspace: &mut Workspace,
    ) -> Result<bool, Error> {
        match self {
            Choice::Greedy => Greedy.place(requests, occupied, workspace),
            Choice::InOrder => InOrder.place(requests, occupied, workspace),
        }
    }
}

/// A key of two numbers, the first of which counts more.
fn key(major: i32, minor: u32) -> u64 {
    u64::from(major as u32) << u32::BITS | u64::from(minor)
}
