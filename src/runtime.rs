//! The runtime as the planner sees it during one call: the caller's graph and tensors, and the two buffers.

use core::ops::Range;

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
    /// The addresses that each buffer has left during this call; they are only compared with.
    left_by_rw: Range<usize>,
    left_by_persistent: Range<usize>,
}

impl<'a> Runtime<'a> {
    /// Asks for the tensors: they may have moved since the last call.
    pub(crate) fn look(graph: &'a GraphCallbacks, buffers: &'a mut Buffers) -> Result<Runtime<'a>, Error> {
        Ok(Runtime { graph, tensors: graph.tensors()?, buffers, left_by_rw: 0..0, left_by_persistent: 0..0 })
    }
}

impl Runtime<'_> {
    fn addresses(&self, arena: Arena) -> Range<usize> {
        let buffer = self.buffers.of(arena);
        let start = buffer.memory().addr();
        start..start + buffer.size()
    }

    /// Notes the addresses that a buffer had, if it has others now; true then.
    fn note_left(&mut self, arena: Arena, before: Range<usize>) -> bool {
        if self.addresses(arena).start == before.start {
            return false;
        }
        match arena {
            Arena::Rw => self.left_by_rw = before,
            Arena::Persistent => self.left_by_persistent = before,
        }
        true
    }

    /// Where a pointer into memory that a buffer has left would point now.
    fn moved(&self, tensor: usize) -> Option<(Arena, Bytes)> {
        let address = self.tensors.data(tensor).addr();
        if self.left_by_rw.contains(&address) {
            Some((Arena::Rw, Bytes(address - self.left_by_rw.start)))
        } else if self.left_by_persistent.contains(&address) {
            Some((Arena::Persistent, Bytes(address - self.left_by_persistent.start)))
        } else {
            None
        }
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
        let before = self.addresses(arena);
        let resized = self.buffers.of_mut(arena).resize(bytes.0);
        *moved |= self.note_left(arena, before);
        resized
    }

    fn release(&mut self, arena: Arena) {
        let before = self.addresses(arena);
        self.buffers.of_mut(arena).release();
        self.note_left(arena, before);
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
