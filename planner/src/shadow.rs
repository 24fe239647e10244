//! The shadow run: executes a graph on simulated memory and says where a plan would have corrupted data.
//!
//! Every write stamps a fresh value on the bytes of its tensor; every read demands, byte for byte, the value its
//! tensor was last given. Inside a node temporaries and outputs are written *before* inputs are read, because a kernel
//! promises no order; the one exception is an output that the node's in-place flags allow to lie exactly on that input.
//! At the end the graph's inputs, outputs and variables must still be there. (To demand more of a plan, name more
//! tensors in [`Graph::outputs`].)
//!
//! Nothing here knows how plans are made. Memory is simulated as runs of equal stamps, so that sizes cost nothing.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

mod fault;
mod memory;

pub use fault::{Byte, Fault, Moment, Trouble, Value};
use memory::{Memory, Run};

/// In-place flag: output 0 holds the same data as input 0.
pub const DATA_UNMODIFIED: u64 = 1;
/// In-place flag: an input that may be shared is shared with the output of its own number instead of output 0.
pub const CORRESPONDING_OUTPUT: u64 = 2;
/// In-place flag: input 0 may share its bytes. The next two bits say so of inputs 1 and 2.
pub const INPUT0_SHARED: u64 = 4;

/// Where a tensor's bytes live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In the arena whose bytes are used again and again.
    ArenaRw,
    /// In the arena whose bytes are never given to another.
    Persistent,
    /// In memory of its own that no plan touches: constants, dynamic and custom tensors.
    Elsewhere,
}

/// A tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its size; a tensor of no bytes needs no place.
    pub bytes: usize,
    /// Where it lives.
    pub kind: Kind,
}

/// An operation. Tensors are named by index; a negative index is an optional tensor left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Tensors read.
    pub inputs: Vec<i32>,
    /// Tensors written.
    pub outputs: Vec<i32>,
    /// Tensors used inside this node only.
    pub temporaries: Vec<i32>,
    /// In-place flags.
    pub inplace: u64,
}

/// A graph whose nodes run in the order given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// All tensors.
    pub tensors: Vec<Tensor>,
    /// All nodes, in execution order.
    pub nodes: Vec<Node>,
    /// Tensors written before the first node.
    pub inputs: Vec<i32>,
    /// Tensors that must hold their data after the last node.
    pub outputs: Vec<i32>,
    /// Tensors that hold data before the first node and after the last.
    pub variables: Vec<i32>,
}

/// One of the two memories that a plan gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arena {
    /// Holds tensors of [`Kind::ArenaRw`].
    Rw,
    /// Holds tensors of [`Kind::Persistent`].
    Persistent,
}

/// The bytes that a plan gives to a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In which arena.
    pub arena: Arena,
    /// Distance from the start of the arena.
    pub offset: usize,
    /// Bytes given, not fewer than the tensor has.
    pub size: usize,
}

/// Runs a whole graph on one unchanging plan, `places[i]` being the place of tensor `i`.
///
/// # Errors
///
/// The first [`Fault`] met.
pub fn run(graph: &Graph, places: &[Option<Place>]) -> Result<(), Fault> {
    let mut shadow = Shadow::new(graph.clone());
    shadow.begin(places)?;
    for node in 0..graph.nodes.len() {
        shadow.step(node, places)?;
    }
    shadow.finish(places)
}

/// A run in steps, for plans that change between nodes.
pub struct Shadow {
    /// What is run. Sizes and kinds may be changed, and tensors added, between the steps.
    pub graph: Graph,
    rw: Memory,
    persistent: Memory,
    /// What each tensor was last given. A tensor that is not in here was never written.
    held: BTreeMap<usize, Held>,
    /// Fresh ids given out so far.
    ids: u32,
}

/// What a tensor was last given, and its size at the time.
#[derive(Clone, Copy)]
struct Held {
    value: Value,
    bytes: usize,
}

/// The bytes of a tensor that a plan did place, and well.
#[derive(Clone, Copy)]
struct Spot {
    tensor: usize,
    arena: Arena,
    start: usize,
    bytes: usize,
}

impl Shadow {
    /// A run in which nothing has been written yet.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Self { graph, rw: Memory::default(), persistent: Memory::default(), held: BTreeMap::new(), ids: 0 }
    }

    /// Writes the graph's inputs and variables.
    ///
    /// # Errors
    ///
    /// One of them has no good place.
    pub fn begin(&mut self, places: &[Option<Place>]) -> Result<(), Fault> {
        for tensor in [self.graph.inputs.as_slice(), &self.graph.variables].concat() {
            self.write(Moment::Start, tensor, None, places)?;
        }
        Ok(())
    }

    /// Runs one node.
    ///
    /// # Errors
    ///
    /// Something that the node reads or writes has no good place or was overwritten.
    pub fn step(&mut self, node: usize, places: &[Option<Place>]) -> Result<(), Fault> {
        let at = Moment::Node(node);
        let Some(Node { inputs, outputs, temporaries, inplace }) = self.graph.nodes.get(node).cloned() else {
            return Ok(());
        };
        // What the inputs must hold is settled before the node writes anything.
        let demands: Vec<_> = inputs.iter().map(|&input| self.holds(input)).collect();
        // The output that lies, as the flags allow, exactly on the input of this slot.
        let guest = |slot: usize| {
            let output = shared_output(inplace, slot)?;
            self.lies_on(*outputs.get(output)?, *inputs.get(slot)?, places).then_some(output)
        };
        let guests: Vec<_> = (0..inputs.len()).map(guest).collect();

        for &temporary in &temporaries {
            self.write(at, temporary, None, places)?;
        }
        // First the outputs that lie apart, then the inputs that are hosts, then their guests, then all other inputs.
        for after in [false, true] {
            for (slot, &output) in outputs.iter().enumerate() {
                if guests.contains(&Some(slot)) == after {
                    let value = match demands.first() {
                        Some(&Some(input)) if slot == 0 && inplace & DATA_UNMODIFIED != 0 => Some(input),
                        _ => None,
                    };
                    self.write(at, output, value, places)?;
                }
            }
            for ((&input, &demand), guest) in inputs.iter().zip(&demands).zip(&guests) {
                // A tensor that a node both reads and writes is its kernel's care: no plan can keep the two apart.
                if guest.is_none() == after && !outputs.contains(&input) {
                    self.read(at, input, demand, places)?;
                }
            }
        }
        // Temporaries and outputs must not have destroyed each other.
        for &own in temporaries.iter().chain(&outputs) {
            self.read(at, own, self.holds(own), places)?;
        }
        Ok(())
    }

    /// Checks that the graph's inputs, outputs and variables are still there.
    ///
    /// # Errors
    ///
    /// One of them is not.
    pub fn finish(&self, places: &[Option<Place>]) -> Result<(), Fault> {
        let Graph { inputs, outputs, variables, .. } = &self.graph;
        for &tensor in inputs.iter().chain(outputs).chain(variables) {
            self.read(Moment::End, tensor, self.holds(tensor), places)?;
        }
        Ok(())
    }

    /// Tells that bytes were copied from their old places to new ones, all at once. As much is copied as fits in both.
    /// (Nothing need be told when an arena grows and keeps its content: offsets stay.)
    pub fn moved(&mut self, moves: &[(Place, Place)]) {
        let cut: Vec<_> = moves.iter().map(|&(from, to)| self.memory(from.arena).cut(from, to)).collect();
        for (&(from, to), runs) in moves.iter().zip(cut) {
            let bytes = from.size.min(to.size);
            let memory = self.memory_mut(to.arena);
            memory.erase(to.offset, to.offset.saturating_add(bytes));
            runs.into_iter().for_each(|run| memory.put(run));
        }
    }

    fn memory(&self, arena: Arena) -> &Memory {
        match arena {
            Arena::Rw => &self.rw,
            Arena::Persistent => &self.persistent,
        }
    }

    fn memory_mut(&mut self, arena: Arena) -> &mut Memory {
        match arena {
            Arena::Rw => &mut self.rw,
            Arena::Persistent => &mut self.persistent,
        }
    }

    fn tensor(&self, tensor: i32) -> Option<(usize, Tensor)> {
        let index = usize::try_from(tensor).ok()?;
        Some((index, *self.graph.tensors.get(index)?))
    }

    fn holds(&self, tensor: i32) -> Option<Held> {
        self.held.get(&usize::try_from(tensor).ok()?).copied()
    }

    /// The bytes of a tensor; `None` if there are none that a plan could spoil.
    fn spot(&self, at: Moment, tensor: i32, places: &[Option<Place>]) -> Result<Option<Spot>, Fault> {
        let Some((tensor, Tensor { bytes, kind })) = self.tensor(tensor) else {
            return Ok(None);
        };
        if bytes == 0 || kind == Kind::Elsewhere {
            return Ok(None);
        }
        let fault = |trouble| Fault { at, tensor, trouble };
        let place = places.get(tensor).copied().flatten().ok_or(fault(Trouble::Unplaced))?;
        if place.size < bytes {
            return Err(fault(Trouble::TooSmall));
        }
        place.offset.checked_add(bytes).ok_or(fault(Trouble::OutOfReach))?;
        Ok(Some(Spot { tensor, arena: place.arena, start: place.offset, bytes }))
    }

    /// Whether an output starts where an input starts and does not reach beyond it.
    fn lies_on(&self, output: i32, input: i32, places: &[Option<Place>]) -> bool {
        let spot = |tensor| self.spot(Moment::Start, tensor, places).ok().flatten();
        let (Some(output), Some(input)) = (spot(output), spot(input)) else {
            return false;
        };
        (output.arena, output.start) == (input.arena, input.start) && output.bytes <= input.bytes
    }

    /// Stamps a tensor's bytes, with the data of `copied` if it has enough of it and with a fresh value otherwise.
    fn write(&mut self, at: Moment, tensor: i32, copied: Option<Held>, places: &[Option<Place>]) -> Result<(), Fault> {
        let Some((index, Tensor { bytes, .. })) = self.tensor(tensor) else {
            return Ok(());
        };
        let value = match copied {
            Some(input) if bytes <= input.bytes => input.value,
            _ => {
                self.ids += 1;
                Value { id: self.ids, tensor: index, written: at }
            }
        };
        self.held.insert(index, Held { value, bytes });
        if let Some(Spot { arena, start, bytes, .. }) = self.spot(at, tensor, places)? {
            let memory = self.memory_mut(arena);
            memory.erase(start, start + bytes);
            memory.put(Run { start, end: start + bytes, first: Byte { value, index: 0 } });
        }
        Ok(())
    }

    /// Demands that a tensor's bytes hold what it was given. Bytes it has grown by since then may hold anything, and
    /// what was never written cannot be spoilt.
    fn read(&self, at: Moment, tensor: i32, held: Option<Held>, places: &[Option<Place>]) -> Result<(), Fault> {
        let Some(Held { value, bytes }) = held else {
            return Ok(());
        };
        let Some(spot) = self.spot(at, tensor, places)? else {
            return Ok(());
        };
        let mut index = 0;
        while index < bytes.min(spot.bytes) {
            let expected = Byte { value, index };
            match self.memory(spot.arena).at(spot.start + index) {
                Some((found, rest)) if found == expected => index += rest,
                other => {
                    let found = other.map(|(found, _)| found);
                    return Err(Fault { at, tensor: spot.tensor, trouble: Trouble::Lost { expected, found } });
                }
            }
        }
        Ok(())
    }
}

/// The output that may lie on the input of a slot, by a node's in-place flags.
fn shared_output(inplace: u64, slot: usize) -> Option<usize> {
    let shared = slot < 3 && inplace & (INPUT0_SHARED << slot) != 0;
    let output = if inplace & CORRESPONDING_OUTPUT == 0 { 0 } else { slot };
    shared.then_some(output)
}
