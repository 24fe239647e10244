//! The judge of finished plans: every pair of placements is compared with every other.
//!
//! Kept apart from the planner and quadratic on purpose, so that it can be believed by reading it. The reference
//! figures at the end are for tests: they say by definition what the planner computes cleverly.

use core::fmt;
use core::ops::{Range, RangeInclusive};

/// One placement: who occupies which bytes of one arena, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Names the placement in a [`Clash`]; a tensor's index, as a rule.
    pub id: usize,
    /// First node at which the bytes are in use.
    pub first_node: i32,
    /// Last node at which the bytes are in use, not before `first_node`; `i32::MAX` stands for "to the end".
    pub last_node: i32,
    /// Distance from the start of the arena.
    pub offset: usize,
    /// Bytes in use. A placement of no bytes is in nobody's way and is not judged.
    pub size: usize,
    /// What `offset` must be a multiple of.
    pub alignment: usize,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// Two placements use the same bytes at the same nodes.
    Overlap {
        /// The one that comes first in the plan.
        first: usize,
        /// The other one.
        second: usize,
        /// The bytes both use.
        bytes: Range<usize>,
        /// The nodes at which both use them.
        nodes: RangeInclusive<i32>,
    },
    /// The offset is no multiple of the alignment, or the alignment is 0.
    Misaligned {
        /// The placement.
        id: usize,
    },
    /// The placement ends beyond the height of the arena.
    OutOfArena {
        /// The placement.
        id: usize,
        /// Where it ends.
        end: usize,
    },
    /// `offset + size` does not fit in a `usize`.
    Overflow {
        /// The placement.
        id: usize,
    },
    /// The last node comes before the first, so nothing would ever protect the bytes.
    NeverAlive {
        /// The placement.
        id: usize,
    },
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap { first, second, bytes, nodes } => {
                write!(f, "{first} and {second} overlap in bytes {bytes:?} at nodes {nodes:?}")
            }
            Self::Misaligned { id } => write!(f, "{id} is misaligned"),
            Self::OutOfArena { id, end } => write!(f, "{id} ends at byte {end}, beyond the arena"),
            Self::Overflow { id } => write!(f, "the end of {id} overflows"),
            Self::NeverAlive { id } => write!(f, "{id} ends before it begins"),
        }
    }
}

/// Judges a plan for one arena of `height` bytes.
///
/// # Errors
///
/// The first [`Clash`] found: each placement by itself in the order given, then the pairs.
pub fn validate(plan: &[Placed], height: usize) -> Result<(), Clash> {
    for placed in plan.iter().filter(|placed| placed.size > 0) {
        let id = placed.id;
        let end = placed.offset.checked_add(placed.size).ok_or(Clash::Overflow { id })?;
        if placed.offset.checked_rem(placed.alignment) != Some(0) {
            return Err(Clash::Misaligned { id });
        }
        if end > height {
            return Err(Clash::OutOfArena { id, end });
        }
        if placed.last_node < placed.first_node {
            return Err(Clash::NeverAlive { id });
        }
    }
    for (index, a) in plan.iter().enumerate() {
        for b in plan.iter().skip(index + 1) {
            // No end overflows: the loop above has seen to it.
            let bytes = a.offset.max(b.offset)..(a.offset + a.size).min(b.offset + b.size);
            let nodes = a.first_node.max(b.first_node)..=a.last_node.min(b.last_node);
            if !bytes.is_empty() && !nodes.is_empty() {
                return Err(Clash::Overlap { first: a.id, second: b.id, bytes, nodes });
            }
        }
    }
    Ok(())
}

/// What no plan can stay below, whatever the offsets: the largest, over the nodes, of the sum of the sizes alive
/// there, each rounded up to the smallest alignment alive there, less the largest padding (the tensor on top needs
/// none). `None` if that does not fit in a `usize` or an alignment is 0. Offsets are not looked at.
#[must_use]
pub fn reference_lower_bound(plan: &[Placed]) -> Option<usize> {
    // What is alive changes only where a tensor begins or has just ended; any other node repeats the one before.
    let begins = plan.iter().map(|placed| placed.first_node);
    let ends = plan.iter().filter_map(|placed| placed.last_node.checked_add(1));
    let mut bound = 0;
    for node in begins.chain(ends) {
        let alive = || plan.iter().filter(move |p| p.size > 0 && p.first_node <= node && node <= p.last_node);
        let Some(alignment) = alive().map(|placed| placed.alignment).min() else {
            continue;
        };
        let mut sum = 0;
        let mut largest_padding = 0;
        for placed in alive() {
            let padded = up(placed.size, alignment)?;
            sum += padded;
            largest_padding = largest_padding.max(padded - placed.size as u128);
        }
        bound = bound.max(sum - largest_padding);
    }
    usize::try_from(bound).ok()
}

/// What a plan without any reuse needs: the sum of all sizes, each rounded up to the smallest alignment of all.
/// `None` if that does not fit in a `usize` or an alignment is 0. Neither offsets nor nodes are looked at.
#[must_use]
pub fn reference_naive(plan: &[Placed]) -> Option<usize> {
    let occupied = || plan.iter().filter(|placed| placed.size > 0);
    let alignment = occupied().map(|placed| placed.alignment).min().unwrap_or(1);
    let mut sum = 0;
    for placed in occupied() {
        sum += up(placed.size, alignment)?;
    }
    usize::try_from(sum).ok()
}

/// `size` rounded up to a multiple of `alignment`, in a type in which no sum of sizes overflows.
fn up(size: usize, alignment: usize) -> Option<u128> {
    (size as u128).checked_next_multiple_of(alignment as u128)
}

#[cfg(test)]
mod tests {
    use super::{Clash, Placed, reference_lower_bound, reference_naive, validate};

    fn placed(id: usize, nodes: (i32, i32), offset: usize, size: usize) -> Placed {
        Placed { id, first_node: nodes.0, last_node: nodes.1, offset, size, alignment: 64 }
    }

    #[test]
    fn neighbours_in_bytes_or_in_nodes_do_not_clash() {
        let plan = [placed(0, (0, 1), 0, 64), placed(1, (1, 2), 64, 64), placed(2, (2, 3), 0, 64)];
        assert_eq!(validate(&plan, 128), Ok(()));
    }

    #[test]
    fn one_common_byte_at_one_common_node_is_an_overlap() {
        let plan = [placed(7, (0, 2), 0, 65), placed(9, (2, i32::MAX), 64, 64)];
        let clash = Clash::Overlap { first: 7, second: 9, bytes: 64..65, nodes: 2..=2 };
        assert_eq!(validate(&plan, 128), Err(clash));
    }

    #[test]
    fn an_overlap_is_found_behind_innocent_neighbours() {
        let plan = [
            placed(0, (0, 9), 0, 64),
            placed(1, (0, 4), 64, 256),
            placed(2, (5, 9), 64, 64),
            placed(3, (4, 5), 256, 64),
        ];
        assert_eq!(validate(&plan, 320), Err(Clash::Overlap { first: 1, second: 3, bytes: 256..320, nodes: 4..=4 }));
    }

    #[test]
    fn a_placement_is_judged_by_itself() {
        assert_eq!(validate(&[placed(3, (0, 0), 32, 8)], 64), Err(Clash::Misaligned { id: 3 }));
        assert_eq!(
            validate(&[Placed { alignment: 0, ..placed(3, (0, 0), 0, 8) }], 64),
            Err(Clash::Misaligned { id: 3 })
        );
        assert_eq!(validate(&[placed(3, (0, 0), 64, 8)], 71), Err(Clash::OutOfArena { id: 3, end: 72 }));
        assert_eq!(validate(&[placed(3, (0, 0), 64, 8)], 72), Ok(()));
        assert_eq!(validate(&[placed(3, (0, 0), 64, usize::MAX - 63)], 72), Err(Clash::Overflow { id: 3 }));
        assert_eq!(validate(&[placed(3, (5, 4), 0, 8)], 72), Err(Clash::NeverAlive { id: 3 }));
    }

    #[test]
    fn no_bytes_are_in_nobodys_way() {
        assert_eq!(validate(&[placed(0, (0, 9), 0, 64), placed(1, (9, 0), 1000, 0)], 64), Ok(()));
    }

    #[test]
    fn the_lower_bound_leaves_the_top_tensor_unpadded() {
        // Node 1 holds 10 and 100 bytes: 64 + 128, of which the 10-byte tensor on top saves 54. Node 0: 10, node 2: 100.
        let plan = [placed(0, (0, 1), 0, 10), placed(1, (1, 2), 64, 100)];
        assert_eq!(reference_lower_bound(&plan), Some(138));
        assert_eq!(reference_naive(&plan), Some(192));
        assert_eq!((reference_lower_bound(&[]), reference_naive(&[])), (Some(0), Some(0)));
    }

    #[test]
    fn the_lower_bound_looks_where_a_fine_alignment_has_gone() {
        // A 1-byte tensor makes nodes 0 and 1 round to 4, and another nodes 4 to 9: 12 + 12 + 4 - 3 = 25. At nodes 2
        // and 3 two tensors of 10 bytes are left, rounded to 64: 128 - 54 = 74. No tensor begins or ends there.
        let byte = |id, nodes, offset| Placed { alignment: 4, ..placed(id, nodes, offset, 1) };
        let plan = [byte(0, (0, 1), 0), placed(1, (0, 9), 64, 10), placed(2, (0, 9), 128, 10), byte(3, (4, 9), 0)];
        assert_eq!(reference_lower_bound(&plan), Some(74));
        // 4 + 12 + 12 + 4: the smallest alignment of all is 4.
        assert_eq!(reference_naive(&plan), Some(32));
    }

    #[test]
    fn figures_that_do_not_fit_are_none() {
        let half = placed(0, (0, 0), 0, usize::MAX / 2 + 1);
        assert_eq!(reference_lower_bound(&[half, half]), None);
        assert_eq!(reference_naive(&[half, half]), None);
        assert_eq!(reference_lower_bound(&[half]), Some(usize::MAX / 2 + 1));
        assert_eq!(reference_naive(&[Placed { alignment: 0, ..half }]), None);
    }
}
