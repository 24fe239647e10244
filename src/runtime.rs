//! The runtime as the planner sees it during one call: the caller's graph and tensors, and the two buffers.

use arena_planner::{Arena, Bytes, Error, Graph, Memory, Node, Tensor};

use crate::aligned_buffer::TfliteArenaResizableAlignedBuffer;
use crate::graph_info::{GraphCallbacks, TensorView};

/// The memory of both arenas.
pub(crate) struct Buffers {
    pub(crate) rw: TfliteArenaResizableAlignedBuffer,
    pub(crate) persistent: TfliteArenaResizableAlignedBuffer,
}

impl Buffers {
    pub(crate) fn of(&self, arena: Arena) -> &TfliteArenaResizableAlignedBuffer {
        match arena {
            Arena::Rw => &self.rw,
            Arena::Persistent => &self.persistent,
        }
    }

    fn of_mut(&mut self, arena: Arena) -> &mut TfliteArenaResizableAlignedBuffer {
        match arena {
            Arena::Rw => &mut self.rw,
            Arena::Persistent => &mut self.persistent,
        }
    }
}

pub(crate) struct Runtime<'a> {
    graph: &'a GraphCallbacks,
    tensors: TensorView,
    buffers: &'a mut Buffers,
    left: [Option<Left>; 2],
}

/// Memory that a buffer has left during this call. It is only compared with.
#[derive(Clone, Copy)]
struct Left {
    arena: Arena,
    start: usize,
    size: usize,
}

impl<'a> Runtime<'a> {
    /// Asks for the tensors: they may have moved since the last call.
    pub(crate) fn look(graph: &'a GraphCallbacks, buffers: &'a mut Buffers) -> Result<Runtime<'a>, Error> {
        Ok(Runtime { graph, tensors: graph.tensors()?, buffers, left: [None; 2] })
    }
}

impl Runtime<'_> {
    fn leave(&mut self, arena: Arena, start: usize, size: usize) {
        let slot = match arena {
            Arena::Rw => 0,
            Arena::Persistent => 1,
        };
        if let (Some(slot), true) = (self.left.get_mut(slot), size > 0) {
            *slot = Some(Left { arena, start, size });
        }
    }

    /// Where a pointer into memory that a buffer has left would point now.
    fn moved(&self, tensor: usize) -> Option<(Arena, Bytes)> {
        let address = self.tensors.data(tensor).addr();
        let offset_in = |left: &Left| {
            let offset = address.checked_sub(left.start).filter(|&offset| offset < left.size)?;
            Some((left.arena, Bytes(offset)))
        };
        self.left.iter().flatten().find_map(offset_in)
    }
}

impl Graph for Runtime<'_> {
    fn num_tensors(&self) -> usize {
        self.tensors.count()
    }

    fn tensor(&self, tensor: usize) -> Tensor {
        self.tensors.tensor(tensor)
    }

    fn num_nodes(&self) -> usize {
        self.graph.num_nodes()
    }

    fn node(&self, node: usize) -> Result<Node<'_>, Error> {
        self.graph.node(node)
    }

    fn inputs(&self) -> Result<&[i32], Error> {
        self.graph.inputs()
    }

    fn outputs(&self) -> Result<&[i32], Error> {
        self.graph.outputs()
    }

    fn variables(&self) -> Result<&[i32], Error> {
        self.graph.variables()
    }
}

impl Memory for Runtime<'_> {
    fn commit(&mut self, arena: Arena, bytes: Bytes, moved: &mut bool) -> Result<(), Error> {
        let buffer = self.buffers.of_mut(arena);
        let (before, size) = (buffer.memory().addr(), buffer.size());
        let resized = buffer.resize(bytes.0);
        if buffer.memory().addr() != before {
            *moved = true;
            self.leave(arena, before, size);
        }
        resized
    }

    fn release(&mut self, arena: Arena) {
        let buffer = self.buffers.of_mut(arena);
        let (before, size) = (buffer.memory().addr(), buffer.size());
        buffer.release();
        self.leave(arena, before, size);
    }

    fn copy(&mut self, arena: Arena, from: Bytes, to: Bytes, len: Bytes) {
        self.buffers.of_mut(arena).copy_within(from, to, len);
    }

    fn bind(&mut self, tensor: usize, place: Option<(Arena, Bytes)>) {
        let data = place.map_or(core::ptr::null_mut(), |(arena, offset)| self.buffers.of(arena).at(offset));
        self.tensors.set_data(tensor, data);
    }

    fn follow(&mut self, tensor: usize) {
        if let Some(place) = self.moved(tensor) {
            self.bind(tensor, Some(place));
        }
    }

    fn forget(&mut self, tensor: usize) {
        if self.moved(tensor).is_some() {
            self.bind(tensor, None);
        }
    }
}
