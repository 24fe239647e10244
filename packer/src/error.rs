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
        let (text, numbers) = match *self {
            Error::OutOfMemory { asked } => ("out of memory: # bytes were refused", [asked, 0, 0]),
            Error::Overflow { tensor, bytes } => {
                ("tensor @ of # bytes does not fit the address space", [tensor as usize, bytes, 0])
            }
            Error::TensorIndex { index, node, count } if node >= 0 => (
                "tensor index @ in node @ is outside the # tensors of the graph",
                [index as usize, node as usize, count],
            ),
            Error::TensorIndex { index, node: ASKED_FOR, count } => {
                ("tensor index @ is outside the # tensors of the graph", [index as usize, count, 0])
            }
            Error::TensorIndex { index, count, .. } => {
                ("tensor index @ in the graph's lists is outside its # tensors", [index as usize, count, 0])
            }
            Error::NodeIndex { index } => ("node @ is not in the execution plan", [index as usize, 0, 0]),
            Error::TooMany { count } => ("a count of # is more than can be numbered", [count, 0, 0]),
            Error::Alignment { asked } => ("alignment # is not a power of two", [asked, 0, 0]),
            Error::AlignmentAboveArena { asked, limit } => ("alignment # is above the arena's #", [asked, limit, 0]),
            Error::TensorsVanished { known, now } => ("the graph has # tensors, but # were planned", [now, known, 0]),
            Error::NotPlanned => ("nothing has been planned", [0; 3]),
            Error::NotCommitted => ("the arena has not been committed", [0; 3]),
            Error::Refused(what) => (what, [0; 3]),
            Error::Unsupported(what) => {
                out.text(what);
                (" is not part of this build", [0; 3])
            }
        };
        out.filled_in(text, numbers);
    }
}
