//! Lines that fit a terminal.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a terminal.
pub(super) const WIDTH: usize = 80;

/// A text whose characters a terminal shows, and does not obey: names come from files that anybody may have written.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| {
        c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(is_obeyed) { text.replace(is_obeyed, "\u{fffd}").into() } else { text.into() }
}

/// Takes characters off the front of a text that is wider than `width`: the ends of names tell more than what all begin with.
pub(super) fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return text.into();
    }
    let mut room = width.saturating_sub(1);
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        let Some(left) = room.checked_sub(character.width().unwrap_or(0)) else { break };
        (room, start) = (left, at);
    }
    format!("…{}", &text[start..]).into()
}

/// Breaks a text into lines, the first of which begins with `first` and the others with blanks below it. A number and its `%`
/// stay together.
pub(super) fn wrapped(text: &str, first: &str) -> Vec<String> {
    let (mut lines, mut line, mut is_empty) = (Vec::new(), first.to_owned(), true);
    for word in text.replace(" %", "\u{a0}%").split_ascii_whitespace() {
        let word = word.replace('\u{a0}', " ");
        let word = shortened(&word, WIDTH - first.width());
        if !is_empty && line.width() + 1 + word.width() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(first.width())));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += &word;
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// A column of a table.
pub(super) enum Column {
    /// Numbers, at its right end.
    Right(&'static str),
    /// Words, at its left end.
    Left(&'static str),
    /// Words; this column is cut where the table gets too wide.
    Cut(&'static str),
}

/// A heading and rows, as wide as what they hold. A column that holds nothing is left out.
pub(super) fn table<const N: usize>(columns: &[Column; N], rows: &[[String; N]]) -> Vec<String> {
    let title = |column: &Column| match column {
        Column::Right(title) | Column::Left(title) | Column::Cut(title) => *title,
    };
    let mut widths: [usize; N] = std::array::from_fn(|at| {
        let widest = rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
        if widest == 0 { 0 } else { widest.max(title(&columns[at]).width()) }
    });
    let used: usize = widths.iter().filter(|&&width| width > 0).map(|width| GAP.len() + width).sum();
    let excess = used.saturating_sub(WIDTH);
    if let Some(cut) = columns.iter().position(|column| matches!(column, Column::Cut(_))) {
        let least = widths[cut].min(title(&columns[cut]).width());
        widths[cut] = widths[cut].saturating_sub(excess).max(least);
    }
    let heading = std::array::from_fn(|at| title(&columns[at]).to_owned());
    let line = |row: &[String; N]| {
        let mut line = String::new();
        for ((column, cell), &width) in columns.iter().zip(row).zip(&widths).filter(|(_, width)| **width > 0) {
            let cell = shortened(cell, width);
            let blanks = " ".repeat(width - cell.width());
            line += GAP;
            line += &match column {
                Column::Right(_) => blanks + &cell,
                Column::Left(_) | Column::Cut(_) => cell.into_owned() + &blanks,
            };
        }
        line.truncate(line.trim_end().len());
        line
    };
    [&heading].into_iter().chain(rows).map(line).collect()
}

/// Before each column.
const GAP: &str = "  ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_speak_to_the_terminal() {
        assert_eq!(printable("conv/1"), "conv/1");
        assert_eq!(printable("a\u{1b}[2Jb\nc\u{202e}d"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d");
    }

    #[test]
    fn long_names_lose_their_beginning() {
        assert_eq!(shortened("model/block/conv", 16), "model/block/conv");
        assert_eq!(shortened("model/block/conv", 9), "…ock/conv");
        assert_eq!(shortened("model/block/conv", 1), "…");
        // Each of these takes two columns, and so one is left over.
        assert_eq!(shortened("入力の画像", 6), "…画像");
    }

    #[test]
    fn texts_are_broken_between_words_and_indented() {
        let text = "word ".repeat(20);
        assert_eq!(
            wrapped(&text, " * "),
            [format!(" * {}", ["word"; 15].join(" ")), format!("   {}", ["word"; 5].join(" "))]
        );
        assert_eq!(
            wrapped(&format!("{} 5 %", "x".repeat(76)), " "),
            [format!(" {}", "x".repeat(76)), " 5 %".to_owned()]
        );
        assert_eq!(wrapped(&"x".repeat(100), "  "), [format!("  …{}", "x".repeat(77))]);
    }

    #[test]
    fn tables_are_as_wide_as_they_must_be_and_no_wider_than_a_terminal() {
        let row = |name: &str, bytes: &str| [name.to_owned(), bytes.to_owned()];
        let columns = [Column::Cut("tensor"), Column::Right("bytes")];
        let lines = table(&columns, &[row("a", "1"), row("conv", "1,000")]);
        assert_eq!(lines, ["  tensor  bytes", "  a           1", "  conv    1,000"]);
        let lines = table(&columns, &[row(&"x".repeat(90), "7")]);
        assert_eq!(lines[1], format!("  …{}      7", "x".repeat(70)));
        assert_eq!(lines[1].width(), WIDTH);
        assert_eq!(table(&columns, &[row("", "7")]), ["  bytes", "      7"]);
    }
}
