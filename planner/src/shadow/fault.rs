//! What a shadow run says of a plan that is not clean.

use core::fmt;

/// When something happened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the first node.
    Start,
    /// At a node.
    Node(usize),
    /// After the last node.
    End,
}

/// What one write gave to one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// No two writes have the same, but for a node that leaves its data unmodified.
    pub id: u32,
    /// The tensor first written with it.
    pub tensor: usize,
    /// When that was.
    pub written: Moment,
}

/// One byte of a value. The index matters: an unmodified copy that lies shifted over its original destroys it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Byte {
    /// The value.
    pub value: Value,
    /// Which of its bytes.
    pub index: usize,
}

/// Why a plan is not clean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When it came to light.
    pub at: Moment,
    /// The tensor that was written or read.
    pub tensor: usize,
    /// What was wrong with it.
    pub trouble: Trouble,
}

/// What can be wrong with a tensor that is written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It has bytes but no place.
    Unplaced,
    /// Its place is smaller than its bytes.
    TooSmall,
    /// Its place ends beyond what an address can say.
    OutOfReach,
    /// The bytes hold something else than what was last written to the tensor.
    Lost {
        /// What its first wrong byte should hold; the index is also that byte's place in the tensor.
        expected: Byte,
        /// What it holds; `None` if nobody wrote there.
        found: Option<Byte>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, tensor, trouble } = self;
        write!(f, "{at}: tensor {tensor} ")?;
        match trouble {
            Trouble::Unplaced => f.write_str("has no place"),
            Trouble::TooSmall => f.write_str("has a place smaller than its bytes"),
            Trouble::OutOfReach => f.write_str("has a place whose end overflows"),
            Trouble::Lost { expected, found: Some(found) } => {
                write!(f, "byte {}: expected {expected}, found {found}", expected.index)
            }
            Trouble::Lost { expected, found: None } => {
                write!(f, "byte {}: expected {expected}, found nothing", expected.index)
            }
        }
    }
}

impl fmt::Display for Byte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value { id, tensor, written } = self.value;
        write!(f, "byte {} of value {id} (tensor {tensor}, {written})", self.index)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Node(node) => write!(f, "node {node}"),
            Self::End => f.write_str("end"),
        }
    }
}
