//! Who had the bytes before.

use alloc::vec::Vec;

use crate::fallible::{OutOfMemory, push};
use crate::occupancy::Allocation;

/// For each of the allocations of one arena the tensor that had some of its bytes last before; -1 where nobody had.
pub fn previous_owners(allocations: &[Allocation]) -> Result<Vec<i32>, OutOfMemory> {
    let mut previous = Vec::new();
    for own in allocations {
        let before = allocations
            .iter()
            .filter(|other| other.last_node < own.first_node && other.offset < own.end() && own.offset < other.end());
        let last = before.max_by_key(|other| (other.last_node, core::cmp::Reverse(other.tensor)));
        push(&mut previous, last.map_or(-1, |other| other.tensor))?;
    }
    Ok(previous)
}
