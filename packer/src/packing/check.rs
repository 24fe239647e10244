//! Judges a plan: quadratic, and sharing no code with what makes plans.

use alloc::vec::Vec;

use super::{Buffer, Problem};
use crate::Bytes;

/// What is wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// There are more or fewer offsets than buffers.
    Count,
    /// The offset of this buffer is no multiple of its alignment.
    Misaligned(usize),
    /// This buffer is not where it must lie.
    Moved(usize),
    /// This buffer ends beyond the address space.
    Beyond(usize),
    /// These two need the same byte at the same node.
    Overlap(usize, usize),
}

/// Checks that a plan is one: nothing overlaps, and all lies where it may. A buffer without bytes may lie anywhere.
pub fn check(problem: &Problem<'_>, offsets: &[Bytes]) -> Result<(), Clash> {
    if offsets.len() != problem.buffers.len() {
        return Err(Clash::Count);
    }
    let placed = problem.buffers.iter().zip(offsets).enumerate().filter(|(_, (buffer, _))| buffer.size != Bytes::ZERO);
    for (at, (buffer, &offset)) in placed.clone() {
        if offset.checked_add(buffer.size).is_none() {
            return Err(Clash::Beyond(at));
        }
        match buffer.fixed {
            Some(place) if place != offset => return Err(Clash::Moved(at)),
            None if offset.0 % buffer.alignment.get() != 0 => return Err(Clash::Misaligned(at)),
            _ => {}
        }
        for (other, (other_buffer, &other_offset)) in placed.clone().take_while(|&(other, _)| other < at) {
            if overlap(problem, (at, buffer, offset), (other, other_buffer, other_offset)) {
                return Err(Clash::Overlap(other, at));
            }
        }
    }
    Ok(())
}

/// True when two buffers need the same byte at the same node. What a buffer needs changes only at the edges of its gaps, so
/// it is enough to look at the nodes where either of them, or a gap of either, begins, or has just ended.
fn overlap(problem: &Problem<'_>, one: (usize, &Buffer, Bytes), two: (usize, &Buffer, Bytes)) -> bool {
    let gaps = || problem.gaps.iter().filter(|gap| [one.0, two.0].contains(&(gap.buffer as usize)));
    let edges = gaps().flat_map(|gap| [gap.first_node, gap.last_node.saturating_add(1)]);
    edges.chain([one.1.first_node, two.1.first_node]).any(|node| {
        match (needed(problem, one, node), needed(problem, two, node)) {
            (Some(one), Some(two)) => one.0 < two.1 && two.0 < one.1,
            _ => false,
        }
    })
}

/// The bytes of the arena that a buffer needs at a node.
fn needed(problem: &Problem<'_>, (at, buffer, offset): (usize, &Buffer, Bytes), node: i32) -> Option<(Bytes, Bytes)> {
    if !(buffer.first_node..=buffer.last_node).contains(&node) {
        return None;
    }
    let gap =
        problem.gaps.iter().find(|gap| gap.buffer as usize == at && (gap.first_node..=gap.last_node).contains(&node));
    let (low, high) = match gap {
        Some(gap) => gap.window?,
        None => (Bytes::ZERO, buffer.size),
    };
    (low < high).then(|| (offset.saturating_add(low), offset.saturating_add(high)))
}

/// The end of the highest buffer.
pub(super) fn height(problem: &Problem<'_>, offsets: &Vec<Bytes>) -> Bytes {
    let placed = problem.buffers.iter().zip(offsets).filter(|(buffer, _)| buffer.size != Bytes::ZERO);
    placed.fold(Bytes::ZERO, |height, (buffer, offset)| height.max(offset.saturating_add(buffer.size)))
}
