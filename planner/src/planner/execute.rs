//! `ExecuteAllocations`: gives the tensors of a range of nodes their places, all or none.

use core::ops::RangeInclusive;

use super::{Place, Planner, Scratch, State};
use crate::collections::{grow, push};
use crate::occupancy::Allocation;
use crate::strategy::{Request, Strategy};
use crate::topology::check;
use crate::{Arena, Bytes, END, Error, Graph, Memory, Tensor};

impl Planner {
    /// `ExecuteAllocations`: places the tensors that the nodes `first..=last` use, around all that is alive, commits both
    /// arenas and points the tensors at their places.
    ///
    /// A `last` beyond the end is the end; `last < first` places nothing. Sizes, types and temporaries are read anew, so
    /// a tensor that grew gets a new place; a persistent one keeps its bytes. On an error no place and no pointer has
    /// changed, except that pointers follow a buffer that has moved.
    pub fn execute(
        &mut self,
        runtime: &mut (impl Graph + Memory),
        first: i32,
        last: i32,
    ) -> Result<(), Error> {
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
        for tensor in self.scratch.queue.drain(..) {
            if let Some(mark) = usize::try_from(tensor)
                .ok()
                .and_then(|at| self.scratch.queued.get_mut(at))
            {
                *mark = false;
            }
        }
        done
    }

    fn execute_nodes(
        &mut self,
        runtime: &mut (impl Graph + Memory),
        nodes: RangeInclusive<i32>,
    ) -> Result<(), Error> {
        grow(&mut self.scratch.queued, self.usages.len(), false)?;
        self.scratch.replaced.clear();
        self.scratch.orphans.clear();
        self.note_temporaries(runtime, nodes.clone())?;
        self.drop_stale_aliases(runtime, nodes.clone());
        self.collect(runtime, nodes.clone())?;

        let mut moved = false;
        let placed = self
            .make_requests(runtime)
            .and_then(|()| self.place_requests(*nodes.start()))
            .and_then(|()| self.commit(runtime, &mut moved));
        if placed.is_ok() {
            self.keep_persistent_bytes(runtime);
        } else {
            self.put_back();
        }
        if moved {
            for tensor in 0..self.places.len() {
                self.bind(runtime, tensor as i32);
            }
        }
        if placed.is_ok() {
            self.bind_queue(runtime);
        }
        placed
    }

    /// Temporaries live at their nodes. One that several nodes use lives from the first to the last of them.
    fn note_temporaries(&mut self, runtime: &impl Graph, nodes: RangeInclusive<i32>) -> Result<(), Error> {
        let available = runtime.num_nodes().min(self.topology.num_nodes());
        for at in nodes {
            let Some(node) = usize::try_from(at).ok().filter(|&node| node < available) else {
                break;
            };
            let temporaries = runtime.node(node)?.temporaries;
            check(temporaries, at, self.usages.len())?;
            for &tensor in temporaries {
                let Some(usage) = usize::try_from(tensor).ok().and_then(|t| self.usages.get_mut(t)) else {
                    continue;
                };
                usage.temporary = (usage.temporary.0.min(at), usage.temporary.1.max(at));
                if usage.writers > 0 || usage.references > 0 {
                    self.aliases.isolate(tensor, &self.usages);
                }
                self.scratch.enqueue(tensor)?;
            }
        }
        Ok(())
    }

    /// Takes back what no longer fits: since planning, a tensor may have changed its size or its kind of memory.
    fn drop_stale_aliases(&mut self, runtime: &impl Graph, nodes: RangeInclusive<i32>) {
        for node in nodes.filter_map(|node| usize::try_from(node).ok()) {
            for &output in self.topology.outputs.row(node) {
                if self.aliases.is_alias(output) && !self.can_share(runtime, output) {
                    self.aliases.split(output, &self.usages);
                }
            }
        }
    }

    fn can_share(&self, runtime: &impl Graph, alias: i32) -> bool {
        let fit = |tensor: i32| tensor_now(runtime, tensor).filter(|tensor| tensor.arena == Some(Arena::Rw));
        let root = self.aliases.root(alias);
        match (fit(alias), fit(root)) {
            (Some(alias), Some(root)) => alias.bytes == root.bytes,
            _ => false,
        }
    }

    /// Queues every tensor that may need a place or a pointer.
    fn collect(&mut self, runtime: &impl Graph, nodes: RangeInclusive<i32>) -> Result<(), Error> {
        let scratch = &mut self.scratch;
        if nodes.contains(&0) {
            for &tensor in self.topology.graph_inputs.iter().chain(&self.topology.variables) {
                scratch.enqueue(tensor)?;
            }
        }
        for node in nodes.filter_map(|node| usize::try_from(node).ok()) {
            for &tensor in self.topology.outputs.row(node) {
                scratch.enqueue(tensor)?;
                scratch.enqueue(self.aliases.root(tensor))?;
            }
            // What the range reads has its place already, unless it has grown out of it.
            for &tensor in self.topology.inputs.row(node) {
                let root = self.aliases.root(tensor);
                let place = usize::try_from(root)
                    .ok()
                    .and_then(|at| self.places.get(at))
                    .copied()
                    .flatten();
                let (Some(place), Some(now)) = (place, tensor_now(runtime, root)) else {
                    continue;
                };
                if now.bytes > place.allocation.size {
                    scratch.enqueue(root)?;
                }
            }
        }
        Ok(())
    }

    /// Turns the queue into requests for each arena, and takes their present places away.
    fn make_requests(&mut self, runtime: &impl Graph) -> Result<(), Error> {
        self.scratch.rw.clear();
        self.scratch.persistent.clear();
        for at in 0..self.scratch.queue.len() {
            let Some(&tensor) = self.scratch.queue.get(at) else {
                break;
            };
            if self.aliases.is_alias(tensor) {
                continue;
            }
            let Some(now) = tensor_now(runtime, tensor) else {
                continue;
            };
            let Some((first_node, last_node)) = self.interval(tensor) else {
                continue;
            };
            let place = self.place(tensor);
            let Some(arena) = now.arena else {
                if place.is_some() {
                    self.replace(tensor, place)?;
                }
                continue;
            };
            let whole_run = first_node == 0 && last_node == END;
            let last_node = if arena == Arena::Persistent {
                END
            } else {
                last_node
            };
            let kept = place.is_some_and(|place| {
                place.arena == arena
                    && place.allocation.size >= now.bytes
                    && place.allocation.first_node <= first_node
                    && place.allocation.last_node >= last_node
            });
            if kept {
                continue;
            }
            self.replace(tensor, place)?;
            if now.bytes == Bytes::ZERO {
                continue;
            }
            if place.is_some() {
                self.orphan_members(runtime, tensor)?;
            }
            let request = Request {
                tensor,
                size: now.bytes,
                alignment: self.options.tensor_alignment,
                first_node,
                last_node,
                whole_run,
                position: at,
                offset: Bytes::ZERO,
            };
            let requests = match arena {
                Arena::Rw => &mut self.scratch.rw,
                Arena::Persistent => &mut self.scratch.persistent,
            };
            push(requests, request)?;
        }
        Ok(())
    }

    /// Notes the old place of a tensor, so that it can be put back, and takes it away.
    fn replace(&mut self, tensor: i32, old: Option<Place>) -> Result<(), Error> {
        push(&mut self.scratch.replaced, (tensor, old))?;
        self.set_place(tensor, None);
        Ok(())
    }

    /// Splits off those that can no longer share with a tensor that gets a new place, though their nodes are elsewhere.
    fn orphan_members(&mut self, runtime: &impl Graph, root: i32) -> Result<(), Error> {
        loop {
            let misfit = self
                .aliases
                .members(root)
                .find(|&member| member != root && !self.can_share(runtime, member));
            let Some(member) = misfit else { return Ok(()) };
            push(&mut self.scratch.orphans, member)?;
            self.aliases.split(member, &self.usages);
        }
    }

    fn place_requests(&mut self, first: i32) -> Result<(), Error> {
        let from = self
            .scratch
            .rw
            .iter()
            .fold(first, |from, request| from.min(request.first_node));
        let vacated =
            |arena: Arena| move |&(_, old): &(i32, Option<Place>)| old.is_some_and(|old| old.arena == arena);
        let rw_vacated = self.scratch.replaced.iter().any(vacated(Arena::Rw));
        if !self.scratch.rw.is_empty() || rw_vacated {
            self.open_rw(from, rw_vacated)?;
        }
        let strategy = self.options.strategy;
        strategy.place(&mut self.scratch.rw, &mut self.rw.occupied)?;
        // The old places of persistent tensors stay occupied until their bytes have been copied.
        strategy.place(&mut self.scratch.persistent, &mut self.persistent.occupied)?;
        self.settle();
        if rw_vacated {
            self.rw.needed = self.height(Arena::Rw);
        }
        Ok(())
    }

    /// Makes `rw.occupied` hold what is alive at `from` or later, and nothing that was taken away.
    fn open_rw(&mut self, from: i32, vacated: bool) -> Result<(), Error> {
        let mut rw = core::mem::take(&mut self.rw);
        let complete = from >= rw.complete_from;
        let opened = if complete && !vacated {
            rw.occupied.retain(|allocation| allocation.last_node >= from);
            Ok(())
        } else {
            rw.occupied.rebuild(
                self.allocations(Arena::Rw)
                    .filter(|allocation| allocation.last_node >= from),
            )
        };
        rw.complete_from = if opened.is_ok() { from } else { END };
        self.rw = rw;
        opened
    }

    /// Writes the offsets that were found into the places.
    fn settle(&mut self) {
        for arena in [Arena::Rw, Arena::Persistent] {
            let requests = match arena {
                Arena::Rw => core::mem::take(&mut self.scratch.rw),
                Arena::Persistent => core::mem::take(&mut self.scratch.persistent),
            };
            for &Request {
                tensor,
                size,
                first_node,
                last_node,
                offset,
                ..
            } in &requests
            {
                let allocation = Allocation {
                    offset,
                    size,
                    tensor,
                    first_node,
                    last_node,
                };
                self.set_place(tensor, Some(Place { arena, allocation }));
                let needed = &mut self.tenancy(arena).needed;
                *needed = (*needed).max(allocation.end());
            }
            match arena {
                Arena::Rw => self.scratch.rw = requests,
                Arena::Persistent => self.scratch.persistent = requests,
            }
        }
    }

    fn commit(&mut self, runtime: &mut impl Memory, moved: &mut bool) -> Result<(), Error> {
        runtime.commit(Arena::Rw, self.rw.needed, moved)?;
        self.has_nonpersistent_memory = true;
        runtime.commit(Arena::Persistent, self.persistent.needed, moved)
    }

    /// Copies the bytes of persistent tensors that grew, and gives their old places free.
    fn keep_persistent_bytes(&mut self, runtime: &mut impl Memory) {
        let mut vacated = false;
        for &(tensor, old) in &self.scratch.replaced {
            let Some(old) = old.filter(|old| old.arena == Arena::Persistent) else {
                continue;
            };
            vacated = true;
            if let Some(new) = self.place(tensor).filter(|new| new.arena == Arena::Persistent) {
                let len = old.allocation.size.min(new.allocation.size);
                runtime.copy(
                    Arena::Persistent,
                    old.allocation.offset,
                    new.allocation.offset,
                    len,
                );
            }
        }
        if vacated {
            self.trim_persistent();
        }
    }

    /// Takes out of the persistent arena's occupancy what is not, or no longer, a place in force.
    fn trim_persistent(&mut self) {
        let mut occupied = core::mem::take(&mut self.persistent.occupied);
        occupied.retain(|allocation| {
            self.place(allocation.tensor)
                .is_some_and(|place| place.allocation == *allocation)
        });
        self.persistent.occupied = occupied;
        self.persistent.needed = self.height(Arena::Persistent);
    }

    /// Undoes what [`Planner::replace`] and [`Planner::settle`] did.
    fn put_back(&mut self) {
        let replaced = core::mem::take(&mut self.scratch.replaced);
        for &(tensor, old) in &replaced {
            self.set_place(tensor, old);
        }
        self.scratch.replaced = replaced;
        self.rw.needed = self.height(Arena::Rw);
        self.rw.complete_from = END;
        self.trim_persistent();
    }

    fn bind_queue(&self, runtime: &mut (impl Graph + Memory)) {
        for &tensor in &self.scratch.orphans {
            if let (
                Ok(at),
                Some(Tensor {
                    arena: Some(Arena::Rw),
                    ..
                }),
            ) = (usize::try_from(tensor), tensor_now(runtime, tensor))
            {
                runtime.bind(at, None);
            }
        }
        for &tensor in &self.scratch.queue {
            self.bind(runtime, tensor);
        }
        for &(tensor, _) in &self.scratch.replaced {
            for member in self.aliases.members(tensor) {
                self.bind(runtime, member);
            }
        }
    }
}

impl Scratch {
    /// Queues a tensor unless it is queued already or none at all.
    fn enqueue(&mut self, tensor: i32) -> Result<(), Error> {
        let Some(mark) = usize::try_from(tensor)
            .ok()
            .and_then(|at| self.queued.get_mut(at))
        else {
            return Ok(());
        };
        if !*mark {
            push(&mut self.queue, tensor)?;
            *mark = true;
        }
        Ok(())
    }
}

fn tensor_now(runtime: &impl Graph, tensor: i32) -> Option<Tensor> {
    usize::try_from(tensor).ok().map(|at| runtime.tensor(at))
}
