//! Lines that fit a terminal.

use std::borrow::Cow;
use std::collections::HashSet;

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
    cut(text, width, 0)
}

/// Takes characters out of a text that is wider than `width`, but leaves up to `head` columns of its beginning.
fn cut(text: &str, width: usize, head: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return text.into();
    }
    let (mut kept, mut head_end) = (0, 0);
    for (at, character) in text.char_indices() {
        kept += character.width().unwrap_or(0);
        if kept > head {
            break;
        }
        head_end = at + character.len_utf8();
    }
    let mut room = width.saturating_sub(1 + text[..head_end].width());
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        let Some(left) = room.checked_sub(character.width().unwrap_or(0)) else { break };
        (room, start) = (left, at);
    }
    format!("{}…{}", &text[..head_end], &text[start..]).into()
}

/// How much of the beginnings of names to leave so that those that differ still do when they are cut.
fn telling_head<'a>(names: impl Iterator<Item = &'a str>, width: usize) -> usize {
    let names: HashSet<&str> = names.collect();
    let tells =
        |head: &usize| names.iter().map(|name| cut(name, width, *head)).collect::<HashSet<_>>().len() == names.len();
    [0, width / 4, width / 2, width / 4 * 3].into_iter().find(tells).unwrap_or(0)
}

/// Breaks a text into lines, the first of which begins with `first` and the others with blanks below it. A number and its `%`
/// stay together.
pub(super) fn wrapped(text: &str, first: &str) -> Vec<String> {
    let blanks = " ".repeat(first.width());
    let starts = std::iter::once(first).chain(std::iter::repeat(blanks.as_str()));
    starts.zip(broken(text, WIDTH - first.width())).map(|(start, line)| start.to_owned() + &line).collect()
}

/// Breaks a text into lines of a width.
fn broken(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.replace(" %", "\u{a0}%").split_ascii_whitespace() {
        let word = word.replace('\u{a0}', " ");
        let word = shortened(&word, width);
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
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
    /// Names; this column is cut where the table gets too wide.
    Cut(&'static str),
    /// What is to be read whole; where the table gets too wide, it goes on in further lines.
    Broken(&'static str),
}

impl Column {
    fn title(&self) -> &'static str {
        match self {
            Column::Right(title) | Column::Left(title) | Column::Cut(title) | Column::Broken(title) => title,
        }
    }
}

/// A heading and rows, as wide as what they hold. A column that holds nothing is left out.
pub(super) fn table<const N: usize>(columns: &[Column; N], rows: &[[String; N]]) -> Vec<String> {
    let mut widths: [usize; N] = std::array::from_fn(|at| {
        let widest = rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
        if widest == 0 { 0 } else { widest.max(columns[at].title().width()) }
    });
    let used: usize = widths.iter().filter(|&&width| width > 0).map(|width| GAP.len() + width).sum();
    let mut excess = used.saturating_sub(WIDTH);
    for (at, column) in columns.iter().enumerate() {
        let least = match column {
            Column::Cut(title) => title.width(),
            Column::Broken(_) => LEAST_BROKEN,
            Column::Right(_) | Column::Left(_) => continue,
        };
        let less = excess.min(widths[at].saturating_sub(least));
        widths[at] -= less;
        excess -= less;
    }
    let heading: [String; N] = std::array::from_fn(|at| columns[at].title().to_owned());
    let heads: [usize; N] = std::array::from_fn(|at| telling_head(rows.iter().map(|row| row[at].as_str()), widths[at]));
    let line = |row: &[String; N]| {
        let mut line = String::new();
        for (at, (column, cell)) in columns.iter().zip(row).enumerate().filter(|&(at, _)| widths[at] > 0) {
            let width = widths[at];
            let cell = cut(cell, width, heads[at]);
            let blanks = " ".repeat(width - cell.width());
            line += GAP;
            line += &match column {
                Column::Right(_) => blanks + &cell,
                Column::Left(_) | Column::Cut(_) | Column::Broken(_) => cell.into_owned() + &blanks,
            };
        }
        line.truncate(line.trim_end().len());
        line
    };
    [&heading]
        .into_iter()
        .chain(rows)
        .flat_map(|row| rows_of_lines(columns, row, &widths))
        .map(|row| line(&row))
        .collect()
}

/// A row, and others below it for the rest of what is broken.
fn rows_of_lines<const N: usize>(columns: &[Column; N], row: &[String; N], widths: &[usize; N]) -> Vec<[String; N]> {
    let Some(at) = columns.iter().position(|column| matches!(column, Column::Broken(_))) else {
        return vec![row.clone()];
    };
    let with = |row: &[String; N], line| {
        let mut row = row.clone();
        row[at] = line;
        row
    };
    let empty: [String; N] = std::array::from_fn(|_| String::new());
    let rows = std::iter::once(row).chain(std::iter::repeat(&empty));
    rows.zip(broken(&row[at], widths[at])).map(|(row, line)| with(row, line)).collect()
}

/// Where less room is left for what is broken, the table gets too wide.
const LEAST_BROKEN: usize = 16;

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

    #[test]
    fn names_that_differ_do_so_when_they_are_cut() {
        let end = "x".repeat(80);
        let row = |name: &str| [format!("{name}{end}"), "7".to_owned()];
        let lines = table(&[Column::Cut("graph"), Column::Right("bytes")], &[row("pose"), row("hand")]);
        assert_eq!(lines[1], format!("  pose{}…{}      7", "x".repeat(13), "x".repeat(53)));
        assert_eq!(lines[2], format!("  hand{}…{}      7", "x".repeat(13), "x".repeat(53)));
    }

    #[test]
    fn facts_go_on_in_further_lines() {
        let rows = [["conv".to_owned(), "word ".repeat(20)], ["pool".to_owned(), "short".to_owned()]];
        let lines = table(&[Column::Left("tensor"), Column::Broken("what changed")], &rows);
        let words = |count| ["word"; 20][..count].join(" ");
        let expected = [
            "  tensor  what changed".to_owned(),
            format!("  conv    {}", words(14)),
            format!("          {}", words(6)),
            "  pool    short".to_owned(),
        ];
        assert_eq!(lines, expected);
    }
}
