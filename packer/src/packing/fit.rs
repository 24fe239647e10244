//! Places buffers one after the other where they fit best, by comparing each with all that are placed. Slow and simple; for
//! buffers with gaps.

use alloc::vec::Vec;

use super::sections::{Piece, Sections};
use super::{Problem, get};
use crate::collections::push;
use crate::order::Order;
use crate::{Bytes, Error};

/// Offsets that a buffer cannot have: those above `above` and below `below`.
#[derive(Clone, Copy)]
struct Forbidden {
    above: i64,
    below: i64,
}

/// Places the buffers at `order`, each in the smallest gap that it fits into, or on top. `offsets` has those of all that are in
/// `placed`, and gets the others.
pub(super) fn best_fit(
    problem: &Problem<'_>,
    sections: &Sections,
    order: &mut dyn Iterator<Item = usize>,
    placed: &mut Vec<usize>,
    offsets: &mut [Bytes],
) -> Result<(), Error> {
    let mut forbidden = Vec::new();
    let mut sorted = Order::default();
    for at in order {
        let Some(buffer) = problem.buffers.get(at) else { continue };
        forbidden.clear();
        for &other in &*placed {
            let offset = get(offsets, other);
            let pieces = sections.of(other);
            for ours in sections.of(at) {
                // In order of time, and apart from each other.
                let before = pieces.partition_point(|theirs| theirs.to <= ours.from);
                let met = pieces.iter().skip(before).take_while(|theirs| theirs.meets(ours));
                for theirs in met {
                    push(&mut forbidden, between(offset, theirs, ours))?;
                }
            }
        }
        sorted.start(forbidden.len())?;
        sorted.sort_by_key(&mut |at| {
            forbidden.get(at).map_or(0, |forbidden: &Forbidden| (forbidden.above as u64) ^ 1 << (u64::BITS - 1))
        })?;
        let aligned = |from: i64| usize::try_from(from).ok().and_then(|from| Bytes(from).align_up(buffer.alignment));
        let mut best: Option<(i64, Bytes)> = None;
        let mut from = 0;
        for next in sorted.positions().filter_map(|at| forbidden.get(at)) {
            if let Some(start) = aligned(from) {
                let left = next.above.saturating_sub(start.0 as i64);
                if left >= 0 && best.is_none_or(|(smallest, _)| left < smallest) {
                    best = Some((left, start));
                }
            }
            from = from.max(next.below);
        }
        let found = best.map(|(_, start)| start).or_else(|| aligned(from));
        let ends = found.filter(|start| start.checked_add(buffer.size).is_some_and(|end| i64::try_from(end.0).is_ok()));
        let Some(start) = ends else {
            return Err(Error::Overflow { tensor: at as i32, bytes: buffer.size.0 });
        };
        if let Some(slot) = offsets.get_mut(at) {
            *slot = start;
        }
        push(placed, at)?;
    }
    Ok(())
}

/// Where the buffer with the piece `ours` cannot start, for another one at `offset` has the piece `theirs`.
fn between(offset: Bytes, theirs: &Piece, ours: &Piece) -> Forbidden {
    let at = |bytes: Bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX);
    Forbidden {
        above: at(offset.saturating_add(theirs.low)).saturating_sub(at(ours.high)),
        below: at(offset.saturating_add(theirs.high)).saturating_sub(at(ours.low)),
    }
}
