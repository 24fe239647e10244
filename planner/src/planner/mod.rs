//! Upstream's `ArenaPlanner`: plans a graph once, then places its tensors for one range of nodes after the other.

#[cfg_attr(not(feature = "inspect"), path = "details_left_out.rs")]
mod details;
mod execute;
mod log;
mod report;
mod requests;

use alloc::vec::Vec;

use log::Log;
pub use report::{PlanInfo, TensorPlan};
use requests::Requests;

use crate::alias::{Aliases, Reuse};
use crate::fallible::{OutOfMemory, at, at_mut, grow};
use crate::occupancy::{Allocation, Occupancy};
use crate::strategy::{Choice, Workspace};
use crate::topology::{Topology, numbered};
use crate::usage::{Usage, usages};
use crate::{Alignment, Arena, Bytes, END, Error, Graph, Memory};

/// How to plan.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// No tensor's bytes are ever reused or shared.
    pub preserve_all_tensors: bool,
    /// Graph inputs are kept for the whole run; else they are freed after their last read.
    pub preserve_inputs: bool,
    /// An execution takes the ArenaRw tensors that its range begins with out of the arena, and places them anew.
    pub replace_range: bool,
    /// How far to share beyond upstream.
    pub reuse: Reuse,
    /// What every tensor's offset is a multiple of.
    pub tensor_alignment: Alignment,
    /// In which order tensors are given their places.
    pub strategy: Choice,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            preserve_all_tensors: false,
            preserve_inputs: true,
            replace_range: false,
            reuse: Reuse::default(),
            tensor_alignment: Alignment::DEFAULT,
            strategy: Choice::Greedy,
        }
    }
}

/// Where a tensor that owns bytes lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    arena: Arena,
    offset: Bytes,
    size: Bytes,
    first_node: i32,
    last_node: i32,
}

impl Place {
    fn of(arena: Arena, allocation: Allocation) -> Place {
        let Allocation { offset, size, first_node, last_node, .. } = allocation;
        Place { arena, offset, size, first_node, last_node }
    }

    fn allocation(self, tensor: i32) -> Allocation {
        let Place { offset, size, first_node, last_node, .. } = self;
        Allocation { offset, size, tensor, first_node, last_node }
    }

    fn end(self) -> Bytes {
        self.allocation(0).end()
    }
}

/// First and last node of a tensor that is no temporary.
const NEVER: (i32, i32) = (END, -1);

#[derive(Debug)]
enum State {
    Unplanned,
    /// Runtimes ignore the status of a failed plan and execute all the same: it is theirs then.
    Failed(Error),
    Planned,
}

/// The planner. It owns no tensor memory; that is [`Memory`]'s.
#[derive(Debug)]
pub struct Planner {
    options: Options,
    state: State,
    topology: Topology,
    /// By tensor, as `places`; both are as long as there are tensors.
    usages: Vec<Usage>,
    aliases: Aliases,
    places: Vec<Option<Place>>,
    /// By tensor, as far as any is one: the first and the last node that use it as a temporary.
    temporaries: Vec<(i32, i32)>,
    rw: Tenancy,
    persistent: Tenancy,
    log: Log,
    has_nonpersistent_memory: bool,
    scratch: Scratch,
    workspace: Workspace,
}

/// What one arena holds.
#[derive(Debug, Default)]
struct Tenancy {
    /// The allocations that a new one may meet: all in force that end at or after `complete_from`.
    occupied: Occupancy,
    /// `END` when `occupied` cannot be trusted at all.
    complete_from: i32,
    /// Bytes that the places in force need.
    needed: Bytes,
}

impl Tenancy {
    /// Forgets all places.
    fn empty(&mut self) {
        self.occupied.clear();
        self.complete_from = 0;
        self.needed = Bytes::ZERO;
    }
}

/// Lists that are kept from one execution to the next, so that a repeated one asks for no memory.
#[derive(Debug, Default)]
struct Scratch {
    queue: Vec<i32>,
    queued: Vec<bool>,
    rw: Requests,
    persistent: Requests,
    /// Of tensors that had a place, or have none because they left the arenas.
    replaced: Vec<Replaced>,
    /// Temporaries that were noted, with what was known of each before.
    noted: Vec<(i32, (i32, i32))>,
    /// Tensors that lost their bytes because the tensor they shared with grew.
    orphans: Vec<i32>,
}

/// A place that was taken away, to be put back if memory is refused.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    tensor: i32,
    old: Option<Place>,
    /// The bytes are still needed: they stay occupied until they have been copied to the new place.
    keeps_bytes: bool,
}

impl Replaced {
    /// The old place, if it was in that arena.
    fn left(&self, arena: Arena) -> Option<Place> {
        self.old.filter(|old| old.arena == arena)
    }
}

impl Planner {
    /// A planner that has planned nothing yet.
    pub fn new(options: Options) -> Planner {
        Planner {
            options,
            state: State::Unplanned,
            topology: Topology::default(),
            usages: Vec::new(),
            aliases: Aliases::default(),
            places: Vec::new(),
            temporaries: Vec::new(),
            rw: Tenancy::default(),
            persistent: Tenancy::default(),
            log: Log::default(),
            has_nonpersistent_memory: false,
            scratch: Scratch::default(),
            workspace: Workspace::default(),
        }
    }

    /// `PlanAllocations`: works out usage intervals and alias groups. All places are forgotten, buffers are kept.
    ///
    /// On an error the planner holds no plan, and [`Planner::execute`] returns that error until a plan succeeds.
    pub fn plan(&mut self, graph: &impl Graph) -> Result<(), Error> {
        self.forget_places();
        self.workspace.restart();
        let planned = self.read(graph);
        self.state = match planned {
            Ok(()) => State::Planned,
            Err(error) => State::Failed(error),
        };
        planned
    }

    /// Takes a graph that could not even be looked at for a plan that failed.
    pub fn fail(&mut self, error: Error) -> Result<(), Error> {
        self.forget_places();
        self.state = State::Failed(error);
        Err(error)
    }

    fn read(&mut self, graph: &impl Graph) -> Result<(), Error> {
        self.places.clear();
        self.topology = Topology::read(graph)?;
        self.usages = usages(&self.topology, self.options.preserve_inputs)?;
        self.aliases = if self.options.preserve_all_tensors {
            Aliases::default()
        } else {
            let count = self.topology.num_tensors;
            Aliases::find(&self.topology, &self.usages, self.options.reuse, |tensor| {
                usize::try_from(tensor).ok().filter(|&tensor| tensor < count).map(|tensor| graph.tensor(tensor))
            })?
        };
        Ok(grow(&mut self.places, self.usages.len(), None)?)
    }

    /// `ResetAllocations`: forgets all places, keeps the plan and the buffers. Pointers stay until the next execution.
    pub fn reset_allocations(&mut self) {
        self.forget_places();
    }

    fn forget_places(&mut self) {
        self.places.fill(None);
        self.temporaries.clear();
        self.rw.empty();
        self.persistent.empty();
        self.log.forget();
    }

    /// `ResetAllocationsAfter`: forgets the places of ArenaRw tensors that are first used after `node`, and nulls their
    /// pointers and those of their aliases. Persistent tensors, and what is first used up to `node`, stay.
    ///
    /// The first one walks all tensors and needs memory for it, and so does one after an execution that took a place away;
    /// else each costs what it forgets. On an error nothing has changed.
    pub fn reset_allocations_after(
        &mut self,
        runtime: &mut (impl Graph + Memory),
        node: i32,
    ) -> Result<(), OutOfMemory> {
        self.keep_log()?;
        while let Some(tensor) = self.log.pop_after(node) {
            if let Some(temporary) = at_mut(&mut self.temporaries, tensor) {
                *temporary = NEVER;
            }
            if self.place(tensor).is_none() {
                unbind(runtime, tensor);
                continue;
            }
            self.set_place(tensor, None);
            // All of them: what shares the bytes may have its pointer without having been executed.
            self.aliases.members(tensor).for_each(|member| unbind(runtime, member));
        }
        self.rw.occupied.retain(&|allocation| allocation.first_node <= node);
        self.rw.needed = self.log.height();
        Ok(())
    }

    /// `ReleaseNonPersistentMemory`: frees the ArenaRw buffer and nulls all ArenaRw pointers; the plan stays.
    pub fn release_non_persistent_memory(&mut self, runtime: &mut (impl Graph + Memory)) {
        runtime.release(Arena::Rw);
        self.has_nonpersistent_memory = false;
        for tensor in 0..runtime.num_tensors() {
            if runtime.tensor(tensor).arena == Some(Arena::Rw) {
                runtime.bind(tensor, None);
            } else {
                runtime.forget(tensor);
            }
        }
    }

    /// `AcquireNonPersistentMemory`: gets the ArenaRw buffer back and points every ArenaRw tensor at its place; where the
    /// buffer is refused, at null.
    pub fn acquire_non_persistent_memory(&mut self, runtime: &mut (impl Graph + Memory)) -> Result<(), Error> {
        let committed = runtime.commit(Arena::Rw, self.rw.needed, &mut false);
        self.has_nonpersistent_memory |= committed.is_ok();
        for tensor in 0..self.places.len().min(runtime.num_tensors()) {
            if runtime.tensor(tensor).arena == Some(Arena::Rw) {
                self.bind(runtime, tensor as i32);
            }
        }
        committed
    }

    /// `HasNonPersistentMemory` as of 2.16: committed, and not released since. True for an arena of no bytes, too.
    pub fn has_non_persistent_memory(&self) -> bool {
        self.has_nonpersistent_memory
    }

    /// Takes in tensors that were added since the last call.
    fn grow(&mut self, now: usize) -> Result<(), Error> {
        let known = self.usages.len();
        if now < known {
            return Err(Error::TensorsVanished { known, now });
        }
        let count = numbered(now)?;
        grow(&mut self.usages, count, Usage::UNUSED)?;
        self.aliases.grow(&self.usages)?;
        Ok(grow(&mut self.places, count, None)?)
    }

    fn usage(&self, tensor: i32) -> Usage {
        at(&self.usages, tensor).copied().unwrap_or(Usage::UNUSED)
    }

    fn place(&self, tensor: i32) -> Option<Place> {
        at(&self.places, tensor).copied().flatten()
    }

    fn set_place(&mut self, tensor: i32, place: Option<Place>) {
        if let Some(slot) = at_mut(&mut self.places, tensor) {
            *slot = place;
        }
    }

    /// The nodes between which the bytes that `root` owns are needed, or `None` when nothing uses them.
    fn interval(&self, root: i32) -> Option<(i32, i32)> {
        let (mut first, mut last) = at(&self.temporaries, root).copied().unwrap_or(NEVER);
        let usage = at(&self.usages, root)?;
        if usage.first >= 0 {
            first = first.min(usage.first);
        }
        if first != NEVER.0 {
            last = last.max(usage.last(self.aliases.last_read(root, usage), self.options.reuse));
        }
        if last >= 0 && self.options.preserve_all_tensors {
            last = END;
        }
        (last >= 0).then_some((first, last))
    }

    fn tenancy(&mut self, arena: Arena) -> &mut Tenancy {
        match arena {
            Arena::Rw => &mut self.rw,
            Arena::Persistent => &mut self.persistent,
        }
    }

    /// The places in force in one arena.
    fn allocations(&self, arena: Arena) -> impl Iterator<Item = Allocation> + '_ {
        let there = move |(tensor, place): (i32, &Option<Place>)| {
            place.filter(|place| place.arena == arena).map(|place| place.allocation(tensor))
        };
        (0..).zip(&self.places).filter_map(there)
    }

    fn height(&self, arena: Arena) -> Bytes {
        self.allocations(arena).map(|allocation| allocation.end()).max().unwrap_or(Bytes::ZERO)
    }

    /// Points a tensor at its place or, where it has none or no bytes, at null.
    ///
    /// A tensor that the runtime has moved to another kind of memory is left alone, and so is one that has bytes but has
    /// not been given a place so far. No pointer is ever given to fewer bytes than the tensor has.
    fn bind(&self, runtime: &mut (impl Graph + Memory), tensor: i32) {
        let Ok(at) = usize::try_from(tensor) else { return };
        let now = runtime.tensor(at);
        let Some(arena) = now.arena else { return };
        let place = self.place(self.aliases.root(tensor)).filter(|place| place.arena == arena);
        if now.bytes == Bytes::ZERO {
            runtime.bind(at, None);
        } else if let Some(Place { offset, size, .. }) = place {
            runtime.bind(at, (now.bytes <= size).then_some((arena, offset)));
        }
    }
}

/// Nulls the pointer of a tensor of the ArenaRw arena.
fn unbind(runtime: &mut (impl Graph + Memory), tensor: i32) {
    if let Some(at) = usize::try_from(tensor).ok().filter(|&at| at < runtime.num_tensors())
        && runtime.tensor(at).arena == Some(Arena::Rw)
    {
        runtime.bind(at, None);
    }
}
