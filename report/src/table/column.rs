//! Which column holds what, and the values in a row's cells.

use std::num::IntErrorKind;

use arena_packer::Alignment;
use csv::StringRecord;

use super::malformed::Malformed;
use super::times::Span;

/// The column that is written.
pub(crate) const OFFSET: &str = "offset";

/// Names of the same column: this project's first, then others that are in use.
const ID: &[&str] = &["id", "buffer", "buffer_id"];
const LOWER: &[&str] = &["lower", "begin", "start"];
const UPPER: &[&str] = &["upper", INCLUDED];
/// The name that the column of upper bounds has when they belong to the interval.
const INCLUDED: &str = "end";

/// A column that the file has.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) index: usize,
    name: String,
}

/// The columns that mean something; others are kept and not looked at.
pub(crate) struct Columns {
    pub(crate) id: Column,
    pub(crate) lower: Column,
    pub(crate) upper: Column,
    pub(crate) size: Column,
    pub(crate) alignment: Option<Column>,
    pub(crate) offset: Option<Column>,
    pub(crate) gaps: Option<Column>,
}

impl Columns {
    pub(crate) fn find(header: &StringRecord) -> Result<Columns, Malformed> {
        let optional = |names: &[&str]| {
            let mut found = (0..).zip(header).filter(|(_, name)| names.contains(name));
            let column = found.next().map(|(index, name)| Column { index, name: name.to_owned() });
            match found.next() {
                Some((index, name)) => {
                    let second = Column { index, name: name.to_owned() };
                    Err(second.malformed(1, format!("there is a column for {:?} already", names[0])))
                }
                None => Ok(column),
            }
        };
        let needed = |names: &[&str]| {
            optional(names)?.ok_or_else(|| {
                let others = names[1..].iter().map(|name| format!(" or {name:?}")).collect::<String>();
                Malformed::at_line(1, format!("there is no column {:?}{others}", names[0]))
            })
        };
        Ok(Columns {
            id: needed(ID)?,
            lower: needed(LOWER)?,
            upper: needed(UPPER)?,
            size: needed(&["size"])?,
            alignment: optional(&["alignment"])?,
            offset: optional(&[OFFSET])?,
            gaps: optional(&["gaps"])?,
        })
    }

    pub(crate) fn id<'a>(&self, record: &'a StringRecord, line: u64) -> Result<&'a str, Malformed> {
        let id = self.id.text(record);
        // Nobody means it, and what reads the result may end there.
        if id.contains('\0') { Err(self.id.malformed(line, "the id holds a NUL byte")) } else { Ok(id) }
    }

    /// When the buffer is alive.
    pub(crate) fn span(&self, record: &StringRecord, line: u64) -> Result<Span, Malformed> {
        let lower = self.lower.number(record, line)? as u64;
        let upper = self.upper.number(record, line)? as u64;
        Span::new(lower, upper, self.upper_is_included()).map_err(|text| self.upper.malformed(line, text))
    }

    /// Whether upper bounds belong to the intervals, in all columns.
    pub(crate) fn upper_is_included(&self) -> bool {
        self.upper.name == INCLUDED
    }
}

impl Column {
    pub(crate) fn text<'a>(&self, record: &'a StringRecord) -> &'a str {
        record.get(self.index).unwrap_or_default()
    }

    pub(crate) fn number(&self, record: &StringRecord, line: u64) -> Result<usize, Malformed> {
        number(self.text(record)).map_err(|text| self.malformed(line, text))
    }

    /// `None` for an empty cell.
    pub(crate) fn optional_number(&self, record: &StringRecord, line: u64) -> Result<Option<usize>, Malformed> {
        if self.text(record).trim().is_empty() { Ok(None) } else { self.number(record, line).map(Some) }
    }

    /// `None` for an empty cell.
    pub(crate) fn optional_alignment(&self, record: &StringRecord, line: u64) -> Result<Option<Alignment>, Malformed> {
        let Some(asked) = self.optional_number(record, line)? else { return Ok(None) };
        let refused = |_| self.malformed(line, format!("{asked} is not a power of two"));
        Alignment::new(asked).map(Some).map_err(refused)
    }

    pub(crate) fn malformed(&self, line: u64, text: impl Into<String>) -> Malformed {
        Malformed::at_column(line, self.index, &self.name, text)
    }
}

/// A whole number, or what is wrong with it.
pub(crate) fn number(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::Empty => "a number is missing".to_owned(),
        IntErrorKind::PosOverflow => format!("{text} is too large"),
        _ => format!("{text:?} is not a whole number from 0 up"),
    })
}
