//! Maps as rectangles: time across, offset up. What the HTML page and the SVG picture draw.

use arena_planner::Arena;
use serde::Serialize;

use crate::map::{MemoryMap, Origin, Place};

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
    /// Never given back, or there at every step.
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
        let (first, end) = span(map, place);
        // A table says of nothing that it is kept, but what is there at all times is.
        let is_kept = place.is_kept()
            || map.origin == Origin::Table && (first, end) == (0, map.steps) && map.gaps_of(tensor).is_empty();
        let reuse = match place.previous {
            _ if is_kept => Reuse::Kept,
            Some(_) => Reuse::Reused,
            None => Reuse::Fresh,
        };
        rectangles.extend(map.pieces(tensor, place).into_iter().map(|piece| {
            let (first, end) = span(map, &piece);
            Rectangle { tensor, reuse, first, end, offset: piece.offset, size: piece.size }
        }));
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
pub(crate) fn indices(list: &[i32]) -> impl Iterator<Item = usize> {
    list.iter().filter_map(|&tensor| usize::try_from(tensor).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;
    use crate::testing::graph;

    /// By name, reuse, steps and bytes.
    fn drawn(map: &MemoryMap) -> Vec<(String, Reuse, [usize; 4])> {
        let name = |one: &Rectangle| map.network.tensors[one.tensor].name.clone();
        rectangles(map).iter().map(|one| (name(one), one.reuse, [one.first, one.end, one.offset, one.size])).collect()
    }

    fn one(name: &str, reuse: Reuse, numbers: [usize; 4]) -> (String, Reuse, [usize; 4]) {
        (name.to_owned(), reuse, numbers)
    }

    #[test]
    fn bytes_are_fresh_used_again_or_kept() {
        // x is kept at the bottom. The largest comes first: b above x; then a and c, which never meet, above b.
        let map = graph(
            "x 64 input
             a 128
             b 256
             c 128
             y 64 output
             CONV_2D x -> a
             CONV_2D a -> b
             CONV_2D b -> c
             CONV_2D c -> y",
        );
        let expected = [
            one("x", Reuse::Kept, [0, 4, 0, 64]),
            one("a", Reuse::Fresh, [0, 2, 320, 128]),
            one("b", Reuse::Fresh, [1, 3, 64, 256]),
            one("c", Reuse::Reused, [2, 4, 320, 128]),
            one("y", Reuse::Kept, [3, 4, 64, 64]),
        ];
        assert_eq!(drawn(&map), expected);
    }

    #[test]
    fn an_alias_is_drawn_on_its_owner_from_where_it_is_written() {
        // RELU writes b over a, which nobody reads later.
        let map = graph(
            "x 64 input
             a 128
             b 128
             y 64 output
             CONV_2D x -> a
             RELU@4 a -> b
             CONV_2D b -> y",
        );
        let aliases: Vec<_> = drawn(&map).into_iter().filter(|(_, reuse, _)| *reuse == Reuse::Alias).collect();
        assert_eq!(aliases, [one("b", Reuse::Alias, [1, 3, 64, 128])]);
        let owner = drawn(&map).into_iter().find(|(name, ..)| name == "a");
        assert_eq!(owner, Some(one("a", Reuse::Fresh, [0, 3, 64, 128])));
    }

    #[test]
    fn a_buffer_that_is_there_at_all_times_is_kept() {
        let table = b"id,lower,upper,size,offset\na,0,4,8,0\nb,0,3,8,8\nc,3,4,8,8\n";
        let map = &input::read(table, "table", None).unwrap()[0];
        let expected = [
            one("a", Reuse::Kept, [0, 2, 0, 8]),
            one("b", Reuse::Fresh, [0, 1, 8, 8]),
            one("c", Reuse::Reused, [1, 2, 8, 8]),
        ];
        assert_eq!(drawn(map), expected);
    }

    #[test]
    fn a_gap_leaves_what_is_needed_in_it() {
        let table = b"id,lower,upper,size,offset,gaps\na,0,10,8,16,2-4 6-8@1:3\n";
        let map = &input::read(table, "table", None).unwrap()[0];
        // Times 0, 2, 4, 6, 8 and 10 are the steps 0 to 5.
        let whole = |first, end| one("a", Reuse::Fresh, [first, end, 16, 8]);
        assert_eq!(drawn(map), [whole(0, 1), whole(2, 3), one("a", Reuse::Fresh, [3, 4, 17, 2]), whole(4, 5)]);
    }

    #[test]
    fn what_lies_in_a_gap_uses_bytes_again_and_is_needed_alone() {
        let table = b"id,lower,upper,size,offset,gaps\na,0,4,100,0,2-3\nb,2,3,100,0,\n";
        let map = &input::read(table, "table", None).unwrap()[0];
        let expected = [
            one("a", Reuse::Fresh, [0, 1, 0, 100]),
            one("a", Reuse::Fresh, [2, 3, 0, 100]),
            one("b", Reuse::Reused, [1, 2, 0, 100]),
        ];
        assert_eq!(drawn(map), expected);
        assert_eq!([0, 1, 2].map(|step| map.alive_at(step)), [[0], [1], [0]]);
    }

    #[test]
    fn in_a_gap_with_a_window_that_much_is_needed() {
        let table = b"id,lower,upper,size,offset,gaps\na,0,4,100,0,2-3@10:40\nb,0,4,50,100,\n";
        let map = &input::read(table, "table", None).unwrap()[0];
        assert_eq!([0, 1].map(|step| map.needed_at(step, 0)), [Some(100), Some(30)]);
        assert_eq!([0, 1].map(|step| map.alive_at(step)), [[0, 1], [1, 0]]);
    }
}
