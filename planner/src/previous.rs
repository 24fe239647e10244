//! Whose bytes a tensor uses again.

use alloc::vec::Vec;
use core::ops::Range;

use crate::fallible::{OutOfMemory, at_mut, push_within, refill, reserve};
use crate::occupancy::Allocation;
use arena_packer::order::Order;

/// In the place of a tensor: nobody has had the bytes.
pub const NOBODY: i32 = -1;

/// For each allocation of one arena, the tensor that had some of its bytes last before it: of the allocations that overlap it
/// in bytes and end before it begins, the one that ends last, and among equals that of the lowest index. [`NOBODY`]
/// where there is none, and for what is never alive or has no bytes.
///
/// Allocations that clash, as those of a plan that was damaged, get an answer too. Takes little more than
/// time in proportion to their number.
pub fn previous_owners(allocations: &[Allocation]) -> Result<Vec<i32>, OutOfMemory> {
    let mut owners = Vec::new();
    refill(&mut owners, allocations.len(), NOBODY)?;
    let (begins, ends) = (by_node(allocations, |it| it.first_node)?, by_node(allocations, |it| it.last_node)?);
    let mut past = Past::of(allocations)?;
    let alive = |&at: &usize| allocations.get(at).is_some_and(|it| it.first_node <= it.last_node);
    let mut ended = ends.positions().filter(alive).peekable();
    for position in begins.positions().filter(alive) {
        let Some(allocation) = allocations.get(position) else { continue };
        let is_over = |&at: &usize| allocations.get(at).is_some_and(|it| it.last_node < allocation.first_node);
        while let Some(over) = ended.next_if(is_over).and_then(|at| allocations.get(at)) {
            past.note(over);
        }
        if let Some(owner) = owners.get_mut(position) {
            *owner = past.last_owner(allocation);
        }
    }
    Ok(owners)
}

/// The order of allocations by a node of theirs.
fn by_node(allocations: &[Allocation], node: impl Fn(&Allocation) -> i32) -> Result<Order, OutOfMemory> {
    let mut order = Order::default();
    order.start(allocations.len())?;
    order.sort_by_key(&mut |at| allocations.get(at).map_or(0, |it| unsigned(node(it)).into()))?;
    Ok(order)
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
    /// By tree node: the last that owned all bytes below, of those that were noted here and not at nodes above or below.
    all: Vec<Claim>,
    /// By tree node: the last that owned any byte below, of those that were not noted above.
    any: Vec<Claim>,
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
        let mut unsorted = Vec::new();
        reserve(&mut unsorted, 2 * allocations.len())?;
        for allocation in allocations {
            push_within(&mut unsorted, allocation.offset.0);
            push_within(&mut unsorted, allocation.end().0);
        }
        let mut order = Order::default();
        order.start(unsorted.len())?;
        order.sort_by_key(&mut |at| unsorted.get(at).map_or(0, |&cut| cut as u64))?;
        let mut past = Past { cuts: Vec::new(), all: Vec::new(), any: Vec::new() };
        reserve(&mut past.cuts, unsorted.len())?;
        order.positions().filter_map(|at| unsorted.get(at)).for_each(|&cut| push_within(&mut past.cuts, cut));
        refill(&mut past.all, 2 * unsorted.len(), Claim::NONE)?;
        refill(&mut past.any, 2 * unsorted.len(), Claim::NONE)?;
        Ok(past)
    }

    fn note(&mut self, allocation: &Allocation) {
        let claim = Claim::of(allocation);
        let leaves = self.leaves(allocation);
        for node in subtrees(leaves.clone()) {
            raise(&mut self.all, node, claim);
            raise(&mut self.any, node, claim);
        }
        above_ends(leaves).for_each(|node| raise(&mut self.any, node, claim));
    }

    fn last_owner(&self, allocation: &Allocation) -> i32 {
        let leaves = self.leaves(allocation);
        let of_some = subtrees(leaves.clone()).map(|node| claim_of(&self.any, node));
        let of_all = above_ends(leaves).map(|node| claim_of(&self.all, node));
        of_some.chain(of_all).fold(Claim::NONE, Claim::max).tensor()
    }

    /// The pieces of an allocation, as leaves of the tree.
    fn leaves(&self, allocation: &Allocation) -> Range<usize> {
        let leaf = |byte: usize| self.cuts.len() + self.cuts.partition_point(|&cut| cut < byte);
        leaf(allocation.offset.0)..leaf(allocation.end().0)
    }
}

/// The roots of the fewest subtrees that have just these leaves.
fn subtrees(mut leaves: Range<usize>) -> impl Iterator<Item = usize> {
    let levels = core::iter::from_fn(move || {
        let Range { start, end } = leaves;
        leaves = start.div_ceil(2)..end / 2;
        (start < end).then(|| [start, end - 1].into_iter().zip([start % 2 == 1, end % 2 == 1]))
    });
    levels.flatten().filter_map(|(node, is_whole)| is_whole.then_some(node))
}

/// The nodes above the first and above the last of these leaves. Every node above one of their [`subtrees`] is among them;
/// a node within such a subtree may be, too.
fn above_ends(mut leaves: Range<usize>) -> impl Iterator<Item = usize> {
    leaves.next().into_iter().chain(leaves.next_back()).flat_map(above)
}

/// The nodes above a node.
fn above(node: usize) -> impl Iterator<Item = usize> {
    core::iter::successors(Some(node / 2), |node| Some(node / 2)).take_while(|&node| node > 0)
}

fn claim_of(claims: &[Claim], node: usize) -> Claim {
    claims.get(node).copied().unwrap_or(Claim::NONE)
}

fn raise(claims: &mut [Claim], node: usize, to: Claim) {
    if let Some(claim) = claims.get_mut(node) {
        *claim = to.max(*claim);
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
