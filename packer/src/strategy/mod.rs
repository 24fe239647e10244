//! Placement strategies: in which order tensors are given their places.

mod greedy;
mod in_order;
#[cfg(any(feature = "best", feature = "exact"))]
mod searching;

use crate::gap::{BestGap, GapMeasure};
use crate::index::Index;
use crate::occupancy::{Allocation, Occupancy};
use crate::order::Order;
use crate::{Alignment, Bytes, Error};

/// A tensor that wants a place in one arena. Lists of them begin with temporaries; then they are as the nodes list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The tensor.
    pub tensor: i32,
    /// Its size; more than zero.
    pub size: Bytes,
    /// What its offset must be a multiple of.
    pub alignment: Alignment,
    /// The first node that needs the bytes.
    pub first_node: i32,
    /// The last node that needs the bytes.
    pub last_node: i32,
    /// Alive from the first node to the end by the graph's own account, whatever its arena says.
    pub whole_run: bool,
    /// The answer, written by [`Choice::place`].
    pub offset: Bytes,
}

impl Request {
    /// The allocation that answers it.
    pub fn allocation(&self) -> Allocation {
        let Request { tensor, size, first_node, last_node, offset, .. } = *self;
        Allocation { offset, size, tensor, first_node, last_node }
    }
}

/// What a strategy works with; kept from one placement to the next, so that a repeated one asks for no memory.
#[derive(Debug, Default)]
pub struct Workspace {
    order: Order,
    index: Index,
    #[cfg(any(feature = "best", feature = "exact"))]
    searches: searching::Searches,
}

impl Workspace {
    /// The graph is planned anew: strategies that search may take all their steps again. What they found is kept.
    pub fn restart(&mut self) {
        #[cfg(any(feature = "best", feature = "exact"))]
        self.searches.restart();
    }

    /// Places requests one after the other as `order` has them, each into the best-fitting gap.
    fn place_each(
        &mut self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        measure: GapMeasure,
    ) -> Result<bool, Error> {
        let scans = !Index::pays(requests, occupied.allocations());
        self.place(requests, occupied, measure, scans)
    }

    fn place(
        &mut self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        measure: GapMeasure,
        scans: bool,
    ) -> Result<bool, Error> {
        let Workspace { order, index, .. } = self;
        let Some(alignment) = requests.iter().map(|request| request.alignment).min() else { return Ok(true) };
        if scans {
            occupied.reserve(requests.len())?;
        } else {
            index.start(requests, occupied.allocations(), alignment)?;
        }
        for at in order.positions() {
            let Some(request) = requests.get_mut(at) else { continue };
            let best = BestGap::new(request.size, request.alignment, measure);
            let mut allocation = request.allocation();
            let placed =
                if scans { occupied.place(&mut allocation, best)? } else { index.place(&mut allocation, best)? };
            if !placed {
                return Err(Error::Overflow { tensor: request.tensor, bytes: request.size.0 });
            }
            request.offset = allocation.offset;
        }
        Ok(scans)
    }
}

/// In which order, and how far lower plans are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Upstream's since 2.2: what lives for the whole run first, then the largest, each into the best-fitting gap.
    #[default]
    Greedy,
    /// Upstream's up to 2.1: in the order of execution.
    InOrder,
    /// Greedy, unless a short search finds a lower plan: [`crate::packing::best`].
    #[cfg(feature = "best")]
    Best,
    /// Greedy, unless a long search finds a lower plan: [`crate::packing::exact`].
    #[cfg(feature = "exact")]
    Exact,
}

impl Choice {
    /// Places every request around what `occupied` holds. The arena needs `reached` bytes whatever becomes of them.
    ///
    /// True when all of them have been added there. False, and on an error, when the caller has to rebuild `occupied`
    /// before it is used again.
    pub fn place(
        self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        reached: Bytes,
        workspace: &mut Workspace,
    ) -> Result<bool, Error> {
        // Only a search asks how high is high enough.
        let _ = reached;
        match self {
            Choice::Greedy => greedy::place(requests, occupied, workspace),
            Choice::InOrder => in_order::place(requests, occupied, workspace),
            #[cfg(feature = "best")]
            Choice::Best => searching::best(requests, occupied, reached, workspace),
            #[cfg(feature = "exact")]
            Choice::Exact => searching::exact(requests, occupied, reached, workspace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::END;
    use crate::gap::visits;
    use proptest::prelude::{Just, any, prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::Strategy as Generator;
    use std::vec::Vec;

    fn requests(asked: &[(i32, i32, usize)], alignment: usize) -> Vec<Request> {
        let alignment = Alignment::new(alignment).unwrap();
        let request = |(tensor, &(first_node, length, size)): (usize, &(i32, i32, usize))| Request {
            tensor: tensor as i32,
            size: Bytes(size),
            alignment,
            first_node,
            last_node: if length < 0 { END } else { first_node + length },
            whole_run: first_node == 0 && length < 0,
            offset: Bytes::ZERO,
        };
        asked.iter().enumerate().map(request).collect()
    }

    /// Places the first ones by scanning, then all others on top of them: by scanning and with an index.
    fn place_both_ways(mut requests: Vec<Request>, before: usize, measure: GapMeasure) -> [Vec<Bytes>; 2] {
        let mut occupied = Occupancy::default();
        let mut workspace = Workspace::default();
        let later = requests.split_off(before % requests.len());
        workspace.order.start(requests.len()).unwrap();
        workspace.place(&mut requests, &mut occupied, measure, true).unwrap();
        [true, false].map(|scans| {
            let mut requests = later.clone();
            let mut occupied = occupied.clone();
            workspace.order.start(requests.len()).unwrap();
            workspace.order.sort_by_key(&mut |at| !(requests[at].size.0 as u64)).unwrap();
            assert_eq!(workspace.place(&mut requests, &mut occupied, measure, scans), Ok(scans));
            requests.iter().map(|request| request.offset).collect()
        })
    }

    /// First node, length (-1: to the end), size.
    fn interval(nodes: i32, longest: i32) -> impl Generator<Value = (i32, i32, usize)> {
        let length = prop_oneof![6 => 0..=longest.min(4), 3 => 0..=longest, 1 => Just(-1)];
        let size = prop_oneof![3 => (1usize..8).prop_map(|size| size * 64), 1 => 1usize..500];
        (0..nodes, length, size)
    }

    /// Intervals that begin and end at few nodes, with others between.
    fn far_apart() -> impl Generator<Value = (i32, i32, usize)> {
        (interval(6, 5), 0..2).prop_map(|((first, length, size), shift)| {
            (first * 10 + shift, if length < 0 { length } else { length * 10 }, size)
        })
    }

    proptest! {
        #[test]
        fn an_index_finds_what_a_scan_finds(
            asked in prop_oneof![
                proptest::collection::vec(interval(400, 8), 1..400),
                proptest::collection::vec(interval(300, 300), 1..300),
                proptest::collection::vec(interval(3, 2), 1..200),
                proptest::collection::vec(far_apart(), 1..1_200),
                proptest::collection::vec(interval(2_000, 200), 1..200),
            ],
            before in prop_oneof![Just(0usize), 0usize..200],
            alignment in prop_oneof![Just(1usize), Just(16), Just(64)],
            from_start in any::<bool>(),
        ) {
            let measure = if from_start { GapMeasure::FromStart } else { GapMeasure::FromAlignedStart };
            let [scanned, indexed] = place_both_ways(requests(&asked, alignment), before, measure);
            prop_assert_eq!(scanned, indexed);
        }
    }

    /// 40 tensors at node 0, 40 at node 10, nothing between: each node has a pile of its own, from 0 up.
    #[test]
    fn a_node_with_many_tensors_after_nodes_without_any() {
        let asked: Vec<_> = [0, 10].iter().flat_map(|&node| [(node, 0, 64); 40]).collect();
        let mut requests = requests(&asked, 64);
        let mut workspace = Workspace::default();
        workspace.order.start(requests.len()).unwrap();
        workspace.place(&mut requests, &mut Occupancy::default(), GapMeasure::FromStart, false).unwrap();
        let offsets: Vec<_> = requests.iter().map(|request| request.offset.0).collect();
        let pile: Vec<_> = (0..40).map(|position| position * 64).collect();
        assert_eq!(offsets, [&pile[..], &pile[..]].concat());
    }

    /// Entries that placing visits for each request, on average: tensor i begins at node i and lives for `length(i)` more.
    fn visits_a_request(count: i32, length: impl Fn(i32) -> i32) -> usize {
        // Knuth's multiplicative hash: 64 sizes in no order.
        let size = |tensor: i32| 64 * (1 + (tensor as u32).wrapping_mul(2_654_435_761) as usize % 4096 / 64);
        let asked: Vec<_> = (0..count).map(|tensor| (tensor, length(tensor), size(tensor))).collect();
        let mut requests = requests(&asked, 64);
        visits::take();
        greedy::place(&mut requests, &mut Occupancy::default(), &mut Workspace::default()).unwrap();
        visits::take() / requests.len()
    }

    #[test]
    fn a_search_visits_hardly_more_where_there_is_more() {
        const COUNT: i32 = 4_000;
        let chain = |count| visits_a_request(count, |_| 1);
        let skips = |count| visits_a_request(count, |tensor| 1 + tensor.wrapping_mul(7_919) % 200);
        let reads_all = |count| visits_a_request(count, |tensor| count - 1 - tensor);
        for (name, visits) in [
            ("chain", &chain as &dyn Fn(i32) -> usize),
            ("skips up to 200", &skips),
            ("one node reads all", &reads_all),
        ] {
            let (once, fourfold) = (visits(COUNT), visits(4 * COUNT));
            // A scan visits half of all, on average. Here visits may grow as the square root of their number, and blocks a
            // quarter at a time.
            assert!(once < COUNT as usize / 10, "{name}: {once} entries a request");
            let most = 2 * once * 5 / 4;
            assert!(fourfold <= most, "{name}: {once} entries a request, {fourfold} with four times as many");
        }
    }
}
