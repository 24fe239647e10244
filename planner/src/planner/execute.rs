//! `ExecuteAllocations`: gives the tensors of a range of nodes their places, all or none.
//!
//! A tensor's way through it: it is queued because a node of the range uses it; its present place, if that no longer fits,
//! is taken away and noted; a request is made for a new one, and placed; the buffers are committed; its bytes are copied if
//! they are still needed; its pointer is set. Up to the commit everything can be put back.

use core::ops::RangeInclusive;

use super::{NEVER, Place, Planner, Replaced, Requests, Scratch, State, Tenancy, unbind};
use crate::fallible::{OutOfMemory, at, at_mut, grow, push, push_within, reserve};
use crate::strategy::Request;
use crate::topology::check;
use crate::usage::Role;
use crate::{Arena, Bytes, END, Error, Graph, Memory, Tensor};

impl Planner {
    /// `ExecuteAllocations`: places the tensors that the nodes `first..=last` use, around all that is alive, commits both
    /// arenas and points the tensors at their places.
    ///
    /// A `last` beyond the end is the end; `last < first` places nothing. Sizes, types and temporaries are read anew, so a
    /// tensor that grew gets a new place. The bytes of a persistent tensor go with it, and so do those of a tensor that the
    /// range only reads. On an error no place and no pointer has changed, except that pointers follow a buffer that has
    /// moved. When a buffer moves, pointers of tensors that have no place become null.
    pub fn execute(&mut self, runtime: &mut (impl Graph + Memory), first: i32, last: i32) -> Result<(), Error> {
        match self.state {
            State::Unplanned => return Err(Error::NotPlanned),
            State::Failed(error) => return Err(error),
            State::Planned => {}
        }
        if first < 0 {
            return Err(Error::NodeIndex { index: first });
        }
        self.grow(runtime.num_tensors())?;
        let nodes = first..=last.min(self.topology.last_node());
        let done = self.execute_nodes(runtime, nodes);
        self.scratch.empty_queue();
        done
    }

    fn execute_nodes(&mut self, runtime: &mut (impl Graph + Memory), nodes: RangeInclusive<i32>) -> Result<(), Error> {
        grow(&mut self.scratch.queued, self.usages.len(), false)?;
        reserve(&mut self.scratch.queue, self.usages.len())?;
        self.scratch.rw.start();
        self.scratch.persistent.start();
        self.scratch.replaced.clear();
        self.scratch.noted.clear();
        self.scratch.orphans.clear();
        self.aliases.begin();
        let mut moved = false;
        let done = self
            .note_temporaries(runtime, &nodes)
            .and_then(|()| Ok(self.drop_stale_aliases(runtime, &nodes)?))
            .and_then(|()| {
                self.collect(runtime, &nodes);
                Ok(self.make_requests(runtime, &nodes)?)
            })
            .and_then(|()| self.place_requests(Arena::Rw, *nodes.start()))
            .and_then(|()| self.place_requests(Arena::Persistent, *nodes.start()))
            .and_then(|()| self.commit(runtime, &mut moved));
        match done {
            Ok(()) => {
                self.keep_bytes(runtime);
                self.update_log();
                self.bind_what_changed(runtime, moved);
            }
            Err(_) => {
                self.put_back();
                if moved {
                    (0..runtime.num_tensors()).for_each(|tensor| runtime.follow(tensor));
                }
            }
        }
        done
    }

    /// Temporaries live at their nodes. One that several nodes use lives from the first to the last of them.
    fn note_temporaries(&mut self, runtime: &impl Graph, nodes: &RangeInclusive<i32>) -> Result<(), Error> {
        let available = runtime.num_nodes().min(self.topology.num_nodes());
        for position in nodes.clone() {
            let Some(node) = usize::try_from(position).ok().filter(|&node| node < available) else { break };
            let temporaries = runtime.node(node)?.temporaries;
            check(temporaries, position, self.usages.len())?;
            for &tensor in temporaries {
                let Some(usage) = at(&self.usages, tensor) else {
                    continue;
                };
                grow(&mut self.temporaries, tensor as usize + 1, NEVER)?;
                let Some(temporary) = at_mut(&mut self.temporaries, tensor) else { continue };
                push(&mut self.scratch.noted, (tensor, *temporary))?;
                *temporary = (temporary.0.min(position), temporary.1.max(position));
                if usage.writers > 0 || usage.references > 0 {
                    // More than a temporary: whoever shares with it would lose its bytes.
                    let apart = |member, operand, _| member != tensor && operand != tensor;
                    self.aliases.regroup(self.aliases.root(tensor), &self.usages, &apart)?;
                }
                self.scratch.enqueue(tensor);
            }
        }
        Ok(())
    }

    /// Takes back what no longer fits: since planning, a tensor may have changed its size or its kind of memory. What the
    /// nodes after the range write is judged when their turn comes.
    fn drop_stale_aliases(&mut self, runtime: &impl Graph, nodes: &RangeInclusive<i32>) -> Result<(), OutOfMemory> {
        if !self.aliases.are_any() {
            return Ok(());
        }
        for node in self.topology.nodes_in(nodes) {
            for &output in node.outputs {
                let root = self.aliases.root(output);
                if root == output || can_share(runtime, output, root) {
                    continue;
                }
                self.aliases.regroup(root, &self.usages, &|member, _, owner| {
                    let judged = at(&self.usages, member).is_some_and(|usage| nodes.contains(&usage.first));
                    !judged || can_share(runtime, member, owner)
                })?;
                // It may be needed for a shorter time now.
                self.scratch.enqueue(root);
            }
        }
        Ok(())
    }

    /// Queues every tensor that may need a place or a pointer.
    fn collect(&mut self, runtime: &impl Graph, nodes: &RangeInclusive<i32>) {
        let scratch = &mut self.scratch;
        if nodes.contains(&0) {
            for &tensor in self.topology.graph_inputs.iter().chain(&self.topology.variables) {
                scratch.enqueue(tensor);
            }
        }
        for node in self.topology.nodes_in(nodes) {
            for &tensor in node.outputs {
                scratch.enqueue(tensor);
                let root = self.aliases.root(tensor);
                if root != tensor {
                    scratch.enqueue(root);
                }
            }
            // What the range reads has its place already, unless it has grown out of it.
            for &tensor in node.inputs {
                let root = self.aliases.root(tensor);
                if at(&scratch.queued, root).copied() == Some(true) {
                    continue;
                }
                let place = at(&self.places, root).copied().flatten();
                let (Some(place), Some(now)) = (place, tensor_now(runtime, root)) else { continue };
                if now.bytes > place.size {
                    scratch.enqueue(root);
                }
            }
        }
    }

    /// Turns the queue into requests for each arena, and takes away the places that no longer fit.
    fn make_requests(&mut self, runtime: &impl Graph, nodes: &RangeInclusive<i32>) -> Result<(), OutOfMemory> {
        self.scratch.rw.reserve(self.scratch.queue.len())?;
        for position in 0..self.scratch.queue.len() {
            let Some(&tensor) = self.scratch.queue.get(position) else { break };
            if self.aliases.is_alias(tensor) {
                continue;
            }
            let Some(now) = tensor_now(runtime, tensor) else { continue };
            let Some((first_node, last_node)) = self.interval(tensor) else { continue };
            let place = self.place(tensor);
            let Some(arena) = now.arena else {
                if place.is_some() {
                    self.replace(tensor, None, false)?;
                }
                continue;
            };
            let whole_run = first_node == 0 && last_node == END;
            let last_node = if arena == Arena::Persistent { END } else { last_node };
            let here = place.filter(|place| place.arena == arena);
            // Graph inputs and variables hold values that no node of the range computes.
            let usage = self.usage(tensor);
            let anew = self.options.replace_range
                && arena == Arena::Rw
                && nodes.contains(&first_node)
                && !usage.role.is(Role::GRAPH_INPUT.and(Role::VARIABLE));
            let fits = |place: &Place| {
                place.size >= now.bytes && place.first_node <= first_node && place.last_node >= last_node
            };
            if let Some(place) = here.filter(fits).filter(|_| !anew) {
                if place.last_node > last_node {
                    self.replace(tensor, Some(Place { last_node, ..place }), false)?;
                }
                continue;
            }
            // A persistent tensor always keeps its bytes, and so does one that was computed before this range.
            let keeps_bytes = here.is_some() && (arena == Arena::Persistent || first_node < *nodes.start());
            if place.is_some() {
                self.orphan_members(runtime, tensor)?;
                self.replace(tensor, None, keeps_bytes)?;
            }
            if now.bytes == Bytes::ZERO {
                continue;
            }
            let request = Request {
                tensor,
                size: now.bytes,
                alignment: self.options.tensor_alignment,
                first_node,
                last_node,
                whole_run,
                offset: Bytes::ZERO,
            };
            self.scratch.requests_mut(arena).add(request)?;
        }
        Ok(())
    }

    /// Gives a tensor another place, or none, and notes the old one so that it can be put back.
    fn replace(&mut self, tensor: i32, new: Option<Place>, keeps_bytes: bool) -> Result<(), OutOfMemory> {
        let old = self.place(tensor);
        push(&mut self.scratch.replaced, Replaced { tensor, old, keeps_bytes })?;
        self.set_place(tensor, new);
        Ok(())
    }

    /// Splits off those that can no longer share with a tensor that gets a new place, though their nodes are elsewhere.
    fn orphan_members(&mut self, runtime: &impl Graph, root: i32) -> Result<(), OutOfMemory> {
        let before = self.scratch.orphans.len();
        for member in self.aliases.members(root) {
            if member != root && !can_share(runtime, member, root) {
                push(&mut self.scratch.orphans, member)?;
            }
        }
        if self.scratch.orphans.len() == before {
            return Ok(());
        }
        self.aliases.regroup(root, &self.usages, &|member, _, owner| can_share(runtime, member, owner))
    }

    /// Places the requests of an arena, and takes the arena's account of what was taken away.
    fn place_requests(&mut self, arena: Arena, first: i32) -> Result<(), Error> {
        let vacated = self.scratch.replaced.iter().any(|replaced| replaced.left(arena).is_some());
        let asked = self.scratch.requests(arena).all();
        if asked.is_empty() && !vacated {
            return Ok(());
        }
        let from = asked.iter().fold(first, |from, request| from.min(request.first_node));
        self.open(arena, from, vacated)?;
        let requests = self.scratch.requests_mut(arena);
        let tenancy = match arena {
            Arena::Rw => &mut self.rw,
            Arena::Persistent => &mut self.persistent,
        };
        let into_empty = tenancy.occupied.allocations().is_empty();
        if requests.are_placed(into_empty) {
            tenancy.complete_from = END;
        } else {
            // Set at once: where an error leaves `occupied`, nobody knows.
            let complete_from = core::mem::replace(&mut tenancy.complete_from, END);
            let Tenancy { occupied, needed, .. } = tenancy;
            if self.options.strategy.place(requests.unplaced(), occupied, *needed, &mut self.workspace)? {
                tenancy.complete_from = complete_from;
            }
            requests.note_placed(into_empty);
        }
        for request in requests.all() {
            let place = Place::of(arena, request.allocation());
            tenancy.needed = tenancy.needed.max(place.end());
            if let Some(slot) = at_mut(&mut self.places, request.tensor) {
                *slot = Some(place);
            }
        }
        if vacated {
            self.tenancy(arena).needed = self.height(arena);
        }
        Ok(())
    }

    /// Makes `occupied` hold what is alive at `from` or later, and of what was taken away only bytes still to be copied.
    fn open(&mut self, arena: Arena, from: i32, vacated: bool) -> Result<(), OutOfMemory> {
        let mut occupied = core::mem::take(&mut self.tenancy(arena).occupied);
        let opened = if from >= self.tenancy(arena).complete_from && !vacated {
            occupied.retain(&|allocation| allocation.last_node >= from);
            Ok(())
        } else {
            let kept = self.scratch.replaced.iter().filter(|replaced| replaced.keeps_bytes);
            let kept = kept.filter_map(|replaced| Some(replaced.left(arena)?.allocation(replaced.tensor)));
            let alive = self.allocations(arena).filter(|allocation| allocation.last_node >= from);
            occupied.rebuild(&mut alive.chain(kept))
        };
        let tenancy = self.tenancy(arena);
        tenancy.occupied = occupied;
        tenancy.complete_from = if opened.is_ok() { from } else { END };
        opened
    }

    fn commit(&mut self, runtime: &mut impl Memory, moved: &mut bool) -> Result<(), Error> {
        runtime.commit(Arena::Rw, self.rw.needed, moved)?;
        self.has_nonpersistent_memory = true;
        runtime.commit(Arena::Persistent, self.persistent.needed, moved)
    }

    /// Copies the bytes that go with their tensors to new places, and gives the old ones free.
    fn keep_bytes(&mut self, runtime: &mut impl Memory) {
        for position in 0..self.scratch.replaced.len() {
            let Some(&Replaced { tensor, old, keeps_bytes }) = self.scratch.replaced.get(position) else { break };
            let Some((old, new)) = old.zip(self.place(tensor)).filter(|_| keeps_bytes) else { continue };
            runtime.copy(new.arena, old.offset, new.offset, old.size.min(new.size));
            self.tenancy(old.arena).complete_from = END;
        }
    }

    /// Undoes every change of places, of alias groups and of what is known of temporaries.
    fn put_back(&mut self) {
        self.aliases.put_back();
        while let Some((tensor, temporary)) = self.scratch.noted.pop() {
            if let Some(slot) = at_mut(&mut self.temporaries, tensor) {
                *slot = temporary;
            }
        }
        for requests in [&self.scratch.rw, &self.scratch.persistent] {
            for request in requests.all() {
                if let Some(slot) = at_mut(&mut self.places, request.tensor) {
                    *slot = None;
                }
            }
        }
        while let Some(Replaced { tensor, old, .. }) = self.scratch.replaced.pop() {
            self.set_place(tensor, old);
        }
        for arena in [Arena::Rw, Arena::Persistent] {
            let needed = self.height(arena);
            let tenancy = self.tenancy(arena);
            tenancy.needed = needed;
            tenancy.complete_from = END;
        }
    }

    /// Sets the pointers of what was queued and of what lies on its bytes; of all tensors when a buffer has moved.
    fn bind_what_changed(&self, runtime: &mut (impl Graph + Memory), moved: bool) {
        if moved {
            for tensor in 0..self.places.len() {
                // In this order: new memory may lie where memory lay that a buffer has just left.
                runtime.forget(tensor);
                self.bind(runtime, tensor as i32);
            }
        }
        for &orphan in &self.scratch.orphans {
            unbind(runtime, orphan);
        }
        if moved {
            return;
        }
        for &tensor in &self.scratch.queue {
            self.bind(runtime, tensor);
        }
        if !self.aliases.are_any() {
            return;
        }
        let replaced = self.scratch.replaced.iter().map(|replaced| replaced.tensor);
        let placed = self.scratch.rw.all().iter().chain(self.scratch.persistent.all()).map(|request| request.tensor);
        for root in replaced.chain(placed) {
            for member in self.aliases.members(root) {
                self.bind(runtime, member);
            }
        }
    }
}

impl Scratch {
    fn requests(&self, arena: Arena) -> &Requests {
        match arena {
            Arena::Rw => &self.rw,
            Arena::Persistent => &self.persistent,
        }
    }

    fn requests_mut(&mut self, arena: Arena) -> &mut Requests {
        match arena {
            Arena::Rw => &mut self.rw,
            Arena::Persistent => &mut self.persistent,
        }
    }

    /// Queues a tensor unless it is queued already or none at all.
    fn enqueue(&mut self, tensor: i32) {
        if let Some(mark) = at_mut(&mut self.queued, tensor)
            && !core::mem::replace(mark, true)
        {
            // There is room for every tensor.
            push_within(&mut self.queue, tensor);
        }
    }

    fn empty_queue(&mut self) {
        while let Some(tensor) = self.queue.pop() {
            if let Some(mark) = at_mut(&mut self.queued, tensor) {
                *mark = false;
            }
        }
    }
}

/// True when both lie in the ArenaRw arena and have the same size: what upstream asks before it shares.
fn can_share(runtime: &impl Graph, alias: i32, owner: i32) -> bool {
    let rw = |tensor: i32| tensor_now(runtime, tensor).filter(|tensor| tensor.arena == Some(Arena::Rw));
    match (rw(alias), rw(owner)) {
        (Some(alias), Some(owner)) => alias.bytes == owner.bytes,
        _ => false,
    }
}

fn tensor_now(runtime: &impl Graph, tensor: i32) -> Option<Tensor> {
    usize::try_from(tensor).ok().map(|at| runtime.tensor(at))
}
