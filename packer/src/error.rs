//! What can go wrong, with the figures a person needs to find it.

use crate::text::TextSink;

/// In the place of a node: a caller asked for that tensor.
pub const ASKED_FOR: i32 = -2;

/// Why a call was refused. Nothing was changed by a call that returns one, unless its documentation says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Memory for an arena, or for bookkeeping, was refused.
    OutOfMemory {
        /// Bytes asked for.
        asked: usize,
    },
    /// A tensor does not fit the address space where it would have to lie.
    Overflow {
        /// The tensor.
        tensor: i32,
        /// Its size in bytes.
        bytes: usize,
    },
    /// A tensor index outside the graph.
    TensorIndex {
        /// The index.
        index: i32,
        /// The node whose lists hold it; -1 for the lists of the graph, [`ASKED_FOR`] for none.
        node: i32,
        /// Tensors in the graph.
        count: usize,
    },
    /// A node index outside the execution plan.
    NodeIndex {
        /// The index.
        index: i32,
    },
    /// More tensors, nodes or list entries than an `i32` can number.
    TooMany {
        /// The count.
        count: usize,
    },
    /// An alignment that is not a power of two.
    Alignment {
        /// The alignment in bytes.
        asked: usize,
    },
    /// An alignment above the one the arena's buffer has.
    AlignmentAboveArena {
        /// The alignment asked for, in bytes.
        asked: usize,
        /// The arena's, in bytes.
        limit: usize,
    },
    /// The graph has fewer tensors than when it was planned.
    TensorsVanished {
        /// Tensors known so far.
        known: usize,
        /// Tensors there are now.
        now: usize,
    },
    /// Nothing has been planned yet.
    NotPlanned,
    /// The arena has not been committed since its plan changed.
    NotCommitted,
    /// A callback, an argument or an option was refused; the text says which.
    Refused(
        /// What was refused and why.
        &'static str,
    ),
    /// Known by name, but not part of this build.
    Unsupported(
        /// What is missing.
        &'static str,
    ),
}

impl Error {
    /// Says it in words.
    pub fn describe(&self, out: &mut impl TextSink) {
        match *self {
            Error::OutOfMemory { asked } => {
                out.text("out of memory: ");
                out.number(asked);
                out.text(" bytes were refused");
            }
            Error::Overflow { tensor, bytes } => {
                out.text("tensor ");
                out.index(tensor);
                out.text(" of ");
                out.number(bytes);
                out.text(" bytes does not fit the address space");
            }
            Error::TensorIndex { index, node, count } => {
                out.text("tensor index ");
                out.index(index);
                if node >= 0 {
                    out.text(" in node ");
                    out.index(node);
                } else if node != ASKED_FOR {
                    out.text(" in the graph's lists");
                }
                out.text(" is outside the ");
                out.number(count);
                out.text(" tensors of the graph");
            }
            Error::NodeIndex { index } => {
                out.text("node ");
                out.index(index);
                out.text(" is not in the execution plan");
            }
            Error::TooMany { count } => {
                out.text("a count of ");
                out.number(count);
                out.text(" is more than can be numbered");
            }
            Error::Alignment { asked } => {
                out.text("alignment ");
                out.number(asked);
                out.text(" is not a power of two");
            }
            Error::AlignmentAboveArena { asked, limit } => {
                out.text("alignment ");
                out.number(asked);
                out.text(" is above the arena's ");
                out.number(limit);
            }
            Error::TensorsVanished { known, now } => {
                out.text("the graph has ");
                out.number(now);
                out.text(" tensors, but ");
                out.number(known);
                out.text(" were planned");
            }
            Error::NotPlanned => out.text("nothing has been planned"),
            Error::NotCommitted => out.text("the arena has not been committed"),
            Error::Refused(what) => out.text(what),
            Error::Unsupported(what) => {
                out.text(what);
                out.text(" is not part of this build");
            }
        }
    }
}
