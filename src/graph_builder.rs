//! A graph in plain arrays, for programs that have no TFLite structs.

use alloc::vec::Vec;
use core::ffi::c_void;

use arena_planner::fallible::{OutOfMemory, at, at_mut, extend, push};
use arena_planner::{ASKED_FOR, Error};

use crate::boundary::Object;
use crate::last_error::LastError;
use crate::types::{TfliteArenaGraphInfo, TfliteArenaIntList, TfliteArenaNode, TfliteArenaTensorView};

/// A tensor as C sees it through the view.
#[repr(C)]
struct BuiltTensor {
    bytes: usize,
    data: *mut c_void,
    allocation_type: i32,
}

struct BuiltNode {
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    temporaries: Vec<i32>,
    inplace: u64,
}

/// A graph that is built tensor by tensor and node by node.
pub struct TfliteArenaGraph {
    tensors: Vec<BuiltTensor>,
    nodes: Vec<BuiltNode>,
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    variables: Vec<i32>,
    error: LastError,
}

/// The lists that belong to the graph, not to a node.
#[derive(Clone, Copy)]
pub(crate) enum GraphList {
    Inputs,
    Outputs,
    Variables,
}

impl Object for TfliteArenaGraph {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaGraph {
    pub(crate) const fn new() -> TfliteArenaGraph {
        TfliteArenaGraph {
            tensors: Vec::new(),
            nodes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            variables: Vec::new(),
            error: LastError::new(),
        }
    }

    /// Adds a tensor and gives its index.
    pub(crate) fn add_tensor(&mut self, bytes: usize, allocation_type: i32) -> Result<i32, Error> {
        let index = index_of_next(&self.tensors)?;
        push(&mut self.tensors, BuiltTensor { bytes, data: core::ptr::null_mut(), allocation_type })?;
        Ok(index)
    }

    /// Adds a node and gives its index.
    pub(crate) fn add_node(&mut self, inputs: &[i32], outputs: &[i32], inplace: u64) -> Result<i32, Error> {
        let index = index_of_next(&self.nodes)?;
        let (inputs, outputs) = (copy(inputs)?, copy(outputs)?);
        push(&mut self.nodes, BuiltNode { inputs, outputs, temporaries: Vec::new(), inplace })?;
        Ok(index)
    }

    pub(crate) fn set_temporaries(&mut self, node: i32, temporaries: &[i32]) -> Result<(), Error> {
        let slot = at_mut(&mut self.nodes, node);
        slot.ok_or(Error::NodeIndex { index: node })?.temporaries = copy(temporaries)?;
        Ok(())
    }

    pub(crate) fn set_list(&mut self, list: GraphList, tensors: &[i32]) -> Result<(), OutOfMemory> {
        let slot = match list {
            GraphList::Inputs => &mut self.inputs,
            GraphList::Outputs => &mut self.outputs,
            GraphList::Variables => &mut self.variables,
        };
        *slot = copy(tensors)?;
        Ok(())
    }

    pub(crate) fn set_bytes(&mut self, tensor: i32, bytes: usize) -> Result<(), Error> {
        self.tensor_mut(tensor)?.bytes = bytes;
        Ok(())
    }

    pub(crate) fn set_allocation_type(&mut self, tensor: i32, allocation_type: i32) -> Result<(), Error> {
        self.tensor_mut(tensor)?.allocation_type = allocation_type;
        Ok(())
    }

    pub(crate) fn set_data(&mut self, tensor: i32, data: *mut c_void) -> Result<(), Error> {
        self.tensor_mut(tensor)?.data = data;
        Ok(())
    }

    pub(crate) fn data(&self, tensor: i32) -> Result<*mut c_void, Error> {
        let found = at(&self.tensors, tensor);
        found.map(|tensor| tensor.data).ok_or(self.no_such_tensor(tensor))
    }

    fn tensor_mut(&mut self, tensor: i32) -> Result<&mut BuiltTensor, Error> {
        let missing = self.no_such_tensor(tensor);
        at_mut(&mut self.tensors, tensor).ok_or(missing)
    }

    fn no_such_tensor(&self, index: i32) -> Error {
        Error::TensorIndex { index, node: ASKED_FOR, count: self.tensors.len() }
    }

    /// The callbacks through which a planner sees this graph.
    pub(crate) fn info(&mut self) -> TfliteArenaGraphInfo {
        TfliteArenaGraphInfo {
            struct_size: size_of::<TfliteArenaGraphInfo>(),
            context: (&raw mut *self).cast(),
            tensors: Some(tensors),
            num_execution_nodes: Some(num_execution_nodes),
            node: Some(node),
            inputs: Some(inputs),
            outputs: Some(outputs),
            variables: Some(variables),
        }
    }
}

fn index_of_next<T>(items: &[T]) -> Result<i32, Error> {
    i32::try_from(items.len()).map_err(|_| Error::TooMany { count: items.len() })
}

fn copy(items: &[i32]) -> Result<Vec<i32>, OutOfMemory> {
    let mut list = Vec::new();
    extend(&mut list, items)?;
    Ok(list)
}

fn list(items: &[i32]) -> TfliteArenaIntList {
    TfliteArenaIntList { data: items.as_ptr(), size: items.len() }
}

unsafe extern "C" fn tensors(context: *mut c_void, view: *mut TfliteArenaTensorView) -> i32 {
    // SAFETY: the context is the graph that `info` was asked of, and the planner gives a place for the view.
    let (graph, view) = unsafe { (&mut *context.cast::<TfliteArenaGraph>(), &mut *view) };
    *view = TfliteArenaTensorView {
        base: graph.tensors.as_mut_ptr().cast(),
        count: graph.tensors.len(),
        stride: size_of::<BuiltTensor>(),
        bytes_offset: core::mem::offset_of!(BuiltTensor, bytes),
        allocation_type_offset: core::mem::offset_of!(BuiltTensor, allocation_type),
        data_offset: core::mem::offset_of!(BuiltTensor, data),
    };
    0
}

unsafe extern "C" fn num_execution_nodes(context: *mut c_void) -> usize {
    // SAFETY: as in `tensors`.
    unsafe { &*context.cast::<TfliteArenaGraph>() }.nodes.len()
}

unsafe extern "C" fn node(context: *mut c_void, index: usize, node: *mut TfliteArenaNode) -> i32 {
    // SAFETY: as in `tensors`.
    let (graph, out) = unsafe { (&*context.cast::<TfliteArenaGraph>(), &mut *node) };
    let Some(node) = graph.nodes.get(index) else {
        return 1;
    };
    *out = TfliteArenaNode {
        inputs: list(&node.inputs),
        outputs: list(&node.outputs),
        temporaries: list(&node.temporaries),
        inplace_operator: node.inplace,
    };
    0
}

unsafe extern "C" fn inputs(context: *mut c_void, out: *mut TfliteArenaIntList) -> i32 {
    // SAFETY: as in `tensors`.
    unsafe { *out = list(&(*context.cast::<TfliteArenaGraph>()).inputs) };
    0
}

unsafe extern "C" fn outputs(context: *mut c_void, out: *mut TfliteArenaIntList) -> i32 {
    // SAFETY: as in `tensors`.
    unsafe { *out = list(&(*context.cast::<TfliteArenaGraph>()).outputs) };
    0
}

unsafe extern "C" fn variables(context: *mut c_void, out: *mut TfliteArenaIntList) -> i32 {
    // SAFETY: as in `tensors`.
    unsafe { *out = list(&(*context.cast::<TfliteArenaGraph>()).variables) };
    0
}
