//! Upstream's order: what lives for the whole run first, then the largest, each into the best-fitting gap.

use super::{Request, Workspace};
use crate::gap::GapMeasure;
use crate::occupancy::Occupancy;
use crate::{Bytes, Error};

pub(super) fn place(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    workspace: &mut Workspace,
) -> Result<bool, Error> {
    let order = &mut workspace.order;
    order.start(requests.len())?;
    // Upstream leaves tensors of equal size and first node in the order of its hash table; here the index decides.
    let by_first_node = |request: &Request| (request.first_node as u64) << u32::BITS | request.tensor as u64;
    if !requests.is_sorted_by_key(by_first_node) {
        order.sort_by_key(&mut |at| requests.get(at).map_or(0, by_first_node))?;
    }
    // Keys with few bits are sorted faster.
    let largest = requests.iter().map(|request| request.size).max().unwrap_or(Bytes::ZERO);
    order.sort_by_key(&mut |at| match requests.get(at) {
        Some(request) if !request.whole_run => 1 + largest.saturating_sub(request.size).0 as u64,
        _ => 0,
    })?;
    workspace.place_each(requests, occupied, GapMeasure::FromAlignedStart)
}
