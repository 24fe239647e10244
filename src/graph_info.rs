//! A caller's callbacks, checked once for being there.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr;

use arena_planner::{Bytes, Error, Node, Tensor};

use crate::boundary::slice;
use crate::status::Failure;
use crate::types::{
    TfliteArenaAllocationType, TfliteArenaGraphInfo, TfliteArenaIntList, TfliteArenaNode, TfliteArenaTensorView,
};

type ListCallback = unsafe extern "C" fn(*mut c_void, *mut TfliteArenaIntList) -> i32;

/// The callbacks of a graph.
#[derive(Clone, Copy)]
pub(crate) struct GraphCallbacks {
    context: *mut c_void,
    tensors: unsafe extern "C" fn(*mut c_void, *mut TfliteArenaTensorView) -> i32,
    num_execution_nodes: unsafe extern "C" fn(*mut c_void) -> usize,
    node: unsafe extern "C" fn(*mut c_void, usize, *mut TfliteArenaNode) -> i32,
    inputs: ListCallback,
    outputs: ListCallback,
    variables: ListCallback,
}

impl GraphCallbacks {
    /// Refuses a graph that leaves a callback out.
    pub(crate) fn new(info: TfliteArenaGraphInfo) -> Result<GraphCallbacks, Failure> {
        Ok(GraphCallbacks {
            context: info.context,
            tensors: info.tensors.ok_or(Failure::null(c"the callback tensors"))?,
            num_execution_nodes: info.num_execution_nodes.ok_or(Failure::null(c"the callback num_execution_nodes"))?,
            node: info.node.ok_or(Failure::null(c"the callback node"))?,
            inputs: info.inputs.ok_or(Failure::null(c"the callback inputs"))?,
            outputs: info.outputs.ok_or(Failure::null(c"the callback outputs"))?,
            variables: info.variables.ok_or(Failure::null(c"the callback variables"))?,
        })
    }

    pub(crate) fn num_nodes(&self) -> usize {
        // SAFETY: the caller's callback, with the context it wants.
        unsafe { (self.num_execution_nodes)(self.context) }
    }

    pub(crate) fn node(&self, index: usize) -> Result<Node<'_>, Error> {
        let mut node = MaybeUninit::<TfliteArenaNode>::zeroed();
        // SAFETY: as above; `node` is writable.
        let refused = unsafe { (self.node)(self.context, index, node.as_mut_ptr()) } != 0;
        if refused {
            return Err(Error::Refused("the callback node failed"));
        }
        // SAFETY: all zeros is a valid node, and so is whatever the callback wrote into it.
        let node = unsafe { node.assume_init() };
        Ok(Node {
            inputs: list(node.inputs)?,
            outputs: list(node.outputs)?,
            temporaries: list(node.temporaries)?,
            inplace: node.inplace_operator,
        })
    }

    pub(crate) fn inputs(&self) -> Result<&[i32], Error> {
        self.graph_list(self.inputs, "the callback inputs failed")
    }

    pub(crate) fn outputs(&self) -> Result<&[i32], Error> {
        self.graph_list(self.outputs, "the callback outputs failed")
    }

    pub(crate) fn variables(&self) -> Result<&[i32], Error> {
        self.graph_list(self.variables, "the callback variables failed")
    }

    fn graph_list(&self, callback: ListCallback, refusal: &'static str) -> Result<&[i32], Error> {
        let mut answer = TfliteArenaIntList { data: ptr::null(), size: 0 };
        // SAFETY: the caller's callback, with the context it wants; `answer` is writable.
        let refused = unsafe { callback(self.context, &mut answer) } != 0;
        if refused { Err(Error::Refused(refusal)) } else { list(answer) }
    }

    pub(crate) fn tensors(&self) -> Result<TensorView, Error> {
        let mut view = TfliteArenaTensorView {
            base: ptr::null_mut(),
            count: 0,
            stride: 0,
            bytes_offset: 0,
            allocation_type_offset: 0,
            data_offset: 0,
        };
        // SAFETY: the caller's callback, with the context it wants; `view` is writable.
        let refused = unsafe { (self.tensors)(self.context, &mut view) } != 0;
        if refused { Err(Error::Refused("the callback tensors failed")) } else { TensorView::new(view) }
    }
}

fn list<'a>(list: TfliteArenaIntList) -> Result<&'a [i32], Error> {
    // SAFETY: the caller keeps it valid until the next callback, and it is used only until then.
    unsafe { slice(list.data, list.size, c"a list") }.map_err(|failure| match failure {
        Failure::Core(error) => error,
        _ => Error::Refused("a list has a size but no data"),
    })
}

/// The caller's tensors, known to be readable.
#[derive(Clone, Copy)]
pub(crate) struct TensorView(TfliteArenaTensorView);

impl TensorView {
    fn new(view: TfliteArenaTensorView) -> Result<TensorView, Error> {
        let inside = |offset: usize, size: usize| offset.checked_add(size).is_some_and(|end| end <= view.stride);
        let members_inside = inside(view.bytes_offset, size_of::<usize>())
            && inside(view.allocation_type_offset, size_of::<i32>())
            && inside(view.data_offset, size_of::<*mut c_void>());
        if view.count == 0 {
            return Ok(TensorView(view));
        }
        if view.base.is_null() {
            return Err(Error::Refused("the tensor view has a count but no base"));
        }
        if !members_inside {
            return Err(Error::Refused("the tensor view has a member outside its stride"));
        }
        if view.count.checked_mul(view.stride).is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(Error::TooMany { count: view.count });
        }
        Ok(TensorView(view))
    }

    pub(crate) fn count(&self) -> usize {
        self.0.count
    }

    pub(crate) fn tensor(&self, index: usize) -> Tensor {
        let nowhere = Tensor { bytes: Bytes::ZERO, arena: None, kind: 0 };
        if index >= self.0.count {
            return nowhere;
        }
        // SAFETY: the member is inside the tensor's struct, which the caller vouches for.
        let bytes = unsafe { self.member(index, self.0.bytes_offset).cast::<usize>().read_unaligned() };
        // SAFETY: as above.
        let kind = unsafe { self.member(index, self.0.allocation_type_offset).cast::<i32>().read_unaligned() };
        Tensor { bytes: Bytes(bytes), arena: TfliteArenaAllocationType::arena(kind), kind }
    }

    pub(crate) fn data(&self, index: usize) -> *mut u8 {
        if index >= self.0.count {
            return ptr::null_mut();
        }
        // SAFETY: as in `tensor`.
        unsafe { self.member(index, self.0.data_offset).cast::<*mut u8>().read_unaligned() }
    }

    pub(crate) fn set_data(&self, index: usize, data: *mut u8) {
        if index < self.0.count {
            // SAFETY: as in `tensor`.
            unsafe { self.member(index, self.0.data_offset).cast::<*mut u8>().write_unaligned(data) };
        }
    }

    /// # Safety
    /// `index` is below the count and `offset` inside the stride.
    unsafe fn member(&self, index: usize, offset: usize) -> *mut u8 {
        // SAFETY: inside the array, whose size `new` has checked.
        unsafe { self.0.base.cast::<u8>().add(index * self.0.stride + offset) }
    }
}
