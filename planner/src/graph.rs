//! What the planner reads of the runtime around it, and what it asks of it. The planner itself knows no pointer.

use crate::{Bytes, Error};

/// Index that stands for "no tensor" in the lists of nodes and graphs.
pub const OPTIONAL_TENSOR: i32 = -1;

/// The two arenas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arena {
    /// `kTfLiteArenaRw`: bytes are reused once their tensor is dead.
    Rw,
    /// `kTfLiteArenaRwPersistent`: bytes keep their address from the first placement on.
    Persistent,
}

/// A tensor as the runtime describes it at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its size.
    pub bytes: Bytes,
    /// The arena it belongs to; `None` for constant, dynamic, custom and all other tensors, which are never touched.
    pub arena: Option<Arena>,
    /// The runtime's own number for its kind of memory, which tells those others apart.
    pub kind: i32,
}

/// A node of the execution plan. Lists may hold [`OPTIONAL_TENSOR`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Node<'a> {
    /// Tensors it reads.
    pub inputs: &'a [i32],
    /// Tensors it writes.
    pub outputs: &'a [i32],
    /// Tensors it uses while it runs.
    pub temporaries: &'a [i32],
    /// In-place flags, see [`inplace`].
    pub inplace: u64,
}

/// In-place flags of an operator.
pub mod inplace {
    /// Output 0 holds the same data as input 0.
    pub const DATA_UNMODIFIED: u64 = 1;
    /// The flags below pair input N with output N instead of output 0.
    pub const CORRESPONDING_OUTPUT: u64 = 2;
    /// Input 0 may share its bytes with output 0; shifted left by N, input N.
    pub const INPUT0_SHARED: u64 = 4;
    /// How many inputs have a flag.
    pub const SHARABLE_INPUTS: usize = 3;
}

/// A graph in execution order: upstream's `GraphInfo`.
pub trait Graph {
    /// Tensors in the graph; may grow after planning.
    fn num_tensors(&self) -> usize;
    /// One of them; `tensor` is below [`Graph::num_tensors`].
    fn tensor(&self, tensor: usize) -> Tensor;
    /// Nodes in the execution plan.
    fn num_nodes(&self) -> usize;
    /// One of them; `node` is below [`Graph::num_nodes`].
    fn node(&self, node: usize) -> Result<Node<'_>, Error>;
    /// Graph inputs.
    fn inputs(&self) -> Result<&[i32], Error>;
    /// Graph outputs.
    fn outputs(&self) -> Result<&[i32], Error>;
    /// Variable tensors.
    fn variables(&self) -> Result<&[i32], Error>;
}

/// The memory behind the plan.
pub trait Memory {
    /// Makes the buffer of `arena` hold at least `bytes`, keeping what it holds. Sets `moved` when its address has
    /// changed, be it that the call fails.
    fn commit(&mut self, arena: Arena, bytes: Bytes, moved: &mut bool) -> Result<(), Error>;
    /// Frees the buffer of `arena`.
    fn release(&mut self, arena: Arena);
    /// Copies `len` bytes inside the committed buffer of `arena`.
    fn copy(&mut self, arena: Arena, from: Bytes, to: Bytes, len: Bytes);
    /// Sets a tensor's data pointer to its place in a committed buffer, or to null.
    fn bind(&mut self, tensor: usize, place: Option<(Arena, Bytes)>);
    /// If a tensor's data pointer points into memory that a buffer has left since this object was made: makes it follow the
    /// bytes to where they are now.
    fn follow(&mut self, tensor: usize);
    /// As [`Memory::follow`], but makes the pointer null.
    fn forget(&mut self, tensor: usize);
}
