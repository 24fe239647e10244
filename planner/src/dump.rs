//! The tables of the debug dumps.

use crate::occupancy::Allocation;
use crate::text::TextSink;
use crate::{Bytes, END};

pub(crate) fn table_heading(out: &mut impl TextSink) {
    out.text("  tensor       offset        bytes  nodes\n");
}

/// One allocation, without the end of the line.
pub(crate) fn table_row(allocation: &Allocation, out: &mut impl TextSink) {
    out.column(usize::try_from(allocation.tensor).unwrap_or(0), 8);
    out.column(allocation.offset.0, 13);
    out.column(allocation.size.0, 13);
    out.text("  ");
    out.index(allocation.first_node);
    out.text("-");
    if allocation.last_node == END {
        out.text("end");
    } else {
        out.index(allocation.last_node);
    }
}

/// The bytes alive at each of `nodes`, which are pairs of a name and a position in the execution plan.
pub(crate) fn live_bytes<I: Iterator<Item = Allocation>>(
    nodes: impl Iterator<Item = (i32, i32)>,
    allocations: impl Fn() -> I,
    out: &mut impl TextSink,
) {
    out.text("bytes alive by node\n");
    for (name, position) in nodes {
        let alive = allocations()
            .filter(|allocation| allocation.first_node <= position && position <= allocation.last_node)
            .fold(Bytes::ZERO, |sum, allocation| sum.saturating_add(allocation.size));
        out.filled_in("  node @: #\n", [name as usize, alive.0, 0]);
    }
}
