//! A runtime made of numbers: a shadow graph behind the planner's traits, buffers that are only sizes, and pointers that
//! are (arena, offset) pairs.

use std::ops::Range;

use super::Rng;
use arena_planner::alias::Reuse;
use arena_planner::shadow::{self, Kind, Place};
use arena_planner::validate::{Placed, validate};
use arena_planner::{Alignment, Arena, Bytes, Error, Graph, Memory, Node, Options, Planner, Tensor};

pub(crate) const LAST: i32 = i32::MAX;

/// A graph, the pointers of its tensors and the sizes of the two buffers.
pub(crate) struct World {
    pub(crate) graph: shadow::Graph,
    pub(crate) pointers: Vec<Option<(Arena, usize)>>,
    pub(crate) rw_bytes: usize,
    pub(crate) persistent_bytes: usize,
    /// Buffers do not grow beyond this.
    pub(crate) limit: usize,
    /// Bytes that were copied since this list was last emptied: arena, from, to, length.
    pub(crate) copies: Vec<(Arena, usize, usize, usize)>,
    /// Every growth moves a buffer, as a strict allocator would; by arena, how often it has moved.
    moves: [usize; 2],
    /// By tensor, how often its arena had moved when its pointer was set.
    bound_at: Vec<usize>,
}

impl World {
    pub(crate) fn new(graph: &shadow::Graph) -> World {
        World {
            graph: graph.clone(),
            pointers: vec![None; graph.tensors.len()],
            rw_bytes: 0,
            persistent_bytes: 0,
            limit: usize::MAX,
            copies: Vec::new(),
            moves: [0; 2],
            bound_at: vec![0; graph.tensors.len()],
        }
    }

    /// What the tensors' pointers say, as places for the shadow run.
    pub(crate) fn places(&self) -> Vec<Option<Place>> {
        let place = |(pointer, tensor): (&Option<(Arena, usize)>, &shadow::Tensor)| {
            pointer.map(|(arena, offset)| Place {
                arena: match arena {
                    Arena::Rw => shadow::Arena::Rw,
                    Arena::Persistent => shadow::Arena::Persistent,
                },
                offset,
                size: tensor.bytes,
            })
        };
        self.pointers.iter().zip(&self.graph.tensors).map(place).collect()
    }

    /// No pointer points into memory that a buffer has left.
    pub(crate) fn no_pointer_dangles(&self) -> Result<(), String> {
        for (index, (pointer, bound_at)) in self.pointers.iter().zip(&self.bound_at).enumerate() {
            if pointer.is_some_and(|(arena, _)| self.moves[arena as usize] != *bound_at) {
                return Err(format!("tensor {index} points into memory that is gone"));
            }
        }
        Ok(())
    }

    /// Every pointer that one of the nodes uses lies, with all bytes of its tensor, inside its buffer.
    pub(crate) fn pointers_inside(&self, nodes: Range<usize>) -> Result<(), String> {
        let used = self.graph.nodes.iter().take(nodes.end).skip(nodes.start);
        let used = used.flat_map(|node| node.inputs.iter().chain(&node.outputs).chain(&node.temporaries));
        for index in used.filter_map(|&tensor| usize::try_from(tensor).ok()) {
            let Some((arena, offset)) = self.pointers[index] else {
                continue;
            };
            let size = match arena {
                Arena::Rw => self.rw_bytes,
                Arena::Persistent => self.persistent_bytes,
            };
            if offset.checked_add(self.graph.tensors[index].bytes).is_none_or(|end| end > size) {
                return Err(format!("tensor {index} ends outside its buffer of {size} bytes"));
            }
        }
        Ok(())
    }
}

impl Graph for World {
    fn num_tensors(&self) -> usize {
        self.pointers.len()
    }

    fn tensor(&self, tensor: usize) -> Tensor {
        let tensor = self.graph.tensors[tensor];
        let arena = match tensor.kind {
            Kind::ArenaRw => Some(Arena::Rw),
            Kind::Persistent => Some(Arena::Persistent),
            Kind::Elsewhere => None,
        };
        Tensor { bytes: Bytes(tensor.bytes), arena, kind: tensor.kind as i32 }
    }

    fn num_nodes(&self) -> usize {
        self.graph.nodes.len()
    }

    fn node(&self, node: usize) -> Result<Node<'_>, Error> {
        let node = &self.graph.nodes[node];
        Ok(Node { inputs: &node.inputs, outputs: &node.outputs, temporaries: &node.temporaries, inplace: node.inplace })
    }

    fn inputs(&self) -> Result<&[i32], Error> {
        Ok(&self.graph.inputs)
    }

    fn outputs(&self) -> Result<&[i32], Error> {
        Ok(&self.graph.outputs)
    }

    fn variables(&self) -> Result<&[i32], Error> {
        Ok(&self.graph.variables)
    }
}

impl Memory for World {
    fn commit(&mut self, arena: Arena, bytes: Bytes, moved: &mut bool) -> Result<(), Error> {
        let size = match arena {
            Arena::Rw => &mut self.rw_bytes,
            Arena::Persistent => &mut self.persistent_bytes,
        };
        if bytes.0 > *size {
            if bytes.0 > self.limit {
                return Err(Error::OutOfMemory { asked: bytes.0 });
            }
            *size = bytes.0;
            self.moves[arena as usize] += 1;
            *moved = true;
        }
        Ok(())
    }

    fn release(&mut self, arena: Arena) {
        self.moves[arena as usize] += 1;
        match arena {
            Arena::Rw => self.rw_bytes = 0,
            Arena::Persistent => self.persistent_bytes = 0,
        }
    }

    fn copy(&mut self, arena: Arena, from: Bytes, to: Bytes, len: Bytes) {
        self.copies.push((arena, from.0, to.0, len.0));
    }

    fn bind(&mut self, tensor: usize, place: Option<(Arena, Bytes)>) {
        self.pointers[tensor] = place.map(|(arena, offset)| (arena, offset.0));
        self.follow(tensor);
    }

    fn follow(&mut self, tensor: usize) {
        if let Some((arena, _)) = self.pointers[tensor] {
            self.bound_at[tensor] = self.moves[arena as usize];
        }
    }

    fn forget(&mut self, tensor: usize) {
        let bound_at = self.bound_at[tensor];
        self.pointers[tensor] = self.pointers[tensor].filter(|&(arena, _)| self.moves[arena as usize] == bound_at);
    }
}

/// How far to share, chosen anew for each graph.
pub(crate) fn any_reuse(rng: &mut Rng) -> Reuse {
    Reuse { last_reader: rng.percent(50), any_operand: rng.percent(50), unread_outputs: rng.percent(50) }
}

/// A planner with the options that most tests use.
pub(crate) fn planner(preserve_all_tensors: bool) -> Planner {
    Planner::new(Options { preserve_all_tensors, ..Options::default() })
}

/// The places of tensors that own their bytes in one arena, for the validator.
pub(crate) fn owners(planner: &Planner, tensors: usize, arena: Arena) -> Vec<Placed> {
    let owner = |id: usize| {
        let plan = planner.tensor_plan(id as i32).expect("the tensor is known");
        (plan.arena == Some(arena) && plan.root == id as i32).then_some(Placed {
            id,
            first_node: plan.first_node,
            last_node: plan.last_node,
            offset: plan.offset.0,
            size: plan.size.0,
            alignment: Alignment::DEFAULT.get(),
        })
    };
    (0..tensors).filter_map(owner).collect()
}

/// Both arenas hold up before the validator.
pub(crate) fn judge_plan(planner: &Planner, world: &World) -> Result<(), String> {
    let info = planner.info().map_err(|error| format!("{error:?}"))?;
    for (arena, height) in [(Arena::Rw, info.arena_needed), (Arena::Persistent, info.persistent_needed)] {
        let owners = owners(planner, world.graph.tensors.len(), arena);
        validate(&owners, height.0).map_err(|clash| format!("{arena:?}: {clash}"))?;
    }
    Ok(())
}
