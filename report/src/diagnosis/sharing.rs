//! What operators save that write over their operands.

use super::Said;
use super::subject::Subject;
use super::words::{bytes, count, percent};
use arena_planner::Arena;

/// Less than one part in so many of all bytes is not worth a sentence.
const SHARE: usize = 10;

pub(super) fn in_place(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let aliases: Vec<usize> = (0..map.places.len())
        .filter(|&tensor| subject.place(tensor).is_some_and(|place| place.arena == Arena::Rw && place.root != tensor))
        .collect();
    let shared = aliases.iter().map(|&tensor| map.network.tensors[tensor].bytes).fold(0, usize::saturating_add);
    let all = shared.saturating_add(map.totals.naive);
    if shared == 0 || shared < all / SHARE {
        return None;
    }
    Some(Said::fact(format!(
        "In-place operators let {} lie on bytes of other tensors: {} ({} of all) need no room of their own.",
        count(aliases.len(), "tensor"),
        bytes(shared),
        percent(shared, all)
    )))
}
