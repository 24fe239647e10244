//! A picture of an arena in text: time from left to right, offsets from the bottom up, a letter a tensor.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use crate::fallible::{OutOfMemory, at, at_mut, refill};
use crate::occupancy::Allocation;
use crate::previous::NOBODY;
use crate::text::TextSink;
use crate::{Alignment, Bytes};

/// No line is longer.
const WIDTH: usize = 80;
const MOST_ROWS: usize = 20;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FREE: u8 = b'.';
const AXIS: &str = "nodes";
/// From one number of the axis to the next.
const TICK: usize = 10;
/// A tensor of as many cells gets its letter early: it has many neighbours.
const LARGE: usize = 30;

/// What is drawn, cell by cell.
#[derive(Debug)]
pub(crate) struct Picture {
    /// Columns of the scale at the left.
    scale: usize,
    columns: usize,
    nodes_a_column: NonZeroUsize,
    bytes_a_row: NonZeroUsize,
    /// The tensor that has most of a cell, [`NOBODY`] where all of it is free; row by row, the lowest bytes first.
    cells: Vec<i32>,
    /// By tensor: its letter's number; more than there are for those that are not to be seen.
    letters: Vec<u8>,
}

impl Picture {
    /// Draws an arena of `height` bytes over one node or more. Rows begin at multiples of `alignment`, as tensors do.
    pub(crate) fn draw(
        allocations: &[Allocation],
        height: Bytes,
        nodes: usize,
        alignment: Alignment,
    ) -> Result<Picture, OutOfMemory> {
        let row = Bytes(height.0.div_ceil(MOST_ROWS));
        let bytes_a_row = at_least_one(row.align_up(alignment).unwrap_or(row).0);
        let scale = digits(height.0).max(AXIS.len());
        let nodes_a_column = at_least_one(pieces(nodes, at_least_one(WIDTH - 1 - scale)));
        let columns = pieces(nodes, nodes_a_column);
        let mut picture =
            Picture { scale, columns, nodes_a_column, bytes_a_row, cells: Vec::new(), letters: Vec::new() };
        refill(&mut picture.cells, columns * pieces(height.0, bytes_a_row), NOBODY)?;
        let tensors = allocations.iter().map(|allocation| allocation.tensor + 1).max().unwrap_or(0);
        refill(&mut picture.letters, usize::try_from(tensors).unwrap_or(0), u8::MAX)?;
        picture.fill_cells(allocations, nodes);
        picture.choose_letters();
        Ok(picture)
    }

    fn fill_cells(&mut self, allocations: &[Allocation], nodes: usize) {
        let per_column = self.nodes_a_column.get();
        for (row, cells) in self.cells.chunks_exact_mut(self.columns.max(1)).enumerate() {
            let bottom = row.saturating_mul(self.bytes_a_row.get());
            let top = bottom.saturating_add(self.bytes_a_row.get());
            // Bytes times nodes, by column.
            let mut most = [0; WIDTH];
            for allocation in allocations {
                let bytes = allocation.end().0.min(top).saturating_sub(allocation.offset.0.max(bottom));
                let first = usize::try_from(allocation.first_node).unwrap_or(0);
                let behind = usize::try_from(allocation.last_node).map_or(0, |last| last.min(nodes - 1) + 1);
                if bytes == 0 || first >= behind {
                    continue;
                }
                let column = first / self.nodes_a_column;
                for ((column, cell), most) in
                    (column..).zip(cells.iter_mut().skip(column)).zip(most.iter_mut().skip(column))
                {
                    let left = column * per_column;
                    let share = behind.min(left + per_column).saturating_sub(first.max(left)).saturating_mul(bytes);
                    if share == 0 {
                        break;
                    }
                    if share > *most {
                        (*most, *cell) = (share, allocation.tensor);
                    }
                }
            }
        }
    }

    /// Gives each tensor a letter that none of its neighbours has: the one of its index, or the next that is left. Those with
    /// few neighbours come last, as there are letters enough for them.
    fn choose_letters(&mut self) {
        for large in [true, false] {
            for position in 0..self.cells.len() {
                let tensor = self.cells.get(position).copied().unwrap_or(NOBODY);
                if tensor == NOBODY || self.letter(tensor).is_some() {
                    continue;
                }
                let (cells, taken) = self.surroundings(tensor);
                if large != (cells >= LARGE) {
                    continue;
                }
                let wish = |step| (tensor as usize + step) % LETTERS.len();
                let letter = (0..LETTERS.len()).map(wish).find(|letter| taken >> letter & 1 == 0);
                if let Some(slot) = at_mut(&mut self.letters, tensor) {
                    *slot = letter.unwrap_or(wish(0)) as u8;
                }
            }
        }
    }

    /// The number of cells that show a tensor, and a bit for each letter beside them.
    fn surroundings(&self, tensor: i32) -> (usize, u64) {
        let (mut count, mut taken) = (0, 0);
        for (position, _) in self.cells.iter().enumerate().filter(|&(_, &cell)| cell == tensor) {
            count += 1;
            let (left, below) = (position.wrapping_sub(1), position.wrapping_sub(self.columns));
            for beside in [left, position + 1, below, position + self.columns] {
                let other = self.cells.get(beside).copied().unwrap_or(NOBODY);
                taken |= at(&self.letters, other).and_then(|&letter| 1_u64.checked_shl(letter.into())).unwrap_or(0);
            }
        }
        (count, taken)
    }

    /// The letter of a tensor that is to be seen.
    pub(crate) fn letter(&self, tensor: i32) -> Option<u8> {
        LETTERS.get(usize::from(*at(&self.letters, tensor)?)).copied()
    }

    /// Writes it, with the lowest byte of each row at its left and nodes below.
    pub(crate) fn write(&self, out: &mut impl TextSink) {
        out.filled_in(
            "bytes a row: #, nodes a column: #; letters: in the table\n",
            [self.bytes_a_row.get(), self.nodes_a_column.get(), 0],
        );
        for (row, cells) in self.cells.chunks_exact(self.columns.max(1)).enumerate().rev() {
            out.column(row.saturating_mul(self.bytes_a_row.get()), self.scale);
            out.text(" ");
            for &cell in cells {
                out.bytes(&[self.letter(cell).unwrap_or(FREE)]);
            }
            out.text("\n");
        }
        for _ in AXIS.len()..self.scale {
            out.text(" ");
        }
        out.text(AXIS);
        out.text(" ");
        let mut written = 0;
        for column in (0..self.columns).step_by(TICK) {
            let node = column * self.nodes_a_column.get();
            if self.scale + 1 + column + digits(node) > WIDTH {
                break;
            }
            for _ in written..column {
                out.text(" ");
            }
            out.number(node);
            written = column + digits(node);
        }
        out.text("\n");
    }
}

/// How many pieces of `size` there are, the last of which may be shorter.
fn pieces(whole: usize, size: NonZeroUsize) -> usize {
    whole.checked_sub(1).map_or(0, |last| last / size + 1)
}

fn at_least_one(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN)
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::END;
    use proptest::prelude::*;
    use std::string::String;
    use std::vec::Vec;

    struct Text(String);

    impl TextSink for Text {
        fn bytes(&mut self, piece: &[u8]) {
            self.0.push_str(core::str::from_utf8(piece).unwrap());
        }
    }

    fn written(picture: &Picture) -> String {
        let mut text = Text(String::new());
        picture.write(&mut text);
        text.0
    }

    /// Bytes times nodes that an allocation has of a part of the arena, counted one by one.
    fn share(allocation: &Allocation, bytes: core::ops::Range<usize>, nodes: core::ops::Range<usize>) -> usize {
        let has = |byte: usize| allocation.offset.0 <= byte && byte < allocation.end().0;
        let is_alive = |node: usize| allocation.first_node <= node as i32 && node as i32 <= allocation.last_node;
        bytes.filter(|&byte| has(byte)).count() * nodes.filter(|&node| is_alive(node)).count()
    }

    /// Clashing ones, too: whatever is drawn, each cell shows what has most of it.
    fn any_arena() -> impl Strategy<Value = (Vec<Allocation>, usize)> {
        (1..300usize).prop_flat_map(|nodes| {
            let node = 0..nodes as i32;
            let last = prop_oneof![4 => node.clone(), 1 => Just(END)];
            let one = (0..200usize, 0..60usize, node, last).prop_map(|(offset, size, first_node, last_node)| {
                Allocation { offset: Bytes(offset), size: Bytes(size), tensor: 0, first_node, last_node }
            });
            let numbered = |list: Vec<Allocation>| {
                (0..).zip(list).map(|(tensor, it)| Allocation { tensor, ..it }).collect::<Vec<_>>()
            };
            (proptest::collection::vec(one, 0..150).prop_map(numbered), Just(nodes))
        })
    }

    proptest! {
        #[test]
        fn each_cell_shows_who_has_most_of_it_and_neighbours_differ((allocations, nodes) in any_arena()) {
            let height = allocations.iter().map(Allocation::end).max().unwrap_or(Bytes::ZERO);
            let picture = Picture::draw(&allocations, height, nodes, Alignment::new(4).unwrap()).unwrap();
            let text = written(&picture);
            let lines: Vec<&str> = text.lines().collect();
            let (width, high) = (picture.nodes_a_column.get(), picture.bytes_a_row.get());
            let rows = &lines[1..lines.len() - 1];
            prop_assert_eq!(rows.len(), height.0.div_ceil(high));
            prop_assert!(rows.len() <= 20 && lines.iter().all(|line| line.len() <= 80), "{}", text);
            let cells: Vec<Vec<u8>> = rows.iter().map(|row| row.split(' ').next_back().unwrap().into()).collect();
            let mut shown: Vec<Vec<i32>> = Vec::new();
            for (up, cells) in cells.iter().rev().enumerate() {
                prop_assert_eq!(cells.len(), nodes.div_ceil(width));
                let tensor_at = |column: usize| {
                    let (bytes, nodes) = (up * high..(up + 1) * high, column * width..((column + 1) * width).min(nodes));
                    let share = |it: &&Allocation| share(it, bytes.clone(), nodes.clone());
                    let most = allocations.iter().max_by_key(|it| (share(it), -it.tensor)).filter(|it| share(it) > 0);
                    most.map_or(NOBODY, |it| it.tensor)
                };
                shown.push((0..cells.len()).map(tensor_at).collect());
                for (&letter, &tensor) in cells.iter().zip(&shown[up]) {
                    prop_assert_eq!(letter, picture.letter(tensor).unwrap_or(b'.'));
                    prop_assert_eq!(letter == b'.', tensor == NOBODY);
                }
            }
            let letters = |up: usize, column: usize| cells[cells.len() - 1 - up][column];
            for (up, row) in shown.iter().enumerate() {
                for (column, tensor) in row.iter().enumerate() {
                    for (beside_up, beside) in [(up, column + 1), (up + 1, column)] {
                        let other = shown.get(beside_up).and_then(|row| row.get(beside));
                        if other.is_some_and(|other| other != tensor) {
                            prop_assert_ne!(letters(up, column), letters(beside_up, beside), "{}", text);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_arenas_and_the_longest_runs_fit() {
        let all = Allocation { offset: Bytes::ZERO, size: Bytes(usize::MAX), tensor: 0, first_node: 0, last_node: END };
        let nodes = i32::MAX as usize;
        let picture = Picture::draw(&[all], Bytes(usize::MAX), nodes, Alignment::DEFAULT).unwrap();
        let text = written(&picture);
        assert_eq!(text.lines().count(), 22);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn many_around_one_have_letters_that_it_has_not() {
        // One below, and 70 on it, side by side.
        let below = Allocation { offset: Bytes(0), size: Bytes(64), tensor: 70, first_node: 0, last_node: END };
        let on_it = (0..70).map(|node| Allocation {
            offset: Bytes(64),
            size: Bytes(64),
            tensor: node,
            first_node: node,
            last_node: node,
        });
        let all: Vec<_> = on_it.chain([below]).collect();
        let picture = Picture::draw(&all, Bytes(128), 70, Alignment::DEFAULT).unwrap();
        assert!((0..70).all(|tensor| picture.letter(tensor) != picture.letter(70)));
        assert!((0..70).all(|tensor| picture.letter(tensor).is_some()));
        assert_eq!((picture.letter(0), picture.letter(70)), (Some(b'0'), Some(b'8')));
    }
}
