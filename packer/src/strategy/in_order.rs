//! Upstream's order up to 2.1: as the nodes run. Where the first N nodes are what they were, so are their places.

use super::{Request, Strategy, Workspace};
use crate::gap::GapMeasure;
use crate::occupancy::Occupancy;
use crate::{Bytes, Error};

/// In the order of execution; at one node temporaries first, then in the order of its lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Strategy for InOrder {
    fn place(
        &self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        _reached: Bytes,
        workspace: &mut Workspace,
    ) -> Result<bool, Error> {
        let order = &mut workspace.order;
        order.start(requests.len())?;
        order.sort_by_key(&mut |at| requests.get(at).map_or(0, |request| request.first_node as u64))?;
        workspace.place_each(requests, occupied, GapMeasure::FromStart)
    }
}
