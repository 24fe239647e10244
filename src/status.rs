//! The status that every fallible function returns, and what leads to it.

use core::ffi::{CStr, c_char};

use arena_planner::Error;
use arena_planner::text::TextSink;

/// What became of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfliteArenaStatus {
    /// It was done. Upstream's `kTfLiteOk`.
    Ok = 0,
    /// Upstream's `kTfLiteError`: what a callback of the caller may return. The library itself is more precise.
    Error = 1,
    /// A pointer that is needed is NULL.
    NullPointer = 100,
    /// A value outside its range, an enum value that is not known, or a callback that refused.
    InvalidArgument = 101,
    /// A tensor or node index outside the graph.
    IndexOutOfRange = 102,
    /// An alignment that is not a power of two, or above the arena's.
    BadAlignment = 103,
    /// A size or offset that does not fit the address space.
    Overflow = 104,
    /// Memory was refused, for an arena or for bookkeeping.
    OutOfMemory = 105,
    /// Execution before a plan.
    NotPlanned = 106,
    /// Resolution before a commit.
    NotCommitted = 107,
    /// The graph has fewer tensors than when it was planned.
    GraphChanged = 108,
    /// Known, but not part of this build.
    Unsupported = 109,
    /// The plan is higher than its capacity.
    AboveCapacity = 110,
}

impl TfliteArenaStatus {
    const ALL: [TfliteArenaStatus; 13] = [
        TfliteArenaStatus::Ok,
        TfliteArenaStatus::Error,
        TfliteArenaStatus::NullPointer,
        TfliteArenaStatus::InvalidArgument,
        TfliteArenaStatus::IndexOutOfRange,
        TfliteArenaStatus::BadAlignment,
        TfliteArenaStatus::Overflow,
        TfliteArenaStatus::OutOfMemory,
        TfliteArenaStatus::NotPlanned,
        TfliteArenaStatus::NotCommitted,
        TfliteArenaStatus::GraphChanged,
        TfliteArenaStatus::Unsupported,
        TfliteArenaStatus::AboveCapacity,
    ];

    /// The status that a C caller's integer stands for.
    pub(crate) fn from_c(value: i32) -> Option<TfliteArenaStatus> {
        Self::ALL.into_iter().find(|&status| status as i32 == value)
    }

    /// A few words.
    pub(crate) fn text(self) -> &'static CStr {
        match self {
            TfliteArenaStatus::Ok => c"ok",
            TfliteArenaStatus::Error => c"error",
            TfliteArenaStatus::NullPointer => c"a pointer is NULL",
            TfliteArenaStatus::InvalidArgument => c"an argument is not valid",
            TfliteArenaStatus::IndexOutOfRange => c"an index is out of range",
            TfliteArenaStatus::BadAlignment => c"an alignment is not valid",
            TfliteArenaStatus::Overflow => c"a size does not fit the address space",
            TfliteArenaStatus::OutOfMemory => c"out of memory",
            TfliteArenaStatus::NotPlanned => c"nothing has been planned",
            TfliteArenaStatus::NotCommitted => c"the arena has not been committed",
            TfliteArenaStatus::GraphChanged => c"the graph has lost tensors since it was planned",
            TfliteArenaStatus::Unsupported => c"not part of this build",
            TfliteArenaStatus::AboveCapacity => c"above the capacity",
        }
    }
}

/// Why a call fails: the core's reason, or one that only exists at the boundary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    /// The core refused.
    Core(Error),
    /// The named pointer is NULL.
    Null(Name),
    /// No buffer is meant.
    NoBuffer,
    /// This buffer has no place, or lies where it may not.
    Misplaced(usize),
    /// These buffers use the same bytes at the same node.
    Overlap(usize, usize),
    /// A plan has this height.
    AboveCapacity(usize),
}

/// A text that ends with a NUL byte, without its length: the names of pointers are many, and would take more room with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name(*const c_char);

impl Name {
    /// # Safety
    /// `text` is NULL, or a C string that lives as long as the name is used.
    pub(crate) unsafe fn new(text: *const c_char) -> Option<Name> {
        (!text.is_null()).then_some(Name(text))
    }

    // Once, not in each function that has a name to write.
    #[inline(never)]
    pub(crate) fn write(self, out: &mut impl TextSink) {
        let mut rest = self.0;
        // SAFETY: it is a C string that still lives, and this ends where it ends.
        while let byte @ 1.. = unsafe { *rest } as u8 {
            out.bytes(&[byte]);
            rest = rest.wrapping_add(1);
        }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Core(error.into())
    }
}

impl Failure {
    /// The named pointer is NULL.
    pub(crate) const fn null(name: &'static CStr) -> Failure {
        Failure::Null(Name(name.as_ptr()))
    }

    pub(crate) fn status(&self) -> TfliteArenaStatus {
        match self {
            Failure::Null(_) => TfliteArenaStatus::NullPointer,
            Failure::NoBuffer => TfliteArenaStatus::IndexOutOfRange,
            Failure::Misplaced(_) | Failure::Overlap(..) => TfliteArenaStatus::InvalidArgument,
            Failure::AboveCapacity(_) => TfliteArenaStatus::AboveCapacity,
            Failure::Core(error) => match error {
                Error::OutOfMemory { .. } => TfliteArenaStatus::OutOfMemory,
                Error::Overflow { .. } => TfliteArenaStatus::Overflow,
                Error::TensorIndex { .. } | Error::NodeIndex { .. } => TfliteArenaStatus::IndexOutOfRange,
                Error::TooMany { .. } | Error::Refused(_) => TfliteArenaStatus::InvalidArgument,
                Error::Alignment { .. } | Error::AlignmentAboveArena { .. } => TfliteArenaStatus::BadAlignment,
                Error::TensorsVanished { .. } => TfliteArenaStatus::GraphChanged,
                Error::NotPlanned => TfliteArenaStatus::NotPlanned,
                Error::NotCommitted => TfliteArenaStatus::NotCommitted,
                Error::Unsupported(_) => TfliteArenaStatus::Unsupported,
            },
        }
    }

    pub(crate) fn describe(&self, out: &mut impl TextSink) {
        let (text, numbers) = match *self {
            Failure::Core(error) => return error.describe(out),
            Failure::Null(name) => {
                name.write(out);
                (" is NULL", [0; 3])
            }
            Failure::NoBuffer => ("there is no such buffer", [0; 3]),
            Failure::Misplaced(buffer) => ("buffer # is misplaced", [buffer, 0, 0]),
            Failure::Overlap(first, second) => ("buffers # and # overlap", [first, second, 0]),
            Failure::AboveCapacity(height) => ("# bytes are above the capacity", [height, 0, 0]),
        };
        out.filled_in(text, numbers);
    }
}
