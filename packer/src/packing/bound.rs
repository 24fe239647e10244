//! What no plan can go below.

use alloc::vec::Vec;

use super::sections::{Cut, Piece, Sections};
use super::{Buffer, Problem};
use crate::collections::refill;
use crate::{Alignment, Bytes, Error};

/// What no plan can go below: the most bytes that are needed at one node.
///
/// What is alive at a node lies there one above the other, and all of it starts at a multiple of the smallest alignment among
/// it. So each size counts rounded up to that, but for the largest padding, which nothing follows.
pub fn lower_bound(problem: &Problem<'_>) -> Result<Bytes, Error> {
    of_sections(problem, &Sections::new(problem, Cut::Every)?)
}

/// The same, for a problem that has been cut into every section.
pub(super) fn of_sections(problem: &Problem<'_>, sections: &Sections) -> Result<Bytes, Error> {
    let mut alignments = Vec::new();
    refill(&mut alignments, sections.count(), Alignment::LARGEST)?;
    let mut ends = Bytes::ZERO;
    for (at, buffer) in problem.buffers.iter().enumerate() {
        if buffer.size != Bytes::ZERO {
            ends = ends.max(buffer.fixed.unwrap_or_default().saturating_add(buffer.size));
        }
        for piece in sections.of(at) {
            let aligned = starts_at(buffer, piece);
            for alignment in between(&mut alignments, piece) {
                *alignment = aligned.min(*alignment);
            }
        }
    }
    let mut sums: Vec<Sum> = Vec::new();
    refill(&mut sums, sections.count(), Sum::default())?;
    for (at, _) in problem.buffers.iter().enumerate() {
        for piece in sections.of(at) {
            let size = piece.high.saturating_sub(piece.low);
            for (sum, section) in between(&mut sums, piece).iter_mut().zip(piece.from as usize..) {
                let alignment = alignments.get(section).copied().unwrap_or_default();
                let rounded = size.align_up(alignment).unwrap_or(Bytes(usize::MAX));
                sum.rounded = sum.rounded.saturating_add(rounded);
                sum.padding = sum.padding.max(rounded.saturating_sub(size));
            }
        }
    }
    Ok(sums.iter().fold(ends, |bound, sum| bound.max(sum.rounded.saturating_sub(sum.padding))))
}

/// The sizes that are alive in a section, rounded up, and the largest padding among them.
#[derive(Clone, Copy, Default)]
struct Sum {
    rounded: Bytes,
    padding: Bytes,
}

/// What the start of a piece is a multiple of, wherever the buffer lies.
fn starts_at(buffer: &Buffer, piece: &Piece) -> Alignment {
    let place = buffer.fixed.unwrap_or_default();
    [place, piece.low].iter().fold(buffer.alignment, |alignment, distance| alignment.min(distance.alignment()))
}

fn between<'a, T>(values: &'a mut [T], piece: &Piece) -> &'a mut [T] {
    values.get_mut(piece.from as usize..piece.to as usize).unwrap_or_default()
}
