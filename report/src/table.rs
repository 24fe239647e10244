//! The field's CSV: a row for each buffer, read into what is to be packed, and written again with offsets.

mod column;
mod gaps;
mod malformed;
mod times;

use std::collections::HashMap;
use std::io::Write;

use arena_packer::packing::{Buffer, Gap, Problem};
use arena_packer::{Alignment, Bytes};
use csv::{ReaderBuilder, StringRecord, Writer};

use column::{Columns, OFFSET};
pub use malformed::Malformed;
use malformed::line_of;
use times::{Span, Times};

/// No byte of an arena lies further out, so that no sum of a few offsets and sizes overflows.
const MOST_BYTES: usize = isize::MAX as usize;

/// The rows as they were read, and the buffers that they mean.
#[derive(Debug)]
pub struct Table {
    header: StringRecord,
    rows: Vec<StringRecord>,
    id_column: usize,
    offset_column: Option<usize>,
    buffers: Vec<Buffer>,
    gaps: Vec<Gap>,
    times: Vec<u64>,
}

/// A buffer whose times are still those of the file.
struct Row {
    line: u64,
    life: Span,
    gaps: Vec<gaps::Gap>,
    buffer: Buffer,
}

impl Table {
    /// Reads a file whose buffers are aligned to `alignment` where it does not say otherwise.
    pub fn read(content: &[u8], alignment: Alignment) -> Result<Table, Malformed> {
        let mut reader = ReaderBuilder::new().from_reader(content);
        let header = reader.headers().map_err(|error| Malformed::from_csv(&error, content, None))?.clone();
        let columns = Columns::find(&header)?;
        let (mut rows, mut read, mut lines, mut total) = (Vec::new(), Vec::new(), HashMap::new(), 0usize);
        for record in reader.records() {
            let record = record.map_err(|error| Malformed::from_csv(&error, content, Some(&header)))?;
            let line = line_of(record.position(), content);
            let id = columns.id(&record, line)?;
            if let Some(before) = lines.insert(id.to_owned(), line) {
                return Err(columns.id.malformed(line, format!("{id:?} is the id of line {before} already")));
            }
            let row = read_row(&columns, &record, line, alignment)?;
            // The furthest that the buffers read so far can reach, each behind all others.
            total = row
                .buffer
                .size
                .checked_add(Bytes(row.buffer.alignment.get()))
                .and_then(|room| room.checked_add(row.buffer.fixed.unwrap_or_default()))
                .and_then(|room| room.checked_add(Bytes(total)))
                .map(|total| total.0)
                .filter(|&total| total <= MOST_BYTES)
                .ok_or_else(|| columns.size.malformed(line, "the buffers up to here exceed the address space"))?;
            read.push(row);
            rows.push(record);
        }
        let times = Times::new(read.iter().flat_map(|row| row.gaps.iter().map(|gap| gap.span).chain([row.life])));
        let (buffers, gaps) = on_nodes(read, &times)?;
        let (id_column, offset_column) = (columns.id.index, columns.offset.map(|column| column.index));
        Ok(Table { header, rows, id_column, offset_column, buffers, gaps, times: times.into_all() })
    }

    /// What is to be packed: a buffer for each row.
    pub fn problem(&self) -> Problem<'_> {
        Problem { buffers: &self.buffers, gaps: &self.gaps }
    }

    /// The file's times: by node when it begins, and at last when the last one ends.
    #[must_use]
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// A buffer by its id.
    #[must_use]
    pub fn name(&self, buffer: usize) -> String {
        format!("buffer {:?}", self.id(buffer))
    }

    /// The id of a buffer.
    #[must_use]
    pub fn id(&self, buffer: usize) -> &str {
        self.rows.get(buffer).and_then(|row| row.get(self.id_column)).unwrap_or_default()
    }

    /// Writes all that was read, with these offsets.
    pub fn write(&self, offsets: &[Bytes], output: impl Write) -> csv::Result<()> {
        let mut writer = Writer::from_writer(output);
        self.write_row(&mut writer, &self.header, OFFSET)?;
        for (row, offset) in self.rows.iter().zip(offsets) {
            self.write_row(&mut writer, row, &offset.0.to_string())?;
        }
        writer.flush()?;
        Ok(())
    }

    fn write_row(&self, writer: &mut Writer<impl Write>, row: &StringRecord, offset: &str) -> csv::Result<()> {
        let at = |index| if Some(index) == self.offset_column { offset } else { &row[index] };
        let added = self.offset_column.is_none().then_some(offset);
        writer.write_record((0..row.len()).map(at).chain(added))
    }
}

fn read_row(columns: &Columns, record: &StringRecord, line: u64, alignment: Alignment) -> Result<Row, Malformed> {
    let size = columns.size.number(record, line)?;
    let life = columns.span(record, line)?;
    let alignment = match &columns.alignment {
        None => alignment,
        Some(column) => column.optional_alignment(record, line)?.unwrap_or(alignment),
    };
    let fixed = match &columns.offset {
        None => None,
        Some(column) => column.optional_number(record, line)?.map(|offset| (column, offset)),
    };
    if let Some((column, offset)) = fixed.filter(|(_, offset)| offset % alignment.get() != 0) {
        let text = format!("offset {offset} is not a multiple of the alignment {}", alignment.get());
        return Err(column.malformed(line, text));
    }
    let gaps = match &columns.gaps {
        None => Vec::new(),
        Some(column) => gaps::parse(column.text(record), life, size, columns.upper_is_included())
            .map_err(|text| column.malformed(line, text))?,
    };
    let fixed = fixed.map(|(_, offset)| Bytes(offset));
    let buffer = Buffer { first_node: 0, last_node: 0, size: Bytes(size), alignment, fixed };
    Ok(Row { line, life, gaps, buffer })
}

/// Puts nodes in the place of times: only their order matters, and the file may have them far apart.
fn on_nodes(rows: Vec<Row>, times: &Times) -> Result<(Vec<Buffer>, Vec<Gap>), Malformed> {
    let too_many = |line| Malformed::at_line(line, "there are more buffers than can be numbered");
    let (mut buffers, mut gaps) = (Vec::new(), Vec::new());
    for (position, row) in (0u32..).zip(rows) {
        let (first_node, last_node) = times.nodes(row.life).ok_or_else(|| too_many(row.line))?;
        buffers.push(Buffer { first_node, last_node, ..row.buffer });
        for gap in row.gaps {
            let (first_node, last_node) = times.nodes(gap.span).ok_or_else(|| too_many(row.line))?;
            let window = gap.window.map(|(start, end)| (Bytes(start), Bytes(end)));
            gaps.push(Gap { buffer: position, first_node, last_node, window });
        }
    }
    Ok((buffers, gaps))
}

#[cfg(test)]
mod tests;
