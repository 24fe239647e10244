//! The graph builder's functions.

use core::ffi::{c_char, c_void};

use crate::boundary::{Out, change, create, destroy, inspect, last_error_text, slice};
use crate::graph_builder::{GraphList, TfliteArenaGraph};
use crate::status::TfliteArenaStatus;
use crate::types::TfliteArenaGraphInfo;

/// The library's version, such as "0.1.0". The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn tflite_arena_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// A few words for a status; "unknown status" for a value that is none. The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn tflite_arena_status_text(status: i32) -> *const c_char {
    TfliteArenaStatus::from_c(status).map_or(c"unknown status", TfliteArenaStatus::text).as_ptr()
}

/// Makes an empty graph. On success `*graph` is the caller's, to be given to `tflite_arena_graph_destroy`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_create(graph: *mut *mut TfliteArenaGraph) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { create(graph, || Ok(TfliteArenaGraph::new())) }
}

/// Frees a graph; NULL is fine. Planners that were given its callbacks must be destroyed before.
///
/// # Safety
/// `graph` is NULL or a live graph; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_destroy(graph: *mut TfliteArenaGraph) {
    // SAFETY: by this function's contract.
    unsafe { destroy(graph) }
}

/// Adds a tensor of `bytes` bytes and a `TfliteArenaAllocationType`. Its index, counted from 0, goes to `*index`, which
/// may be NULL.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL
/// * `INVALID_ARGUMENT` — there are as many tensors as can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; `index` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_add_tensor(
    graph: *mut TfliteArenaGraph,
    bytes: usize,
    allocation_type: i32,
    index: *mut i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(graph, |graph| {
            let added = graph.add_tensor(bytes, allocation_type)?;
            Out::set_optional(index, added);
            Ok(())
        })
    }
}

/// Adds a node behind those there are: the order of adding is the order of execution. `inplace_operator` holds
/// `TfliteArenaInplace` flags. The lists are copied; their indices are checked when the graph is planned. Its index,
/// counted from 0, goes to `*index`, which may be NULL.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL, or a list is NULL and its size is not 0
/// * `INVALID_ARGUMENT` — a size, or the number of nodes, is more than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; the lists have the sizes given; `index` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_add_node(
    graph: *mut TfliteArenaGraph,
    inputs: *const i32,
    num_inputs: usize,
    outputs: *const i32,
    num_outputs: usize,
    inplace_operator: u64,
    index: *mut i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(graph, |graph| {
            let inputs = slice(inputs, num_inputs, c"inputs")?;
            let outputs = slice(outputs, num_outputs, c"outputs")?;
            let added = graph.add_node(inputs, outputs, inplace_operator)?;
            Out::set_optional(index, added);
            Ok(())
        })
    }
}

/// Says which tensors a node uses while it runs. The list is copied. Allowed at any time; read by each execution.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL, or `tensors` is NULL and `count` is not 0
/// * `INDEX_OUT_OF_RANGE` — `node` is not a node
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; `tensors` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_temporaries(
    graph: *mut TfliteArenaGraph,
    node: i32,
    tensors: *const i32,
    count: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(graph, |graph| {
            let tensors = slice(tensors, count, c"tensors")?;
            Ok(graph.set_temporaries(node, tensors)?)
        })
    }
}

/// What the three functions below do; inlined it would be there three times.
///
/// # Safety
/// `graph` is NULL or a live graph; `tensors` points at `count` indices.
#[inline(never)]
unsafe fn set_list(
    graph: *mut TfliteArenaGraph,
    list: GraphList,
    tensors: *const i32,
    count: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(graph, |graph| {
            let tensors = slice(tensors, count, c"tensors")?;
            Ok(graph.set_list(list, tensors)?)
        })
    }
}

/// Says which tensors are graph inputs: they are kept for the whole run.
/// The list is copied and takes the place of the one before.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL, or `tensors` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; `tensors` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_inputs(
    graph: *mut TfliteArenaGraph,
    tensors: *const i32,
    count: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { set_list(graph, GraphList::Inputs, tensors, count) }
}

/// Says which tensors are graph outputs: they are kept from where they are written to the end.
/// The list is copied and takes the place of the one before.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL, or `tensors` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; `tensors` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_outputs(
    graph: *mut TfliteArenaGraph,
    tensors: *const i32,
    count: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { set_list(graph, GraphList::Outputs, tensors, count) }
}

/// Says which tensors are variables: they are kept for the whole run, and from one run to the next when persistent.
/// The list is copied and takes the place of the one before.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL, or `tensors` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` is NULL or a live graph; `tensors` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_variables(
    graph: *mut TfliteArenaGraph,
    tensors: *const i32,
    count: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { set_list(graph, GraphList::Variables, tensors, count) }
}

/// Changes the size of a tensor, in bytes. It counts from the next execution on.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL
/// * `INDEX_OUT_OF_RANGE` — `tensor` is not a tensor
///
/// # Safety
/// `graph` is NULL or a live graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_tensor_bytes(
    graph: *mut TfliteArenaGraph,
    tensor: i32,
    bytes: usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { change(graph, |graph| Ok(graph.set_bytes(tensor, bytes)?)) }
}

/// Changes the `TfliteArenaAllocationType` of a tensor. It counts from the next execution on.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL
/// * `INDEX_OUT_OF_RANGE` — `tensor` is not a tensor
///
/// # Safety
/// `graph` is NULL or a live graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_tensor_allocation_type(
    graph: *mut TfliteArenaGraph,
    tensor: i32,
    allocation_type: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { change(graph, |graph| Ok(graph.set_allocation_type(tensor, allocation_type)?)) }
}

/// Sets the data pointer of a tensor, as an application does that brings its own memory.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` is NULL
/// * `INDEX_OUT_OF_RANGE` — `tensor` is not a tensor
///
/// # Safety
/// `graph` is NULL or a live graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_set_tensor_data(
    graph: *mut TfliteArenaGraph,
    tensor: i32,
    data: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { change(graph, |graph| Ok(graph.set_data(tensor, data)?)) }
}

/// Gives the data pointer of a tensor: where a planner has placed it. The memory is the planner's.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` or `data` is NULL
/// * `INDEX_OUT_OF_RANGE` — `tensor` is not a tensor
///
/// # Safety
/// `graph` is NULL or a live graph; `data` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_get_tensor_data(
    graph: *const TfliteArenaGraph,
    tensor: i32,
    data: *mut *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(graph, |graph| {
            let data = Out::new(data, c"data")?;
            data.set(graph.data(tensor)?);
            Ok(())
        })
    }
}

/// Gives the callbacks through which a planner sees this graph. They borrow it: it must outlive the planner.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph` or `info` is NULL
///
/// # Safety
/// `graph` is NULL or a live graph; `info` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_get_info(
    graph: *mut TfliteArenaGraph,
    info: *mut TfliteArenaGraphInfo,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(graph, |graph| {
            let info = Out::new(info, c"info")?;
            info.set(graph.info());
            Ok(())
        })
    }
}

/// The text of the last error of a graph, empty when its last call succeeded. It is the graph's, and valid until the next
/// call on it. Never NULL.
///
/// # Safety
/// `graph` is NULL or a live graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_graph_last_error(graph: *const TfliteArenaGraph) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { last_error_text(graph) }
}
