//! Bytes that lie free below the tensor that makes the arena as high as it is.

use arena_planner::Arena;

use super::subject::Subject;
use super::words::{bytes, count, node, number, tensor};

/// The bytes of the arena that a tensor needs at some node.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    tensor: usize,
}

/// The largest of the holes below the highest tensor, at the fullest of the nodes that need it; in words.
pub(super) fn hole(subject: &Subject<'_>) -> Option<String> {
    let map = subject.map;
    let top = map.owners(Arena::Rw).max_by_key(|(top, place)| (place.end(), std::cmp::Reverse(*top)))?.0;
    let at = fullest(subject, top)?;
    let pieces = pieces_at(subject, at);
    let (mut free, mut holes, mut end, mut below) = (0, 0, 0usize, None);
    let mut largest: Option<(usize, Option<usize>, usize)> = None;
    for piece in pieces.iter().take_while(|piece| piece.start <= subject.place(top).map_or(0, |top| top.offset)) {
        let hole = piece.start.saturating_sub(end);
        if hole > 0 {
            free += hole;
            holes += 1;
            if largest.is_none_or(|(most, ..)| hole > most) {
                largest = Some((hole, below, piece.tensor));
            }
        }
        if piece.end >= end {
            (end, below) = (piece.end, Some(piece.tensor));
        }
    }
    let (size, below, above) = largest?;
    let between = match below {
        Some(below) => format!("between {} and {}", tensor(map, below), tensor(map, above)),
        None => format!("at the bottom, below {}", tensor(map, above)),
    };
    let which =
        if above == top { ", which lies highest".to_owned() } else { format!("; {} lies highest", tensor(map, top)) };
    let free = if holes == 1 {
        format!("{} lie free {between}", bytes(size))
    } else {
        format!("{} lie free in {}, the largest, {}, {between}", bytes(free), count(holes, "hole"), bytes(size))
    };
    let needed = subject.live.get(at).copied().unwrap_or(0);
    Some(format!("At {}, where {} are needed, {free}{which}.", node(map, at), number(needed)))
}

/// The first of the nodes that need most, among those at which a tensor is alive.
fn fullest(subject: &Subject<'_>, tensor: usize) -> Option<usize> {
    let place = subject.place(tensor)?;
    let alive = |&(at, _): &(usize, &usize)| place.is_alive_at(at);
    subject
        .live
        .iter()
        .enumerate()
        .filter(alive)
        .max_by_key(|&(at, bytes)| (*bytes, std::cmp::Reverse(at)))
        .map(|(at, _)| at)
}

/// By offset, and rounded up: what is lost to alignment is no hole.
fn pieces_at(subject: &Subject<'_>, at: usize) -> Vec<Piece> {
    let map = subject.map;
    let mut pieces: Vec<Piece> = map
        .owners(Arena::Rw)
        .flat_map(|(tensor, place)| map.pieces(tensor, place).into_iter().map(move |piece| (tensor, piece)))
        .filter(|(_, piece)| piece.size > 0 && piece.is_alive_at(at))
        .map(|(tensor, piece)| Piece { start: piece.offset, end: map.rounded_up(piece.end()), tensor })
        .collect();
    pieces.sort_by_key(|piece| (piece.start, piece.end));
    pieces
}
