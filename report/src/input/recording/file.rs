//! The members of a recording, as they are in the file.

use arena_planner::{Arena, END};
use serde::Deserialize;

use crate::map::{Kind, Node, Place, Tensor};
use crate::strategy::Strategy;

/// The names of types by their `TfLiteType`, with a blank between.
const DATA_TYPES: &str = include!("../../../../cpp/tensor_types.inc");

/// Looked at first, so that a file of another version is told from one that is damaged.
#[derive(Deserialize)]
pub(super) struct Version {
    pub(super) tflite_arena_recording: u64,
}

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) pid: u64,
    pub(super) planner: u64,
    pub(super) subgraph: i64,
    pub(super) options: FileOptions,
    pub(super) tensors: Vec<FileTensor>,
    pub(super) nodes: Vec<FileNode>,
    pub(super) inputs: Vec<i32>,
    pub(super) outputs: Vec<i32>,
    pub(super) variables: Vec<i32>,
    pub(super) events: Vec<FileEvent>,
    pub(super) totals: FileTotals,
}

#[derive(Deserialize)]
pub(super) struct FileOptions {
    pub(super) strategy: Strategy,
    pub(super) alignment: usize,
    pub(super) preserve_all_tensors: bool,
    pub(super) preserve_inputs: bool,
    pub(super) replace_range: bool,
}

#[derive(Deserialize)]
pub(super) struct FileTensor {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) data_type: i32,
    pub(super) shape: Option<Vec<i32>>,
    pub(super) bytes: usize,
    pub(super) allocation_type: i32,
    pub(super) place: Option<FilePlace>,
}

#[derive(Deserialize)]
pub(super) struct FilePlace {
    pub(super) arena: i32,
    pub(super) offset: usize,
    pub(super) size: usize,
    pub(super) first: i32,
    #[serde(deserialize_with = "Deserialize::deserialize")]
    pub(super) last: Option<i32>,
    pub(super) root: usize,
}

#[derive(Deserialize)]
pub(super) struct FileNode {
    pub(super) op: String,
    pub(super) custom: Option<String>,
    pub(super) inplace: u64,
    pub(super) inputs: Vec<i32>,
    pub(super) outputs: Vec<i32>,
    pub(super) temporaries: Vec<i32>,
}

#[derive(Deserialize)]
pub(super) struct FileTotals {
    pub(super) naive: usize,
    pub(super) arena: usize,
    pub(super) lower_bound: usize,
    pub(super) persistent: usize,
    pub(super) padding: usize,
    pub(super) placed: usize,
}

/// An event, with all members that an event of any kind can have.
#[derive(Deserialize)]
pub(super) struct FileEvent {
    pub(super) event: Name,
    pub(super) ns: Option<u64>,
    pub(super) arena: usize,
    pub(super) persistent: usize,
    pub(super) sizes: Option<Vec<(usize, i32)>>,
    pub(super) first: Option<i32>,
    pub(super) last: Option<i32>,
    pub(super) changed: Option<Vec<(usize, usize, i32)>>,
    pub(super) temporaries: Option<Vec<(usize, Vec<i32>)>>,
    pub(super) of: Option<i32>,
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
    pub(super) node: Option<i32>,
    pub(super) call: Option<String>,
    pub(super) status: Option<i64>,
    pub(super) text: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Name {
    Create,
    Plan,
    Execute,
    Grow,
    Reset,
    ResetAfter,
    Release,
    Acquire,
    Error,
}

/// The arena of a number.
pub(super) fn arena(number: i32) -> Result<Arena, String> {
    Kind::from_number(number).arena().ok_or_else(|| format!("{number} is no arena: 2 and 3 are"))
}

impl FilePlace {
    pub(super) fn place(&self) -> Result<Place, String> {
        let &FilePlace { arena: number, offset, size, first, last, root } = self;
        let (first_node, last_node) = (first, last.unwrap_or(END));
        Ok(Place { arena: arena(number)?, root, offset, size, first_node, last_node, previous: None })
    }
}

impl FileTensor {
    pub(super) fn tensor(self) -> Tensor {
        let FileTensor { name, data_type, shape, bytes, allocation_type, place: _ } = self;
        let known = usize::try_from(data_type).ok().and_then(|number| DATA_TYPES.split(' ').nth(number));
        let data_type = match known {
            // No type at all.
            Some("NOTYPE") => String::new(),
            Some(name) => name.to_owned(),
            None => format!("TYPE_{data_type}"),
        };
        Tensor { name, data_type, shape, bytes, kind: Kind::from_number(allocation_type) }
    }
}

impl FileNode {
    pub(super) fn node(self) -> Node {
        let FileNode { op, custom, inplace, inputs, outputs, temporaries } = self;
        Node { op, custom, inplace, inputs, outputs, temporaries }
    }
}
