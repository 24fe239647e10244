//! Maps as rectangles: time across, offset up. What the HTML page and the SVG picture draw.

use arena_planner::Arena;
use serde::Serialize;

use crate::map::{Gap, MemoryMap, Place};

/// What is worth seeing of a tensor's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reuse {
    /// Nobody had any of them before.
    Fresh,
    /// Somebody had some of them before.
    Reused,
    /// Another tensor's, whose value this one overwrites.
    Alias,
    /// Never given back.
    Kept,
}

/// Bytes of a tensor, from a step of time up to, but not at, another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Rectangle {
    pub(crate) tensor: usize,
    pub(crate) reuse: Reuse,
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// Tensors that own bytes of the arena, and above them those that take bytes over. A buffer with gaps has several.
pub(crate) fn rectangles(map: &MemoryMap) -> Vec<Rectangle> {
    let mut rectangles = Vec::new();
    for (tensor, place) in map.owners(Arena::Rw) {
        let reuse = match place.previous {
            _ if place.is_kept() => Reuse::Kept,
            Some(_) => Reuse::Reused,
            None => Reuse::Fresh,
        };
        let (first, end) = span(map, place);
        let whole = Rectangle { tensor, reuse, first, end, offset: place.offset, size: place.size };
        pieces(whole, gaps_of(map, tensor), &mut rectangles);
    }
    let uses = Uses::of(map);
    for (tensor, place) in map.places.iter().enumerate() {
        let Some(place) = place.as_ref().filter(|place| place.arena == Arena::Rw && place.root != tensor) else {
            continue;
        };
        let (first, end) = uses.within(tensor, span(map, place));
        let size = map.network.tensors[tensor].bytes.min(place.size);
        if first < end && size > 0 {
            rectangles.push(Rectangle { tensor, reuse: Reuse::Alias, first, end, offset: place.offset, size });
        }
    }
    rectangles
}

/// The steps of a place: the first, and the one behind the last.
fn span(map: &MemoryMap, place: &Place) -> (usize, usize) {
    let first = usize::try_from(place.first_node).unwrap_or(0);
    let last = usize::try_from(place.last_node).unwrap_or(0);
    (first, last.min(map.steps - 1).max(first) + 1)
}

fn gaps_of(map: &MemoryMap, buffer: usize) -> &[Gap] {
    let gaps = &map.gaps;
    let first = gaps.partition_point(|gap| gap.tensor < buffer);
    let end = gaps.partition_point(|gap| gap.tensor <= buffer);
    &gaps[first..end]
}

/// The whole between its gaps, and what is needed in them.
fn pieces(whole: Rectangle, gaps: &[Gap], rectangles: &mut Vec<Rectangle>) {
    let mut from = whole.first;
    for gap in gaps {
        let first = usize::try_from(gap.first_node).unwrap_or(0);
        let end = usize::try_from(gap.last_node).unwrap_or(0) + 1;
        if from < first {
            rectangles.push(Rectangle { first: from, end: first, ..whole });
        }
        if let Some((lowest, above)) = gap.window {
            rectangles.push(Rectangle { first, end, offset: whole.offset + lowest, size: above - lowest, ..whole });
        }
        from = end;
    }
    if from < whole.end {
        rectangles.push(Rectangle { first: from, ..whole });
    }
}

/// By tensor, when its own value is there.
pub(crate) struct Uses {
    /// What writes it first; none for what is there before the first node.
    pub(crate) first_writer: Vec<Option<usize>>,
    /// None where the value is needed after the last node.
    last_reader: Vec<Option<usize>>,
}

impl Uses {
    pub(crate) fn of(map: &MemoryMap) -> Uses {
        let count = map.network.tensors.len();
        let mut uses = Uses { first_writer: vec![None; count], last_reader: vec![None; count] };
        for (at, node) in map.network.nodes.iter().enumerate() {
            for tensor in indices(&node.outputs).chain(indices(&node.temporaries)) {
                uses.first_writer[tensor].get_or_insert(at);
            }
            // What nobody reads is there while it is written.
            for tensor in indices(&node.inputs).chain(indices(&node.outputs)).chain(indices(&node.temporaries)) {
                uses.last_reader[tensor] = Some(at);
            }
        }
        for tensor in indices(&map.network.outputs).chain(indices(&map.network.variables)) {
            uses.last_reader[tensor] = None;
        }
        uses
    }

    /// The part of a span in which the tensor's value is there.
    fn within(&self, tensor: usize, (first, end): (usize, usize)) -> (usize, usize) {
        let own_first = self.first_writer[tensor].unwrap_or(first);
        let own_end = self.last_reader[tensor].map_or(end, |last| last + 1);
        (own_first.max(first), own_end.min(end))
    }
}

/// The tensors of a list, without those that are left out.
fn indices(list: &[i32]) -> impl Iterator<Item = usize> {
    list.iter().filter_map(|&tensor| usize::try_from(tensor).ok())
}
