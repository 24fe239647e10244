//! Finds the best-fitting gap without walking all that is placed.
//!
//! Time is cut into blocks of nodes, so that not many intervals begin or end in one. A block knows the allocations that do,
//! lowest first: its edges. Of those that reach over it, it knows the occupied runs of bytes. That is all there is to look at
//! for an interval that meets few blocks, as most do; but for allocations that last to the end. Of those, it matters only
//! where they begin: their runs are kept for blocks 0 to 1, 0 to 2, 2 to 3, 0 to 4 and so on, a Fenwick tree.
//!
//! For the others there are also the runs of all that is alive at some node of a block, and, in a binary tree, of a group of
//! blocks: what is alive in a long interval is the runs of few groups, and the edges of the blocks where it begins and ends.
//! A node where very many intervals begin or end is a block of its own, of which only runs are kept. Once no long interval
//! is left to be placed, the tree changes no more; once no short one is, nor do the runs that reach over a block.

use alloc::vec::Vec;

use crate::collections::{OutOfMemory, push, push_within, refill, reserve};
use crate::gap::{BestGap, FEW, Pass, best_fit, visit_overlapping};
use crate::occupancy::Allocation;
use crate::runs::{Run, RunLists};
use crate::strategy::Request;
use crate::{Alignment, Bytes};

/// As many intervals may begin or end in a block, however short they are.
const SMALLEST_BLOCK: usize = 32;

/// An interval is short if it meets no more blocks than this, none of them heavy.
const SHORT: u32 = 4;

/// The lists that a long interval can need: two a level of the tree, one a bit of the last block, and one at each end.
const MOST_LISTS: usize = 3 * u32::BITS as usize + 2;

/// What is placed, and where to look for it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    placed: Placed,
    /// Runs of the edges that an interval meets, block by block.
    near: Vec<Run>,
}

#[derive(Debug, Default)]
struct Placed {
    /// The first and the last node that are told apart.
    nodes: (i32, i32),
    /// By node, counted from the first, its block.
    block_of: Vec<u32>,
    /// One more than there are: the last begins behind the last node.
    blocks: Vec<Block>,
    /// Some block is heavy.
    any_heavy: bool,
    /// What begins or ends in each block.
    edges: Vec<Edge>,
    /// A tree: leaf `num_blocks + b` is what is alive at some node of block `b`, an inner node what is in one of its two.
    alive: RunLists,
    /// By block, what is alive before, in and after it.
    across: RunLists,
    /// What lasts to the end is here, and neither in `alive` nor in `across`: list `i` is of what begins in the blocks from
    /// `i & (i - 1)` up to, but not in, `i`.
    lasting: RunLists,
    /// How many requests with long intervals are still to be placed: for them, `alive` is kept.
    long_to_place: usize,
    /// How many others are: for them, `across` is kept.
    short_to_place: usize,
    alignment: Alignment,
}

/// Nodes that follow each other, from `first` on. Its edges are `len` from `start` on, and become `room`: none for a heavy
/// block, which is a single node where more intervals begin or end than one would like to look at.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    start: u32,
    len: u32,
    room: u32,
    heavy: bool,
}

/// An allocation that begins or ends in a block.
#[derive(Clone, Copy, Debug)]
struct Edge {
    run: Run,
    first: u32,
    last: u32,
}

impl Edge {
    /// Negative unless it is alive at some node of the interval.
    fn overlap(&self, at: Interval) -> i64 {
        let nodes = |from: u32, to: u32| i64::from(to) - i64::from(from);
        nodes(at.first, self.last) | nodes(self.first, at.last)
    }
}

/// The nodes of an interval, and their blocks.
#[derive(Clone, Copy)]
struct Interval {
    first: u32,
    last: u32,
    from: u32,
    to: u32,
}

impl Index {
    /// True when finding gaps with an index is likely to take less time than making it takes, and scanning. By measurements:
    /// it pays where few allocations are alive at once, and where there are very many.
    pub(crate) fn pays(requests: &[Request], occupied: &[Allocation]) -> bool {
        const PAIRS: usize = 5 * 1024;
        const VERY_MANY: usize = 1_500;

        let count = requests.len();
        if count > VERY_MANY {
            return true;
        }
        let (begin, end) = first_nodes(requests);
        let (mut lived, mut lasting) = (0usize, 0usize);
        for request in requests {
            if request.last_node < end {
                lived = lived.saturating_add(request.last_node.saturating_sub(request.first_node).max(0) as usize);
            } else {
                lasting += 1;
            }
        }
        let alive = lived.checked_div(end.saturating_sub(begin) as usize).unwrap_or(count);
        let met = occupied.len().saturating_add(count / 2);
        count.saturating_mul(met) >= PAIRS && count > 100 + alive.saturating_mul(8) + lasting / 4 * 3
    }

    /// Starts with what is `occupied`. The requests are to be placed, each of them once; none has less than `alignment`,
    /// and all that is occupied starts at a multiple of it.
    pub(crate) fn start(
        &mut self,
        requests: &[Request],
        occupied: &[Allocation],
        alignment: Alignment,
    ) -> Result<(), OutOfMemory> {
        // Intervals meet or not by how first nodes compare with last nodes. So nodes before the first request, and those
        // after the last first node, need not be told apart.
        let (begin, end) = first_nodes(requests);
        let placed = occupied.iter().filter(|allocation| allocation.last_node >= begin);
        let end = placed.clone().fold(end, |end, allocation| end.max(allocation.first_node));

        let index = &mut self.placed;
        index.nodes = (begin, end);
        index.alignment = alignment;
        let last_node = index.node(i32::MAX);
        refill(&mut index.block_of, last_node as usize + 1, 0)?;
        let mut lived = 0usize;
        for request in requests {
            lived = lived.saturating_add(index.count(request.first_node, request.last_node));
        }
        for placed in placed.clone() {
            lived = lived.saturating_add(index.count(placed.first_node, placed.last_node));
        }
        index.cut(lived)?;
        index.long_to_place = 0;
        for request in requests {
            index.long_to_place += usize::from(index.make_room(request.first_node, request.last_node));
        }
        index.short_to_place = requests.len().saturating_sub(index.long_to_place);
        for placed in placed.clone() {
            index.make_room(placed.first_node, placed.last_node);
        }
        index.lay_out()?;
        for placed in placed {
            index.add(placed, index.interval(placed.first_node, placed.last_node))?;
        }
        Ok(())
    }

    /// Gives the allocation of a request its place: the start of the best gap in its time, else of the bytes behind all that
    /// is alive then. False when that is beyond the address space.
    pub(crate) fn place(&mut self, allocation: &mut Allocation, best: BestGap) -> Result<bool, OutOfMemory> {
        let Index { placed, near } = self;
        let at = placed.interval(allocation.first_node, allocation.last_node);
        near.clear();
        let long = placed.is_long(at);
        let found = if long {
            placed.look_far(at, near, best)?
        } else if let Some(across) = placed.only_across(at) {
            placed.look_here(at, across, best)
        } else {
            placed.look_near(at, near, best)?
        };
        let Some(offset) = found else { return Ok(false) };
        allocation.offset = offset;
        let to_place = if long { &mut placed.long_to_place } else { &mut placed.short_to_place };
        *to_place = to_place.saturating_sub(1);
        placed.add(allocation, at)?;
        Ok(true)
    }
}

impl Placed {
    /// Counts, where the blocks of the nodes are to stand, that an interval begins and ends; returns its length. What lasts to
    /// the end only begins.
    fn count(&mut self, first_node: i32, last_node: i32) -> usize {
        let (first, last) = (self.node(first_node), self.node(last_node));
        let lasts = self.lasts(last);
        for node in [first, last] {
            if let Some(events) = self.block_of.get_mut(node as usize) {
                *events += 1;
            }
            if lasts {
                return 0;
            }
        }
        (last - first) as usize
    }

    /// Cuts time into blocks. The longer intervals are, the longer are blocks, so that none reaches over too many.
    fn cut(&mut self, lived: usize) -> Result<(), OutOfMemory> {
        let alive = lived.checked_div(self.block_of.len()).unwrap_or(0);
        let mut most = SMALLEST_BLOCK;
        while most.saturating_mul(most) < alive.saturating_mul(64) {
            most = most.saturating_add(most / 4).saturating_add(1);
        }
        self.blocks.clear();
        self.any_heavy = false;
        let mut events = 0;
        for (node, slot) in (0..).zip(&mut self.block_of) {
            let here = *slot as usize;
            if node == 0 || events + here > most {
                let heavy = here > most;
                self.any_heavy |= heavy;
                push(&mut self.blocks, Block { first: node, start: 0, len: 0, room: 0, heavy })?;
                events = 0;
            }
            events += here;
            *slot = (self.blocks.len() as u32).saturating_sub(1);
        }
        let first = self.block_of.len() as u32;
        push(&mut self.blocks, Block { first, start: 0, len: 0, room: 0, heavy: false })
    }

    /// Makes room for an interval with the blocks where it begins and ends. True when it is a long one.
    fn make_room(&mut self, first_node: i32, last_node: i32) -> bool {
        let at = self.interval(first_node, last_node);
        for block in [at.from, at.to] {
            if let Some(block) = self.blocks.get_mut(block as usize) {
                block.room += u32::from(!block.heavy);
            }
            if at.from == at.to || self.lasts(at.last) {
                break;
            }
        }
        self.is_long(at)
    }

    /// Lays out the room of all blocks, and empties all lists.
    fn lay_out(&mut self) -> Result<(), OutOfMemory> {
        let mut start = 0;
        for block in &mut self.blocks {
            block.start = start;
            start += block.room;
        }
        self.alive.start(2 * self.num_blocks())?;
        self.across.start(self.num_blocks())?;
        self.lasting.start(self.num_blocks().next_power_of_two() + 1)?;
        refill(&mut self.edges, start as usize, Edge { run: Run::EMPTY, first: 0, last: 0 })
    }

    /// The lists of what lasts to the end and begins before a block; behind the last block, the one list of all of it.
    fn lasting_before(&self, block: usize) -> impl Iterator<Item = &[Run]> {
        let mut list = if block < self.num_blocks() { block } else { self.num_blocks().next_power_of_two() };
        core::iter::from_fn(move || {
            let runs = (list > 0).then(|| self.lasting.get(list))?;
            list &= list - 1;
            Some(runs)
        })
    }

    /// What reaches over the block of an interval, if there is one block only, and one list of few runs.
    fn only_across(&self, at: Interval) -> Option<&[Run]> {
        let mut found = self.across.get(at.from as usize);
        for list in self.lasting_before(at.from as usize).filter(|list| !list.is_empty()) {
            if !core::mem::replace(&mut found, list).is_empty() {
                return None;
            }
        }
        Some(found).filter(|found| at.from == at.to && found.len() <= FEW)
    }

    /// Looks through all edges of one block, and what few runs reach over it.
    fn look_here(&self, at: Interval, across: &[Run], best: BestGap) -> Option<Bytes> {
        let mut across = across.iter().peekable();
        let mut pass = Pass::new(best);
        visit_overlapping(
            self.edges_of(at.from as usize),
            |edge| edge.overlap(at),
            |edge| {
                while let Some(&run) = across.next_if(|run| run.start <= edge.run.start) {
                    if pass.run(run) {
                        return true;
                    }
                }
                pass.run(edge.run)
            },
        );
        // Where the search has ended already, this changes nothing.
        for &run in across {
            pass.run(run);
        }
        pass.found()
    }

    /// Looks through all edges of few blocks.
    fn look_near(&self, at: Interval, near: &mut Vec<Run>, best: BestGap) -> Result<Option<Bytes>, OutOfMemory> {
        let blocks = at.from as usize..=at.to as usize;
        let mut ends = [0; SHORT as usize];
        for (block, end) in blocks.clone().zip(&mut ends) {
            collect(self.edges_of(block), at, near)?;
            *end = near.len();
        }
        const LISTS: usize = 2 * SHORT as usize + u32::BITS as usize;
        let mut lists: [&[Run]; LISTS] = [&[]; LISTS];
        let mut count = 0;
        for list in self.lasting_before(at.from as usize) {
            add(&mut lists, &mut count, list);
        }
        let mut start = 0;
        for (block, end) in blocks.zip(ends) {
            add(&mut lists, &mut count, near.get(start..end).unwrap_or_default());
            add(&mut lists, &mut count, self.across.get(block));
            start = end;
        }
        Ok(best_fit(lists.get_mut(..count).unwrap_or_default(), best))
    }

    /// Looks through what is known of groups of blocks, and through the edges of the first and the last one. Some block
    /// belongs to the interval with all its nodes, and with it whatever else is alive before or after it.
    fn look_far(&self, at: Interval, near: &mut Vec<Run>, best: BestGap) -> Result<Option<Bytes>, OutOfMemory> {
        let begins = |block: usize| self.blocks.get(block).map_or(0, |block| block.first);
        let mut low = at.from as usize;
        if begins(low) < at.first {
            collect(self.edges_of(low), at, near)?;
            low += 1;
        }
        let end_of_first = near.len();
        let mut high = at.to as usize + 1;
        if begins(high) > at.last + 1 {
            high -= 1;
            collect(self.edges_of(high), at, near)?;
        }
        let mut lists: [&[Run]; MOST_LISTS] = [&[]; MOST_LISTS];
        let mut count = 0;
        if let Some((first, last)) = near.split_at_checked(end_of_first) {
            add(&mut lists, &mut count, first);
            add(&mut lists, &mut count, last);
        }
        for list in self.lasting_before(high) {
            add(&mut lists, &mut count, list);
        }
        // The usual climb from both ends of the leaves.
        low += self.num_blocks();
        high += self.num_blocks();
        while low < high {
            if low % 2 == 1 {
                add(&mut lists, &mut count, self.alive.get(low));
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                add(&mut lists, &mut count, self.alive.get(high));
            }
            low /= 2;
            high /= 2;
        }
        Ok(best_fit(lists.get_mut(..count).unwrap_or_default(), best))
    }

    fn add(&mut self, allocation: &Allocation, at: Interval) -> Result<(), OutOfMemory> {
        let run = Run { start: allocation.offset, end: allocation.end() };
        let edge = Edge { run, first: at.first, last: at.last };
        self.add_edge(at.from as usize, edge);
        if self.lasts(at.last) {
            let mut list = at.from as usize + 1;
            // Where a list has all of it, so have those that reach further.
            while self.lasting.has(list) && self.lasting.occupy(list, run, self.alignment)? {
                list += list & list.wrapping_neg();
            }
            return Ok(());
        }
        if at.to > at.from {
            self.add_edge(at.to as usize, edge);
        }
        if self.short_to_place > 0 {
            for block in at.from as usize + 1..at.to as usize {
                self.across.occupy(block, run, self.alignment)?;
            }
        }
        if self.long_to_place > 0 {
            for block in at.from as usize..=at.to as usize {
                let mut node = self.num_blocks() + block;
                // Where a node has all of it, so have those above.
                while node > 0 && self.alive.occupy(node, run, self.alignment)? {
                    node /= 2;
                }
            }
        }
        Ok(())
    }

    fn add_edge(&mut self, block: usize, edge: Edge) {
        let Some(block) = self.blocks.get_mut(block).filter(|block| block.len < block.room) else { return };
        block.len += 1;
        let edges = self.edges.get_mut(block.start as usize..).and_then(|edges| edges.get_mut(..block.len as usize));
        let mut room = edges.unwrap_or_default();
        // The later an allocation is placed, the higher it lies as a rule. So its place is looked for from the end.
        while let [.., before, slot] = room
            && before.run.start > edge.run.start
        {
            *slot = *before;
            room = core::mem::take(&mut room).split_last_mut().map_or(&mut [], |(_, rest)| rest);
        }
        if let Some(slot) = room.last_mut() {
            *slot = edge;
        }
    }

    fn edges_of(&self, block: usize) -> &[Edge] {
        let Some(&Block { start, len, .. }) = self.blocks.get(block) else { return &[] };
        self.edges.get(start as usize..).and_then(|edges| edges.get(..len as usize)).unwrap_or_default()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }

    /// A node as it is counted here.
    fn node(&self, node: i32) -> u32 {
        let (begin, end) = self.nodes;
        node.min(end).saturating_sub(begin).max(0) as u32
    }

    /// True when an interval that ends at the node lasts as long as nodes are told apart.
    fn lasts(&self, last: u32) -> bool {
        last as usize + 1 >= self.block_of.len()
    }

    fn block(&self, node: u32) -> u32 {
        self.block_of.get(node as usize).copied().unwrap_or(0)
    }

    fn interval(&self, first_node: i32, last_node: i32) -> Interval {
        let (first, last) = (self.node(first_node), self.node(last_node));
        Interval { first, last, from: self.block(first), to: self.block(last) }
    }

    fn is_long(&self, at: Interval) -> bool {
        let blocks = || self.blocks.get(at.from as usize..=at.to as usize).unwrap_or_default();
        at.to - at.from >= SHORT || self.any_heavy && blocks().iter().any(|block| block.heavy)
    }
}

/// The lowest and the highest first node.
fn first_nodes(requests: &[Request]) -> (i32, i32) {
    requests.iter().fold((i32::MAX, 0), |(lowest, highest), request| {
        (lowest.min(request.first_node), highest.max(request.first_node))
    })
}

/// Adds a list to others, unless it is empty.
fn add<'a>(lists: &mut [&'a [Run]], count: &mut usize, list: &'a [Run]) {
    if let Some(slot) = lists.get_mut(*count) {
        *slot = list;
        *count += usize::from(!list.is_empty());
    }
}

/// Adds the runs of those edges that meet the interval.
fn collect(edges: &[Edge], at: Interval, runs: &mut Vec<Run>) -> Result<(), OutOfMemory> {
    reserve(runs, edges.len())?;
    let mut joined = Run::EMPTY;
    let mut add = |run: Run| {
        if run != Run::EMPTY {
            push_within(runs, run);
        }
    };
    visit_overlapping(
        edges,
        |edge| edge.overlap(at),
        |edge| {
            if edge.run.start > joined.end {
                add(joined);
                joined = edge.run;
            }
            joined.end = joined.end.max(edge.run.end);
            false
        },
    );
    add(joined);
    Ok(())
}
