//! What several rules want to know of a map, worked out once.

use std::cell::OnceCell;

use crate::map::{Kind, MemoryMap, Options, Place};
pub(super) use crate::picture::indices as tensors;
use crate::strategy::Strategy;

/// Maps with more tensors in the arena are not planned again: a search among so many takes seconds.
pub(super) const PLANNED_AGAIN: usize = 4_000;

/// What is less than one part in so many of the whole is not worth a sentence: nobody changes a model for it.
pub(super) const WORTH: usize = 100;

/// The nodes at which a tensor, or one that shares its bytes, is written or read; sorted.
pub(super) type Uses = Vec<Vec<usize>>;

pub(super) struct Subject<'a> {
    pub(super) map: &'a MemoryMap,
    /// By node, the bytes of the arena that are needed.
    pub(super) live: Vec<usize>,
    /// The first node at which most are.
    pub(super) peak: usize,
    uses: OnceCell<Uses>,
    best: OnceCell<Option<MemoryMap>>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(map: &'a MemoryMap) -> Subject<'a> {
        let live = map.live_bytes();
        let most = live.iter().copied().max().unwrap_or(0);
        let peak = live.iter().position(|&bytes| bytes == most).unwrap_or(0);
        Subject { map, live, peak, uses: OnceCell::new(), best: OnceCell::new() }
    }

    /// The bytes that are needed at the peak.
    pub(super) fn most(&self) -> usize {
        self.live.get(self.peak).copied().unwrap_or(0)
    }

    /// Both arenas.
    pub(super) fn whole(&self) -> usize {
        self.map.totals.arena.saturating_add(self.map.totals.persistent)
    }

    /// Whether so many bytes are worth a sentence.
    pub(super) fn matters(&self, bytes: usize) -> bool {
        bytes > 0 && bytes >= self.whole() / WORTH
    }

    /// A place that a tensor has.
    pub(super) fn place(&self, tensor: usize) -> Option<&'a Place> {
        self.map.places.get(tensor)?.as_ref()
    }

    /// The tensor that owns its bytes.
    pub(super) fn root(&self, tensor: usize) -> usize {
        self.place(tensor).map_or(tensor, |place| place.root)
    }

    /// By owner, where it and those that share its bytes are used.
    pub(super) fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| {
            let mut uses = vec![Vec::new(); self.map.network.tensors.len()];
            for (at, node) in self.map.network.nodes.iter().enumerate() {
                for tensor in tensors(&node.inputs).chain(tensors(&node.outputs)).chain(tensors(&node.temporaries)) {
                    let nodes: &mut Vec<usize> = &mut uses[self.root(tensor)];
                    if nodes.last() != Some(&at) {
                        nodes.push(at);
                    }
                }
            }
            uses
        })
    }

    /// Whether the map is too large to be planned again.
    pub(super) fn is_large(&self) -> bool {
        self.map.totals.placed > PLANNED_AGAIN
    }

    /// The plan by `best`, of a map that was planned by something less and is not too large.
    pub(super) fn best(&self) -> Option<&MemoryMap> {
        let plan = || {
            let searched = matches!(self.map.options.strategy, Some(Strategy::Best | Strategy::Exact));
            if searched || self.is_large() { None } else { self.map.by(Strategy::Best).ok() }
        };
        self.best.get_or_init(plan).as_ref()
    }

    /// How many bytes of the arena are saved when it is planned with other options, if any are.
    pub(super) fn saved_by(&self, change: impl FnOnce(&mut Options)) -> Option<(MemoryMap, usize)> {
        if self.is_large() {
            return None;
        }
        let mut options = self.map.options;
        // A proof may take minutes.
        if options.strategy == Some(Strategy::Exact) {
            options.strategy = Some(Strategy::Best);
        }
        change(&mut options);
        let other = self.map.replanned(options).ok()?;
        let saved = self.map.totals.arena.saturating_sub(other.totals.arena);
        (saved > 0).then_some((other, saved))
    }

    /// The size of what a tensor owns.
    pub(super) fn size(&self, tensor: usize) -> usize {
        self.place(tensor).map_or(0, |place| place.size)
    }

    /// The size of what these own together.
    pub(super) fn sum(&self, tensors: &[usize]) -> usize {
        tensors.iter().fold(0, |sum: usize, &tensor| sum.saturating_add(self.size(tensor)))
    }

    /// Whether a tensor lives in a certain way.
    pub(super) fn is(&self, tensor: usize, kind: Kind) -> bool {
        self.map.network.tensors.get(tensor).is_some_and(|tensor| tensor.kind == kind)
    }
}
