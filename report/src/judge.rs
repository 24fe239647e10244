//! Judges what was packed, by the validator that shares no code with the packer.

use std::collections::{BTreeMap, BTreeSet};

use arena_packer::Bytes;
use arena_packer::packing::{Buffer, Plan, Problem};
use arena_packer::validate::{Clash, Placed, validate};

/// Whether the plan keeps buffers that are alive at once apart, aligned, where they are fixed, and below its height.
pub fn plan(problem: &Problem<'_>, plan: &Plan) -> Result<(), Clash> {
    for (id, (buffer, offset)) in problem.buffers.iter().zip(&plan.offsets).enumerate() {
        if buffer.size.0 > 0 && buffer.fixed.is_some_and(|fixed| fixed != *offset) {
            return Err(Clash::Misaligned { id });
        }
    }
    all(placed(problem, &plan.offsets), plan.height.0)
}

/// What is to be judged of buffers at these offsets.
pub(crate) fn placed(problem: &Problem<'_>, offsets: &[Bytes]) -> Vec<Placed> {
    let mut placed = Vec::new();
    for (id, (buffer, offset)) in problem.buffers.iter().zip(offsets).enumerate() {
        pieces(problem, id, buffer, offset.0, &mut placed);
    }
    placed
}

/// Whether the fixed buffers can lie where they must.
pub fn fixed(problem: &Problem<'_>) -> Result<(), Clash> {
    let mut placed = Vec::new();
    for (id, buffer) in problem.buffers.iter().enumerate() {
        if let Some(offset) = buffer.fixed {
            pieces(problem, id, buffer, offset.0, &mut placed);
        }
    }
    all(placed, usize::MAX)
}

/// Judges each by itself, and then only pairs that lie next to each other: the validator compares all, which takes minutes
/// where there are some hundred thousand.
///
/// As long as no two that are alive overlap, one that begins can only overlap the one below it or the one above it.
pub(crate) fn all(mut placed: Vec<Placed>, height: usize) -> Result<(), Clash> {
    placed.retain(|placed| placed.size > 0);
    placed.iter().try_for_each(|&placed| validate(&[placed], height))?;
    placed.sort_by_key(|placed| placed.first_node);
    // By offset; and by last node, with the offset.
    let mut alive: BTreeMap<usize, Placed> = BTreeMap::new();
    let mut ends = BTreeSet::new();
    for next in placed {
        while let Some(&(last_node, offset)) = ends.first().filter(|(last_node, _)| *last_node < next.first_node) {
            ends.remove(&(last_node, offset));
            alive.remove(&offset);
        }
        let below = alive.range(..=next.offset).next_back();
        let above = alive.range(next.offset..).next();
        for (_, &other) in below.into_iter().chain(above) {
            let pair = if other.id < next.id { [other, next] } else { [next, other] };
            validate(&pair, height)?;
        }
        alive.insert(next.offset, next);
        ends.insert((next.last_node, next.offset));
    }
    Ok(())
}

/// A buffer as it is between its gaps, and the windows that it has in them.
fn pieces(problem: &Problem<'_>, id: usize, buffer: &Buffer, offset: usize, placed: &mut Vec<Placed>) {
    let &Buffer { first_node, last_node, size, alignment, .. } = buffer;
    let whole = Placed { id, first_node, last_node, offset, size: size.0, alignment: alignment.get() };
    let mut from = first_node;
    let own = problem.gaps.partition_point(|gap| (gap.buffer as usize) < id);
    for gap in problem.gaps[own..].iter().take_while(|gap| gap.buffer as usize == id) {
        if from < gap.first_node {
            placed.push(Placed { first_node: from, last_node: gap.first_node - 1, ..whole });
        }
        if let Some((start, end)) = gap.window {
            let (first_node, last_node) = (gap.first_node, gap.last_node);
            let (offset, size) = (offset + start.0, end.0 - start.0);
            placed.push(Placed { id, first_node, last_node, offset, size, alignment: 1 });
        }
        from = gap.last_node + 1;
    }
    if from <= last_node {
        placed.push(Placed { first_node: from, ..whole });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random: Knuth's multiplicative hash.
    fn number(at: u32, below: u32) -> u32 {
        (at.wrapping_mul(2_654_435_761) >> 8) % below
    }

    /// Few placements in few nodes and bytes: about half of the plans are sound.
    #[test]
    fn neighbours_tell_what_all_pairs_tell() {
        let mut sound = 0;
        for plan in 0..20_000u32 {
            let one = |id: u32| {
                let number = |what, below| number(plan * 100 + id * 10 + what, below);
                let first_node = number(0, 6) as i32;
                let last_node = first_node + number(1, 4) as i32;
                let (offset, size) = (number(2, 16) as usize, number(3, 7) as usize);
                Placed { id: id as usize, first_node, last_node, offset, size, alignment: 1 }
            };
            let placed: Vec<Placed> = (0..2 + plan % 5).map(one).collect();
            let expected = validate(&placed, usize::MAX);
            assert_eq!(all(placed.clone(), usize::MAX).is_ok(), expected.is_ok(), "{placed:?}");
            sound += u32::from(expected.is_ok());
        }
        assert!((4_000..16_000).contains(&sound), "{sound} of 20000 are sound");
    }
}
