//! Finds the best-fitting gap without walking all that is placed.
//!
//! Time is cut into blocks of nodes. For each block there are two lists of occupied runs of bytes: of what is alive at
//! some of its nodes, and of what is alive before, in and after it. The first kind is also kept for groups of blocks, the
//! groups forming a binary tree. What is alive from one node to another is then the runs of few lists and, in the two
//! blocks where the interval begins and ends, single allocations that begin or end there. Blocks are cut so that there are
//! not many of those; a node where very many begin or end is a block of its own.
//!
//! Most allocations live for less than a block. The lists are needed for those that live longer, and once none of these
//! is left to be placed, no list changes any more.

use core::ops::Range;

use alloc::vec::Vec;

use crate::buckets::Buckets;
use crate::collections::push;
use crate::gap::{BestGap, Lists};
use crate::occupancy::Allocation;
use crate::runs::{Run, RunLists, sort_and_join};
use crate::strategy::Request;
use crate::{Alignment, Bytes, Error};

/// As many intervals may begin or end in a block, however short they are.
const SMALLEST_BLOCK: usize = 32;

/// What is placed or waits to be placed, and where to look for it.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The requests, in their own order, then what was placed before.
    entries: Vec<Entry>,
    by_first: Buckets,
    by_last: Buckets,
    /// By node, its block.
    block_of: Vec<u32>,
    /// By block, its first node; then the number of nodes.
    blocks: Vec<u32>,
    /// A tree: leaf `num_blocks + b` is what is alive at some node of block `b`, an inner node what is in one of its two.
    alive: RunLists,
    /// By block, what is alive before, in and after it.
    across: RunLists,
    /// How many requests that contain a whole block are still to be placed.
    long_to_place: usize,
    /// What begins or ends in the blocks where an interval does.
    edges: Vec<Run>,
}

/// An allocation; of no bytes until it is placed.
#[derive(Clone, Copy, Debug)]
struct Entry {
    run: Run,
    first: u32,
    last: u32,
}

impl Index {
    /// Starts with what is `occupied`; `requests` wait. No request asks for less than `alignment`.
    pub(crate) fn start(
        &mut self,
        requests: &[Request],
        occupied: &[Allocation],
        alignment: Alignment,
    ) -> Result<(), Error> {
        // Intervals meet or not by how first nodes compare with last nodes. So nodes before the first request, and those
        // after the last first node, need not be told apart.
        let begin = requests.iter().fold(i32::MAX, |begin, request| begin.min(request.first_node));
        let placed = occupied.iter().filter(|allocation| allocation.last_node >= begin);
        let end = requests.iter().fold(begin, |end, request| end.max(request.first_node));
        let end = placed.clone().fold(end, |end, allocation| end.max(allocation.first_node));
        let node = |node: i32| node.min(end).saturating_sub(begin).max(0) as u32;

        self.entries.clear();
        for request in requests {
            let (first, last) = (node(request.first_node), node(request.last_node));
            push(&mut self.entries, Entry { run: Run::EMPTY, first, last })?;
        }
        for placed in placed {
            let run = Run { start: placed.offset, end: placed.end() };
            push(&mut self.entries, Entry { run, first: node(placed.first_node), last: node(placed.last_node) })?;
        }
        self.cut_time(node(end))?;
        self.alive.start(2 * self.num_blocks())?;
        self.across.start(self.num_blocks())?;
        let waiting = self.entries.iter().take(requests.len());
        self.long_to_place = waiting.filter(|entry| !self.whole_blocks(entry).is_empty()).count();
        for at in requests.len()..self.entries.len() {
            self.list(at, alignment)?;
        }
        Ok(())
    }

    /// Cuts time into blocks. The longer intervals are, the longer are blocks, so that none reaches over too many.
    fn cut_time(&mut self, last_node: u32) -> Result<(), Error> {
        let nodes = last_node as usize + 1;
        self.by_first.fill(nodes, self.entries.iter().map(|entry| entry.first))?;
        self.by_last.fill(nodes, self.entries.iter().map(|entry| entry.last))?;
        let lived = self.entries.iter().fold(0, |lived: usize, entry| lived + (entry.last - entry.first) as usize);
        let alive = lived.checked_div(nodes).unwrap_or(0);
        let mut most = SMALLEST_BLOCK;
        while most.saturating_mul(most) < alive.saturating_mul(8) {
            most = most.saturating_mul(2);
        }

        self.block_of.clear();
        self.blocks.clear();
        push(&mut self.blocks, 0)?;
        let mut block = 0;
        let mut here = 0;
        for node in 0..=last_node {
            let more = self.by_first.between(node, node).len() + self.by_last.between(node, node).len();
            if here > 0 && here + more > most {
                push(&mut self.blocks, node)?;
                block += 1;
                here = 0;
            }
            here += more;
            push(&mut self.block_of, block)?;
        }
        push(&mut self.blocks, last_node + 1)
    }

    /// Where the bytes of request `at` fit best: the start of the smallest gap in its time, else the end of all. `None`
    /// when they do not fit the address space.
    pub(crate) fn best_fit(&mut self, at: usize, best: BestGap) -> Result<Option<Bytes>, Error> {
        let Some(&entry) = self.entries.get(at) else { return Ok(None) };
        self.collect_edges(entry)?;
        let mut lists = Lists::default();
        lists.add(&self.edges);
        let whole = self.whole_blocks(&entry);
        if whole.is_empty() || whole.start > self.block(entry.first) {
            lists.add(self.across.get(self.block(entry.first)));
        }
        // The usual climb from both ends of the leaves.
        let mut low = self.num_blocks() + whole.start;
        let mut high = self.num_blocks() + whole.end;
        while low < high {
            if low % 2 == 1 {
                lists.add(self.alive.get(low));
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                lists.add(self.alive.get(high));
            }
            low /= 2;
            high /= 2;
        }
        Ok(lists.best_fit(best))
    }

    /// Gives request `at` its place.
    pub(crate) fn put(&mut self, at: usize, run: Run, alignment: Alignment) -> Result<(), Error> {
        let Some(entry) = self.entries.get_mut(at) else { return Ok(()) };
        entry.run = run;
        let entry = *entry;
        let long = !self.whole_blocks(&entry).is_empty();
        self.long_to_place = self.long_to_place.saturating_sub(usize::from(long));
        if long || self.long_to_place > 0 { self.list(at, alignment) } else { Ok(()) }
    }

    /// Adds a placed entry to the lists.
    fn list(&mut self, at: usize, alignment: Alignment) -> Result<(), Error> {
        let Some(&Entry { run, first, last }) = self.entries.get(at) else { return Ok(()) };
        let (from, to) = (self.block(first), self.block(last));
        for block in from + 1..to {
            self.across.occupy(block, run, alignment)?;
        }
        if self.long_to_place == 0 {
            return Ok(());
        }
        for block in from..=to {
            let mut node = self.num_blocks() + block;
            // Where a node has all of it, so have those above.
            while node > 0 && self.alive.occupy(node, run, alignment)? {
                node /= 2;
            }
        }
        Ok(())
    }

    /// Collects what begins or ends in the blocks that `entry` has only a part of.
    fn collect_edges(&mut self, entry: Entry) -> Result<(), Error> {
        self.edges.clear();
        let Entry { first, last, .. } = entry;
        let (from, to) = (self.block(first), self.block(last));
        let whole = self.whole_blocks(&entry);
        if whole.is_empty() || whole.start > from {
            let (begin, end) = (self.first_node(from), self.first_node(from + 1).saturating_sub(1));
            let mut edges = Edges { entries: &self.entries, runs: &mut self.edges };
            edges.add(self.by_first.between(begin, last.min(end)), first, u32::MAX)?;
            edges.add(self.by_last.between(first, end), 0, begin)?;
        }
        if to > from && whole.end <= to {
            let begin = self.first_node(to);
            let mut edges = Edges { entries: &self.entries, runs: &mut self.edges };
            edges.add(self.by_first.between(begin, last), 0, u32::MAX)?;
        }
        sort_and_join(&mut self.edges);
        Ok(())
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }

    fn block(&self, node: u32) -> usize {
        self.block_of.get(node as usize).map_or(0, |&block| block as usize)
    }

    fn first_node(&self, block: usize) -> u32 {
        self.blocks.get(block).copied().unwrap_or(0)
    }

    /// The blocks whose nodes all belong to the interval; where there are none, `start` is not below `end`.
    fn whole_blocks(&self, &Entry { first, last, .. }: &Entry) -> Range<usize> {
        let (from, to) = (self.block(first), self.block(last));
        let start = if self.first_node(from) == first { from } else { from + 1 };
        let end = if self.first_node(to + 1) == last + 1 { to + 1 } else { to };
        start..end
    }
}

/// Runs of single allocations.
struct Edges<'a> {
    entries: &'a [Entry],
    runs: &'a mut Vec<Run>,
}

impl Edges<'_> {
    /// Adds those of a row that are placed, end at `last_from` or later and begin before `first_before`.
    fn add(&mut self, row: &[u32], last_from: u32, first_before: u32) -> Result<(), Error> {
        for &at in row {
            let Some(entry) = self.entries.get(at as usize) else { continue };
            if entry.run.end > Bytes::ZERO && entry.last >= last_from && entry.first < first_before {
                push(self.runs, entry.run)?;
            }
        }
        Ok(())
    }
}
