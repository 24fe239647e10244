//! What a refusal of a model is about.

use std::fmt;

use flatbuffers::{ErrorTraceDetail, InvalidFlatbuffer};

use crate::input::Refusal;

/// A part of a model.
pub(super) enum Place<'a> {
    Subgraph(usize),
    Tensor { subgraph: usize, tensor: usize },
    Operator { subgraph: usize, operator: usize, name: &'a str },
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Subgraph(subgraph) => write!(f, "subgraph {subgraph}"),
            Place::Tensor { subgraph, tensor } => write!(f, "subgraph {subgraph}, tensor {tensor}"),
            Place::Operator { subgraph, operator, name } => {
                write!(f, "subgraph {subgraph}, operator {operator} ({name})")
            }
        }
    }
}

/// Damage that was found before any value was read.
impl From<InvalidFlatbuffer> for Refusal {
    fn from(fault: InvalidFlatbuffer) -> Refusal {
        use InvalidFlatbuffer as Fault;
        let (text, trace) = match fault {
            Fault::RangeOutOfBounds { range, error_trace } => {
                (format!("bytes {} to {} are beyond the end of the file", range.start, range.end), error_trace)
            }
            Fault::SignedOffsetOutOfBounds { position, error_trace, .. } => {
                (format!("the table at byte {position} has its layout beyond the end of the file"), error_trace)
            }
            Fault::Unaligned { position, error_trace, .. } => {
                (format!("what lies at byte {position} is not aligned"), error_trace)
            }
            Fault::TooManyTables | Fault::ApparentSizeTooLarge => {
                return Refusal::new("damaged model: its tables hold more than a file of this size can");
            }
            other => (other.to_string(), Default::default()),
        };
        // The innermost part comes first.
        let path: String = trace.as_ref().iter().rev().map(step).collect();
        Refusal::at(format_args!("damaged model{}", path.replacen('.', ", ", 1)), text)
    }
}

/// A step on the way from the root to what is damaged, as one would write it in a program.
fn step(detail: &ErrorTraceDetail) -> String {
    match detail {
        ErrorTraceDetail::TableField { field_name, .. } => format!(".{field_name}"),
        ErrorTraceDetail::VectorElement { index, .. } => format!("[{index}]"),
        ErrorTraceDetail::UnionVariant { variant, .. } => format!(" as {variant}"),
    }
}
