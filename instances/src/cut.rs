//! A rectangle of time and space, cut until there are pieces enough.

use crate::Interval;
use crate::random::Random;

/// The rectangle's sides, for each piece that is wanted: so that there is always something to cut.
const TIMES_A_PIECE: u32 = 4;
const HEIGHT: u32 = 1 << 20;

/// A piece: times from `left` to `right`, bytes from `bottom` to `top`.
#[derive(Clone, Copy)]
struct Piece {
    left: u32,
    right: u32,
    bottom: u32,
    top: u32,
}

impl Piece {
    fn area(&self) -> u64 {
        u64::from(self.right - self.left) * u64::from(self.top - self.bottom)
    }

    /// Two pieces, one below the other.
    fn across(self, at: u32) -> [Piece; 2] {
        [Piece { top: at, ..self }, Piece { bottom: at, ..self }]
    }

    /// Two pieces, one after the other.
    fn down(self, at: u32) -> [Piece; 2] {
        [Piece { right: at, ..self }, Piece { left: at, ..self }]
    }

    /// Five pieces, four of them around one, as no cut from side to side makes them.
    fn pinwheel(self, random: &mut Random) -> [Piece; 5] {
        let Piece { left, right, bottom, top } = self;
        let (early, late) = two_between(left, right, random);
        let (low, high) = two_between(bottom, top, random);
        [
            Piece { left, right: late, bottom, top: low },
            Piece { left: late, right, bottom, top: high },
            Piece { left: early, right, bottom: high, top },
            Piece { left, right: early, bottom: low, top },
            Piece { left: early, right: late, bottom: low, top: high },
        ]
    }
}

/// Two different numbers between two others, the lower one first.
fn two_between(from: u32, to: u32, random: &mut Random) -> (u32, u32) {
    let first = random.between(from + 1, to - 2);
    (first, random.between(first + 1, to - 1))
}

/// The pieces, in no order. Each time a large one is cut: in two, or in five where it is wide and high enough.
pub(crate) fn generate(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let width = TIMES_A_PIECE * buffers.max(1) as u32;
    let mut pieces = vec![Piece { left: 0, right: width, bottom: 0, top: HEIGHT }];
    while pieces.len() < buffers {
        // The largest of three: pieces stay of a size, but not of the same.
        let drawn = [(); 3].map(|()| random.between(0, pieces.len() as u32 - 1) as usize);
        let largest = drawn.into_iter().max_by_key(|&at| pieces[at].area()).unwrap_or(0);
        let piece = pieces.swap_remove(largest);
        let (wide, high) = (piece.right - piece.left, piece.top - piece.bottom);
        match random.between(0, 3) {
            0 if wide > 2 && high > 2 => pieces.extend(piece.pinwheel(random)),
            1 if wide > 1 => pieces.extend(piece.down(random.between(piece.left + 1, piece.right - 1))),
            _ if high > 1 => pieces.extend(piece.across(random.between(piece.bottom + 1, piece.top - 1))),
            _ => pieces.push(piece),
        }
    }
    for at in (1..pieces.len()).rev() {
        pieces.swap(at, random.between(0, at as u32) as usize);
    }
    let interval = |piece: Piece| Interval { lower: piece.left, upper: piece.right, size: piece.top - piece.bottom };
    pieces.into_iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::most_alive;

    /// Cut out of a full rectangle, as much is alive at all times: its whole height.
    #[test]
    fn all_pieces_together_fill_the_rectangle() {
        for seed in 0..20 {
            let pieces = generate(100, &mut Random::new(seed));
            let area: u64 =
                pieces.iter().map(|piece| u64::from(piece.upper - piece.lower) * u64::from(piece.size)).sum();
            assert_eq!(area, u64::from(HEIGHT) * 400);
            assert_eq!(most_alive(&pieces), u64::from(HEIGHT));
        }
    }
}
