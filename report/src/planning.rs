//! Plans a graph, or a table of buffers, as a runtime on tflite-arena would.

use arena_packer::packing::{self, Buffer, Limits, Problem};
use arena_packer::text::TextSink;
use arena_planner::alias::Reuse;
use arena_planner::bounds::{self, Demand};
use arena_planner::occupancy::Allocation;
use arena_planner::strategy::Choice;
use arena_planner::{Alignment, Arena, Bytes, Error, Graph, Memory, Node, Planner, Tensor, previous_owners};

use crate::input::Refusal;
use crate::map::{Kind, MemoryMap, Network, Options, Place, Totals};
use crate::strategy::Strategy;

/// All that is needed to plan again.
#[derive(Clone, Debug)]
pub(crate) enum Script {
    /// A planner's plan, and the calls that followed.
    Calls(Calls),
    /// Buffers without a graph.
    Table(Buffers),
}

/// What a runtime did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// By tensor that was there when the graph was planned: its size and kind then.
    pub(crate) planned: Vec<(usize, Kind)>,
    pub(crate) steps: Vec<Step>,
}

/// Tensors that are new or other than they were, with their size and kind.
pub(crate) type Changed = Vec<(usize, usize, Kind)>;

/// Nodes whose temporaries are other than they were.
pub(crate) type Temporaries = Vec<(usize, Vec<i32>)>;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Execute {
        first: i32,
        last: i32,
        /// It failed: no place changed, but steps of a search may be spent.
        failed: bool,
        changed: Changed,
        temporaries: Temporaries,
    },
    Reset,
    ResetAfter(i32),
}

#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) gaps: Vec<packing::Gap>,
}

impl Script {
    /// A graph whose tensors stay as they are, and whose nodes are executed in these ranges, from the first to the last of each.
    pub(crate) fn of(network: &Network, executions: &[(i32, i32)]) -> Script {
        let planned = network.tensors.iter().map(|tensor| (tensor.bytes, tensor.kind)).collect();
        let temporaries: Vec<_> = network.nodes.iter().map(|node| node.temporaries.clone()).enumerate().collect();
        let step = |&(first, last): &(i32, i32)| {
            let of_range = temporaries.get(first as usize..=last as usize).unwrap_or_default();
            Step::Execute { first, last, failed: false, changed: Vec::new(), temporaries: of_range.to_vec() }
        };
        Script::Calls(Calls { planned, steps: executions.iter().map(step).collect() })
    }

    /// Where the tensors lie in the end.
    pub(crate) fn places(&self, network: &Network, options: &Options) -> Result<Vec<Option<Place>>, Refusal> {
        match self {
            Script::Calls(calls) => calls.places(network, options),
            Script::Table(buffers) => buffers.places(options.strategy),
        }
    }
}

impl Calls {
    /// Where the tensors lie after all calls.
    pub(crate) fn places(&self, network: &Network, options: &Options) -> Result<Vec<Option<Place>>, Refusal> {
        if self.steps.is_empty() {
            return Ok(vec![None; network.tensors.len()]);
        }
        let mut stage = Stage {
            network,
            tensors: self.planned.clone(),
            temporaries: vec![&[]; network.nodes.len()],
            refuses_memory: false,
        };
        let mut planner = Planner::new(arena_planner::Options {
            preserve_all_tensors: options.preserve_all_tensors,
            preserve_inputs: options.preserve_inputs,
            replace_range: options.replace_range,
            reuse: options.strategy.map_or(Reuse::default(), Strategy::reuse),
            tensor_alignment: Alignment::new(options.alignment)?,
            strategy: options.strategy.map_or(Choice::Greedy, Strategy::choice),
        });
        planner.plan(&stage)?;
        for step in &self.steps {
            match step {
                Step::Execute { first, last, failed, changed, temporaries } => {
                    stage.change(changed, temporaries);
                    stage.refuses_memory = *failed;
                    let executed = planner.execute(&mut stage, *first, *last);
                    if !failed {
                        executed?;
                    }
                }
                Step::Reset => planner.reset_allocations(),
                Step::ResetAfter(node) => {
                    planner.reset_allocations_after(&mut stage, *node).map_err(Error::from)?;
                }
            }
        }
        let place = |tensor: usize| {
            let plan = i32::try_from(tensor).ok().and_then(|tensor| planner.tensor_plan(tensor).ok())?;
            Some(Place {
                arena: plan.arena?,
                root: usize::try_from(plan.root).ok()?,
                offset: plan.offset.0,
                size: plan.size.0,
                first_node: plan.first_node,
                last_node: plan.last_node,
                previous: None,
            })
        };
        Ok((0..network.tensors.len()).map(place).collect())
    }
}

impl Buffers {
    fn places(&self, strategy: Option<Strategy>) -> Result<Vec<Option<Place>>, Refusal> {
        let mut buffers = self.buffers.clone();
        let offsets = match strategy {
            None => buffers.iter().map(|buffer| buffer.fixed.unwrap_or_default()).collect(),
            Some(strategy) => {
                // Where all have an offset, these are a plan, of which another one is wanted here.
                if buffers.iter().all(|buffer| buffer.fixed.is_some()) {
                    buffers.iter_mut().for_each(|buffer| buffer.fixed = None);
                }
                let problem = Problem { buffers: &buffers, gaps: &self.gaps };
                let limits = |steps| Limits { steps, capacity: None };
                match strategy {
                    Strategy::Greedy => packing::greedy(&problem),
                    Strategy::InOrder => packing::in_order(&problem),
                    Strategy::Best => packing::best(&problem, limits(packing::best_steps(buffers.len()))),
                    Strategy::Exact => packing::exact(&problem, limits(packing::EXACT_STEPS), &mut ()),
                }?
                .offsets
            }
        };
        let place = |(root, (buffer, offset)): (usize, (&Buffer, &Bytes))| {
            let &Buffer { first_node, last_node, size, .. } = buffer;
            let place =
                Place { arena: Arena::Rw, root, offset: offset.0, size: size.0, first_node, last_node, previous: None };
            (size.0 > 0).then_some(place)
        };
        Ok(self.buffers.iter().zip(&offsets).enumerate().map(place).collect())
    }
}

impl MemoryMap {
    /// Takes these places, and works out all that follows from them.
    pub(crate) fn set_places(&mut self, places: Vec<Option<Place>>) -> Result<(), Refusal> {
        self.places = places;
        for arena in [Arena::Rw, Arena::Persistent] {
            self.find_previous(arena)?;
        }
        self.totals = self.sum_up()?;
        Ok(())
    }

    fn find_previous(&mut self, arena: Arena) -> Result<(), Refusal> {
        let allocation = |tensor: usize, piece: Place| Allocation {
            offset: Bytes(piece.offset),
            size: Bytes(piece.size),
            tensor: tensor as i32,
            first_node: piece.first_node,
            last_node: piece.last_node,
        };
        let pieces =
            |(tensor, place)| self.pieces(tensor, place).into_iter().map(move |piece| allocation(tensor, piece));
        let allocations: Vec<Allocation> = self.owners(arena).flat_map(pieces).collect();
        let previous = previous_owners(&allocations).map_err(Error::from)?;
        let mut of = vec![None; self.places.len()];
        // The first piece of a buffer with gaps is the last to be noted.
        for (allocation, previous) in allocations.iter().zip(previous).rev() {
            of[allocation.tensor as usize] = usize::try_from(previous).ok();
        }
        for place in self.places.iter_mut().flatten().filter(|place| place.arena == arena) {
            place.previous = of.get(place.root).copied().flatten();
        }
        Ok(())
    }

    fn sum_up(&self) -> Result<Totals, Refusal> {
        let alignment = Alignment::new(self.options.alignment)?;
        let height = |arena| self.owners(arena).map(|(_, place)| place.end()).max().unwrap_or(0);
        let demands = || {
            self.owners(Arena::Rw).map(|(_, place)| Demand {
                size: Bytes(place.size),
                first_node: place.first_node,
                last_node: place.last_node,
            })
        };
        let one = Alignment::new(1)?;
        let [lower_bound, unpadded] = match &self.script {
            Script::Calls(_) => {
                let bound = |alignment| bounds::lower_bound(&mut demands(), alignment, self.steps).map_err(Error::from);
                [bound(alignment)?.0, bound(one)?.0]
            }
            Script::Table(Buffers { buffers, gaps }) => {
                let bound = |alignment: Option<Alignment>| {
                    let free = |buffer: &Buffer| Buffer {
                        alignment: alignment.unwrap_or(buffer.alignment),
                        fixed: None,
                        ..*buffer
                    };
                    let buffers: Vec<_> = buffers.iter().map(free).collect();
                    packing::lower_bound(&Problem { buffers: &buffers, gaps })
                };
                [bound(None)?.0, bound(Some(one))?.0]
            }
        };
        Ok(Totals {
            naive: bounds::naive(demands(), alignment).0,
            arena: height(Arena::Rw),
            lower_bound,
            persistent: height(Arena::Persistent),
            padding: lower_bound.saturating_sub(unpadded),
            placed: self.owners(Arena::Rw).count(),
        })
    }
}

/// The runtime that a planner sees: sizes, and no memory behind them.
struct Stage<'a> {
    network: &'a Network,
    tensors: Vec<(usize, Kind)>,
    /// By node, as they are now.
    temporaries: Vec<&'a [i32]>,
    /// An execution fails when memory is asked for, if not before.
    refuses_memory: bool,
}

impl<'a> Stage<'a> {
    fn change(&mut self, changed: &[(usize, usize, Kind)], temporaries: &'a [(usize, Vec<i32>)]) {
        for &(tensor, bytes, kind) in changed {
            // What is new comes in order.
            if tensor == self.tensors.len() {
                self.tensors.push((bytes, kind));
            } else if let Some(known) = self.tensors.get_mut(tensor) {
                *known = (bytes, kind);
            }
        }
        for (node, list) in temporaries {
            if let Some(known) = self.temporaries.get_mut(*node) {
                *known = list;
            }
        }
    }
}

impl Graph for Stage<'_> {
    fn num_tensors(&self) -> usize {
        self.tensors.len()
    }

    fn tensor(&self, tensor: usize) -> Tensor {
        let (bytes, kind) = self.tensors[tensor];
        Tensor { bytes: Bytes(bytes), arena: kind.arena(), kind: kind.number() }
    }

    fn num_nodes(&self) -> usize {
        self.network.nodes.len()
    }

    fn node(&self, node: usize) -> Result<Node<'_>, Error> {
        let temporaries = self.temporaries[node];
        let node = &self.network.nodes[node];
        Ok(Node { inputs: &node.inputs, outputs: &node.outputs, temporaries, inplace: node.inplace })
    }

    fn inputs(&self) -> Result<&[i32], Error> {
        Ok(&self.network.inputs)
    }

    fn outputs(&self) -> Result<&[i32], Error> {
        Ok(&self.network.outputs)
    }

    fn variables(&self) -> Result<&[i32], Error> {
        Ok(&self.network.variables)
    }
}

/// Nothing is stored, so nothing can move and no pointer need be set.
impl Memory for Stage<'_> {
    fn commit(&mut self, _: Arena, needed: Bytes, _: &mut bool) -> Result<(), Error> {
        if self.refuses_memory { Err(Error::OutOfMemory { asked: needed.0 }) } else { Ok(()) }
    }

    fn release(&mut self, _: Arena) {}

    fn copy(&mut self, _: Arena, _: Bytes, _: Bytes, _: Bytes) {}

    fn bind(&mut self, _: usize, _: Option<(Arena, Bytes)>) {}

    fn follow(&mut self, _: usize) {}

    fn forget(&mut self, _: usize) {}
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        struct Words(String);
        impl TextSink for Words {
            fn bytes(&mut self, piece: &[u8]) {
                self.0 += &String::from_utf8_lossy(piece);
            }
        }
        let mut words = Words(String::new());
        error.describe(&mut words);
        Refusal::new(words.0)
    }
}
