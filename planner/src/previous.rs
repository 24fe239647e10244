//! Whose bytes a tensor uses again.

use alloc::vec::Vec;
use core::ops::Range;

use crate::fallible::{OutOfMemory, push_within, refill, reserve};
use crate::occupancy::Allocation;
use arena_packer::order::Order;

/// In the place of a tensor: nobody has had the bytes.
pub const NOBODY: i32 = -1;

/// For each allocation of one arena, the tensor that had some of its bytes last before it: of the allocations that overlap it
/// in bytes and end before it begins, the one that ends last, and among equals that of the lowest index. [`NOBODY`]
/// where there is none, and for what is never alive or has no bytes.
///
/// Allocations that clash, as those of a plan that was damaged, get an answer too. The time it takes grows hardly faster
/// than their number.
pub fn previous_owners(allocations: &[Allocation]) -> Result<Vec<i32>, OutOfMemory> {
    let mut owners = Vec::new();
    refill(&mut owners, allocations.len(), NOBODY)?;
    let mut past = Past::of(allocations)?;
    // What begins at a node comes before what ends at it: that is not over by then.
    let by_node = sorted(allocations, |allocation, end| {
        let node = if end == End::Last { allocation.last_node } else { allocation.first_node };
        u64::from(unsigned(node)) << 1 | u64::from(end == End::Last)
    })?;
    for (at, end) in by_node.positions().map(end_of) {
        let is_alive = |allocation: &&Allocation| allocation.first_node <= allocation.last_node;
        let Some(allocation) = allocations.get(at).filter(is_alive) else { continue };
        match end {
            End::Last => past.note(allocation),
            End::First => {
                if let Some(owner) = owners.get_mut(at) {
                    *owner = past.last_owner(allocation);
                }
            }
        }
    }
    Ok(owners)
}

/// Of an allocation, in nodes or in bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Both ends of all allocations, sorted by `key`.
#[inline(never)]
fn sorted(allocations: &[Allocation], key: fn(&Allocation, End) -> u64) -> Result<Order, OutOfMemory> {
    let mut order = Order::default();
    order.start(2 * allocations.len())?;
    order.sort_by_key(&mut |position| {
        let (at, end) = end_of(position);
        allocations.get(at).map_or(0, |allocation| key(allocation, end))
    })?;
    Ok(order)
}

/// Which allocation and which end of it is sorted under that position.
fn end_of(position: usize) -> (usize, End) {
    (position / 2, if position.is_multiple_of(2) { End::First } else { End::Last })
}

/// A number that is the larger, the larger the node is.
fn unsigned(node: i32) -> u32 {
    node as u32 ^ 1 << 31
}

/// Who was the last to own which byte, among those whose time is over.
///
/// The bytes are cut where an allocation begins or ends. The pieces are the leaves of a tree, numbered `pieces` to
/// `2 * pieces - 1`, where node `i` is above `2 * i` and `2 * i + 1`; a range of pieces is a few subtrees.
struct Past {
    /// Where pieces begin, in order; some are of no bytes.
    cuts: Vec<usize>,
    /// By tree node.
    claims: Vec<Claims>,
}

/// What was noted at a node of the tree.
#[derive(Clone, Copy)]
struct Claims {
    /// The last that owned all bytes below, of those that were noted here and not at nodes above or below.
    all: Claim,
    /// The last that owned any byte below, of those that were not noted above.
    any: Claim,
}

/// The last node of an allocation, and below it its tensor, such that the larger is the one to be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Claim(u64);

impl Claim {
    /// Less than any that is noted; its tensor is [`NOBODY`].
    const NONE: Claim = Claim(0);

    fn of(allocation: &Allocation) -> Claim {
        Claim(u64::from(unsigned(allocation.last_node)) << u32::BITS | u64::from(!allocation.tensor as u32))
    }

    fn tensor(self) -> i32 {
        !(self.0 as u32 as i32)
    }
}

impl Past {
    /// Nothing is over yet.
    fn of(allocations: &[Allocation]) -> Result<Past, OutOfMemory> {
        let by_byte = sorted(allocations, |allocation, end| byte(allocation, end) as u64)?;
        let mut past = Past { cuts: Vec::new(), claims: Vec::new() };
        reserve(&mut past.cuts, 2 * allocations.len())?;
        for (at, end) in by_byte.positions().map(end_of) {
            push_within(&mut past.cuts, allocations.get(at).map_or(0, |allocation| byte(allocation, end)));
        }
        let none = Claims { all: Claim::NONE, any: Claim::NONE };
        refill(&mut past.claims, 2 * past.cuts.len(), none)?;
        Ok(past)
    }

    fn note(&mut self, allocation: &Allocation) {
        let claim = Claim::of(allocation);
        let Past { cuts, claims } = self;
        each_node(leaves(cuts, allocation), &mut |node, part| {
            let Some(Claims { all, any }) = claims.get_mut(node) else { return };
            *any = claim.max(*any);
            if part == Part::Whole {
                *all = claim.max(*all);
            }
        });
    }

    fn last_owner(&self, allocation: &Allocation) -> i32 {
        let mut last = Claim::NONE;
        each_node(leaves(&self.cuts, allocation), &mut |node, part| {
            let Some(&Claims { all, any }) = self.claims.get(node) else { return };
            last = last.max(if part == Part::Whole { any } else { all });
        });
        last.tensor()
    }
}

/// Where an allocation begins, or the byte behind it.
fn byte(allocation: &Allocation, end: End) -> usize {
    match end {
        End::First => allocation.offset.0,
        End::Last => allocation.end().0,
    }
}

/// The pieces of an allocation, as leaves of the tree.
fn leaves(cuts: &[usize], allocation: &Allocation) -> Range<usize> {
    let leaf = |byte: usize| cuts.len() + cuts.partition_point(|&cut| cut < byte);
    leaf(allocation.offset.0)..leaf(allocation.end().0)
}

/// A node of the tree, as some leaves see it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All leaves below are among them: one of the few that together have just these leaves.
    Whole,
    /// Above the first or the last of them. Every node above one that is whole is named as such; some that are below, too.
    Above,
}

/// Names the nodes of the tree that tell of these leaves.
fn each_node(leaves: Range<usize>, visit: &mut dyn FnMut(usize, Part)) {
    let Range { mut start, mut end } = leaves;
    let ends = [start, end.saturating_sub(1)];
    if start >= end {
        return;
    }
    while start < end {
        if start % 2 == 1 {
            visit(start, Part::Whole);
        }
        if end % 2 == 1 {
            visit(end - 1, Part::Whole);
        }
        (start, end) = (start.div_ceil(2), end / 2);
    }
    for leaf in ends {
        let mut node = leaf / 2;
        while node > 0 {
            visit(node, Part::Above);
            node /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, END};
    use proptest::prelude::*;

    fn allocation(tensor: i32, bytes: Range<usize>, first_node: i32, last_node: i32) -> Allocation {
        Allocation { offset: Bytes(bytes.start), size: Bytes(bytes.len()), tensor, first_node, last_node }
    }

    /// The definition: each is compared with every other.
    fn expected(allocations: &[Allocation]) -> Vec<i32> {
        let before = |it: &Allocation| {
            let overlap = |other: &&Allocation| {
                it.first_node <= it.last_node
                    && other.first_node <= other.last_node
                    && other.offset.max(it.offset) < other.end().min(it.end())
            };
            let over = allocations.iter().filter(overlap).filter(|other| other.last_node < it.first_node);
            over.max_by_key(|other| (other.last_node, -other.tensor)).map_or(NOBODY, |other| other.tensor)
        };
        allocations.iter().map(before).collect()
    }

    #[test]
    fn the_last_that_had_some_of_the_bytes_is_named() {
        let allocations = [
            allocation(0, 0..100, 0, 1),
            allocation(1, 100..200, 0, 2),
            // On bytes of both, of which 1 ended last.
            allocation(2, 50..150, 4, 5),
            // On bytes of 0 alone, and then on those of 2 with it.
            allocation(3, 0..50, 2, END),
            allocation(4, 50..100, 6, END),
            // Beside all of them.
            allocation(5, 200..300, 6, END),
        ];
        assert_eq!(previous_owners(&allocations), Ok([NOBODY, NOBODY, 1, 0, 2, NOBODY].into()));
    }

    #[test]
    fn of_two_that_end_together_the_lower_index_is_named() {
        let two = [allocation(7, 0..10, 0, 3), allocation(4, 10..20, 1, 3), allocation(9, 5..15, 4, 4)];
        assert_eq!(previous_owners(&two), Ok([NOBODY, NOBODY, 4].into()));
    }

    #[test]
    fn what_is_never_alive_or_has_no_bytes_is_nobody() {
        let end = usize::MAX;
        let odd = [
            allocation(0, 0..10, 5, 2),
            allocation(1, 5..5, 0, 1),
            allocation(2, end..end, 0, 1),
            allocation(3, end - 1..end, 2, 2),
            allocation(4, 0..end, 3, END),
        ];
        assert_eq!(previous_owners(&odd), Ok([NOBODY, NOBODY, NOBODY, NOBODY, 3].into()));
        assert_eq!(previous_owners(&[]), Ok([].into()));
    }

    /// Many on few bytes and nodes, so that they clash; some with the same bounds, some without end.
    fn any_allocations() -> impl Strategy<Value = Vec<Allocation>> {
        let node = prop_oneof![8 => -2..30i32, 1 => Just(END), 1 => Just(i32::MIN)];
        let offset = prop_oneof![0..60usize, usize::MAX - 5..=usize::MAX];
        let one = (offset, 0..20usize, node.clone(), node);
        proptest::collection::vec(one, 0..120).prop_map(|list| {
            let place = |(tensor, (offset, size, first, last))| {
                let (offset, size) = (Bytes(offset), Bytes(size));
                Allocation { offset, size, tensor, first_node: first, last_node: last }
            };
            (0..).zip(list).map(place).collect()
        })
    }

    proptest! {
        #[test]
        fn as_by_comparing_each_with_every_other(allocations in any_allocations()) {
            prop_assert_eq!(previous_owners(&allocations), Ok(expected(&allocations)));
        }
    }
}
