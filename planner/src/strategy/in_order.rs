//! Upstream's order up to 2.1: as the nodes run. Where the first N nodes are what they were, so are their places.

use super::{Request, Strategy, place_each};
use crate::Error;
use crate::collections::sort_by;
use crate::occupancy::{GapMeasure, Occupancy};

/// In the order of execution; at one node temporaries first, then in the order of its lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Strategy for InOrder {
    fn place(&self, requests: &mut [Request], occupied: &mut Occupancy) -> Result<(), Error> {
        sort_by(requests, |a, b| (a.first_node, a.position) < (b.first_node, b.position));
        place_each(requests, occupied, GapMeasure::FromStart)
    }
}
