//! Upstream's order up to 2.1: as the nodes run. Where the first N nodes are what they were, so are their places.

use super::{Request, Workspace};
use crate::Error;
use crate::gap::GapMeasure;
use crate::occupancy::Occupancy;

/// In the order of execution; at one node temporaries first, then in the order of its lists.
pub(super) fn place(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    workspace: &mut Workspace,
) -> Result<bool, Error> {
    let order = &mut workspace.order;
    order.start(requests.len())?;
    order.sort_by_key(&mut |at| requests.get(at).map_or(0, |request| request.first_node as u64))?;
    workspace.place_each(requests, occupied, GapMeasure::FromStart)
}
