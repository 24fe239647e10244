//! Upstream's order: what lives for the whole run first, then the largest, each into the best-fitting gap.

use core::cmp::Reverse;

use super::{Request, Strategy, place_each};
use crate::collections::sort_by;
use crate::occupancy::{GapMeasure, Occupancy};
use crate::{Bytes, Error};

/// Greedy by size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Strategy for Greedy {
    fn place(&self, requests: &mut [Request], occupied: &mut Occupancy) -> Result<(), Error> {
        sort_by(requests, |a, b| key(a) < key(b));
        place_each(requests, occupied, GapMeasure::FromAlignedStart)
    }
}

/// Upstream leaves tensors of equal size and first node in the order of its hash table; here the index decides.
fn key(request: &Request) -> (bool, Reverse<Bytes>, i32, i32) {
    if request.whole_run {
        (false, Reverse(Bytes::ZERO), 0, request.tensor)
    } else {
        (true, Reverse(request.size), request.first_node, request.tensor)
    }
}
