//! Finds the best-fitting gap without walking all that is placed.
//!
//! Time is cut into blocks of nodes. A block knows the allocations that begin or end in it, lowest first, and two lists of
//! occupied runs of bytes: of what is alive at some of its nodes, and of what is alive before, in and after it. Runs at
//! some node are also kept for groups of blocks, the groups forming a binary tree. What is alive from one node to another is
//! then the runs of few lists and, in the two blocks where the interval begins and ends, single allocations. Blocks are cut
//! so that these are not many; a node where very many begin or end is a block of its own.
//!
//! Most allocations live for less than a block. The lists of runs are needed for those that live longer, and once none of
//! these is left to be placed, they change no more.

use alloc::vec::Vec;

use crate::collections::{push, refill, shift_in};
use crate::gap::{BestGap, best_fit};
use crate::occupancy::Allocation;
use crate::runs::{Run, RunLists};
use crate::strategy::Request;
use crate::{Alignment, Bytes, Error};

/// As many intervals may begin or end in a block, however short they are.
const SMALLEST_BLOCK: usize = 32;

/// The lists of runs that one interval can need: two a level of the tree, and three more.
const MOST_LISTS: usize = 2 * u32::BITS as usize + 3;

/// What is placed, and where to look for it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The first and the last node that are told apart.
    nodes: (i32, i32),
    /// By node, counted from the first, its block.
    block_of: Vec<u32>,
    /// One more than there are: the last begins behind the last node.
    blocks: Vec<Block>,
    /// What begins or ends in each block.
    edges: Vec<Edge>,
    /// A tree: leaf `num_blocks + b` is what is alive at some node of block `b`, an inner node what is in one of its two.
    alive: RunLists,
    /// By block, what is alive before, in and after it.
    across: RunLists,
    /// How many requests that contain a whole block are still to be placed.
    long_to_place: usize,
    /// What is alive in an interval of the edges of its first and of its last block.
    near: [Vec<Run>; 2],
    alignment: Alignment,
}

/// Nodes that follow each other, from `first` on. Its edges are `len` from `start` on, and become `room`.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    start: u32,
    len: u32,
    room: u32,
}

impl Block {
    fn at(first: u32) -> Block {
        Block { first, start: 0, len: 0, room: 0 }
    }
}

/// An allocation that begins or ends in a block.
#[derive(Clone, Copy, Debug)]
struct Edge {
    run: Run,
    first: u32,
    last: u32,
}

/// The nodes of an interval, and their blocks.
#[derive(Clone, Copy)]
struct Interval {
    first: u32,
    last: u32,
    from: usize,
    to: usize,
    /// The blocks whose nodes all belong to it. Where there are none, `end` is not above `start`.
    start: usize,
    end: usize,
}

impl Interval {
    fn has_whole_blocks(&self) -> bool {
        self.start < self.end
    }
}

impl Index {
    /// Starts with what is `occupied`. The requests are to be placed, each of them once; none has less than `alignment`.
    pub(crate) fn start(
        &mut self,
        requests: &[Request],
        occupied: &[Allocation],
        alignment: Alignment,
    ) -> Result<(), Error> {
        // Intervals meet or not by how first nodes compare with last nodes. So nodes before the first request, and those
        // after the last first node, need not be told apart.
        let begin = requests.iter().fold(i32::MAX, |begin, request| begin.min(request.first_node));
        let end = requests.iter().fold(begin, |end, request| end.max(request.first_node));
        let placed = occupied.iter().filter(|allocation| allocation.last_node >= begin);
        let end = placed.clone().fold(end, |end, allocation| end.max(allocation.first_node));
        self.nodes = (begin, end);
        self.alignment = alignment;

        let requested = requests.iter().map(|request| (request.first_node, request.last_node));
        let intervals = requested.clone().chain(placed.clone().map(|placed| (placed.first_node, placed.last_node)));
        self.cut(&mut intervals.clone())?;
        self.set_room_aside(&mut intervals.clone(), requests.len())?;
        self.alive.start(2 * self.num_blocks())?;
        self.across.start(self.num_blocks())?;
        for placed in placed {
            self.add(placed, self.interval(placed.first_node, placed.last_node))?;
        }
        Ok(())
    }

    /// Cuts time into blocks. The longer intervals are, the longer are blocks, so that none reaches over too many.
    fn cut(&mut self, intervals: &mut dyn Iterator<Item = (i32, i32)>) -> Result<(), Error> {
        let last_node = self.node(i32::MAX);
        refill(&mut self.block_of, last_node as usize + 1, 0)?;
        let mut lived = 0usize;
        for (first, last) in intervals {
            let (first, last) = (self.node(first), self.node(last));
            lived = lived.saturating_add((last - first) as usize);
            for node in [first, last] {
                if let Some(events) = self.block_of.get_mut(node as usize) {
                    *events += 1;
                }
            }
        }
        let alive = lived.checked_div(self.block_of.len()).unwrap_or(0);
        let mut most = SMALLEST_BLOCK;
        while most.saturating_mul(most) < alive.saturating_mul(8) {
            most = most.saturating_mul(2);
        }
        self.blocks.clear();
        let mut events = 0;
        for (node, slot) in (0..).zip(&mut self.block_of) {
            let here = *slot as usize;
            if node == 0 || events > 0 && events + here > most {
                push(&mut self.blocks, Block::at(node))?;
                events = 0;
            }
            events += here;
            *slot = (self.blocks.len() as u32).saturating_sub(1);
        }
        push(&mut self.blocks, Block::at(self.block_of.len() as u32))
    }

    /// Gives each block room for the edges that it has in the end, and counts those of the first `requests` that are long.
    fn set_room_aside(
        &mut self,
        intervals: &mut dyn Iterator<Item = (i32, i32)>,
        requests: usize,
    ) -> Result<(), Error> {
        self.long_to_place = 0;
        for (position, (first, last)) in intervals.enumerate() {
            let at = self.interval(first, last);
            self.long_to_place += usize::from(at.has_whole_blocks() && position < requests);
            for block in [at.from, at.to] {
                // One that both begins and ends here takes the room of two.
                if let Some(block) = self.blocks.get_mut(block) {
                    block.room += 1;
                }
            }
        }
        let mut start = 0;
        let mut end = self.block_of.len() as u32;
        for block in self.blocks.iter_mut().rev() {
            // No interval has only a part of a single node.
            if end - block.first == 1 {
                block.room = 0;
            }
            block.start = start;
            start += block.room;
            end = block.first;
        }
        refill(&mut self.edges, start as usize, Edge { run: Run::EMPTY, first: 0, last: 0 })
    }

    /// Gives a request its place: the start of the best gap in its time, else of the bytes behind all that is alive then.
    /// False when that is beyond the address space.
    pub(crate) fn place(&mut self, request: &mut Request, best: BestGap) -> Result<bool, Error> {
        let at = self.interval(request.first_node, request.last_node);
        let mut near = core::mem::take(&mut self.near);
        let found = self.look(at, &mut near, best);
        self.near = near;
        let Some(offset) = found? else { return Ok(false) };
        request.offset = offset;
        self.long_to_place = self.long_to_place.saturating_sub(usize::from(at.has_whole_blocks()));
        self.add(&request.allocation(), at)?;
        Ok(true)
    }

    fn look(&self, at: Interval, near: &mut [Vec<Run>; 2], best: BestGap) -> Result<Option<Bytes>, Error> {
        let [first, last] = near;
        first.clear();
        last.clear();
        let mut across: &[Run] = &[];
        if !at.has_whole_blocks() || at.start > at.from {
            collect(self.edges_of(at.from), at, first)?;
            across = self.across.get(at.from);
        }
        if at.to > at.from && at.end <= at.to {
            collect(self.edges_of(at.to), at, last)?;
        }
        if !at.has_whole_blocks() {
            return Ok(best_fit(&mut [first, last, across], best));
        }
        let mut lists: [&[Run]; MOST_LISTS] = [&[]; MOST_LISTS];
        let mut count = 0;
        let mut add = |list| {
            if let Some(slot) = lists.get_mut(count) {
                *slot = list;
                count += usize::from(!list.is_empty());
            }
        };
        add(first);
        add(last);
        add(across);
        // The usual climb from both ends of the leaves.
        let (mut low, mut high) = (self.num_blocks() + at.start, self.num_blocks() + at.end);
        while low < high {
            if low % 2 == 1 {
                add(self.alive.get(low));
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                add(self.alive.get(high));
            }
            low /= 2;
            high /= 2;
        }
        Ok(best_fit(lists.get_mut(..count).unwrap_or_default(), best))
    }

    fn add(&mut self, allocation: &Allocation, at: Interval) -> Result<(), Error> {
        let run = Run { start: allocation.offset, end: allocation.end() };
        let edge = Edge { run, first: at.first, last: at.last };
        self.add_edge(at.from, edge);
        if at.to > at.from {
            self.add_edge(at.to, edge);
        }
        for block in at.from + 1..at.to {
            self.across.occupy(block, run, self.alignment)?;
        }
        if self.long_to_place == 0 {
            return Ok(());
        }
        for block in at.from..=at.to {
            let mut node = self.num_blocks() + block;
            // Where a node has all of it, so have those above.
            while node > 0 && self.alive.occupy(node, run, self.alignment)? {
                node /= 2;
            }
        }
        Ok(())
    }

    fn add_edge(&mut self, block: usize, edge: Edge) {
        let Some(block) = self.blocks.get_mut(block).filter(|block| block.len < block.room) else { return };
        let edges = self.edges.get_mut(block.start as usize..).unwrap_or_default();
        let len = block.len as usize;
        let sorted = edges.get(..len).unwrap_or_default();
        let position = sorted.partition_point(|other| other.run.start <= edge.run.start);
        if let Some(tail) = edges.get_mut(position..len + 1) {
            shift_in(tail, edge);
        }
        block.len += 1;
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

    fn interval(&self, first_node: i32, last_node: i32) -> Interval {
        let (first, last) = (self.node(first_node), self.node(last_node));
        let [from, to] = [first, last].map(|node| self.block_of.get(node as usize).map_or(0, |&block| block as usize));
        let begins = |block: usize| self.blocks.get(block).map_or(0, |block| block.first);
        let start = if begins(from) == first { from } else { from + 1 };
        let end = if begins(to + 1) == last + 1 { to + 1 } else { to };
        Interval { first, last, from, to, start, end }
    }
}

/// Adds the runs of those edges that meet the interval.
fn collect(edges: &[Edge], at: Interval, runs: &mut Vec<Run>) -> Result<(), Error> {
    for edge in edges {
        if edge.last < at.first || edge.first > at.last {
            continue;
        }
        match runs.last_mut() {
            Some(last) if edge.run.start <= last.end => last.end = last.end.max(edge.run.end),
            _ => push(runs, edge.run)?,
        }
    }
    Ok(())
}
