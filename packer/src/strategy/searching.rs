//! Greedy's plan, unless a search finds a lower one.

use alloc::vec::Vec;

use super::{Request, Workspace, greedy};
use crate::bounds::{Demand, lower_bound};
use crate::collections::{OutOfMemory, extend, push, push_within, reserve};
use crate::occupancy::{Allocation, Occupancy};
use crate::packing::{self, Buffer, Limits, Plan, Problem};
use crate::{Alignment, Bytes, Error};

/// What has been searched for before.
#[derive(Debug, Default)]
pub(super) struct Searches {
    /// The last ones; none is there twice.
    remembered: Vec<Remembered>,
    /// Which one the next takes the place of, once there are enough.
    next: usize,
    /// Steps of all searches since the graph was planned.
    spent: u64,
}

/// A runtime whose tensors change their sizes comes back to a few plans, not to many.
const REMEMBERED: usize = 8;

/// All that a search depends on, and what it found.
#[derive(Debug)]
struct Remembered {
    /// With the offsets that they were given.
    requests: Vec<Request>,
    fixed: Vec<Allocation>,
    reached: Bytes,
}

impl Searches {
    /// The graph is planned anew, and so all steps may be spent again.
    pub(super) fn restart(&mut self) {
        self.spent = 0;
    }

    fn find(&self, requests: &[Request], fixed: &[Allocation], reached: Bytes) -> Option<&Remembered> {
        let same = |old: &Request, new: &Request| *old == Request { offset: old.offset, ..*new };
        self.remembered.iter().find(|old| {
            old.reached == reached
                && old.fixed == fixed
                && old.requests.len() == requests.len()
                && old.requests.iter().zip(requests).all(|(old, new)| same(old, new))
        })
    }

    fn remember(&mut self, requests: &[Request], fixed: Vec<Allocation>, reached: Bytes) -> Result<(), OutOfMemory> {
        let mut list = Vec::new();
        extend(&mut list, requests)?;
        let new = Remembered { requests: list, fixed, reached };
        match self.remembered.get_mut(self.next) {
            Some(old) => *old = new,
            None => push(&mut self.remembered, new)?,
        }
        self.next = (self.next + 1) % REMEMBERED;
        Ok(())
    }
}

/// Searches a little: [`packing::best`].
#[cfg(feature = "best")]
pub(super) fn best(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    reached: Bytes,
    workspace: &mut Workspace,
) -> Result<bool, Error> {
    let most = packing::best_steps(requests.len());
    place(requests, occupied, reached, workspace, most, &packing::best)
}

/// Searches for long: [`packing::exact`].
#[cfg(feature = "exact")]
pub(super) fn exact(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    reached: Bytes,
    workspace: &mut Workspace,
) -> Result<bool, Error> {
    place(requests, occupied, reached, workspace, packing::EXACT_STEPS, &|problem, limits| {
        // With a capacity, nothing above it would be looked for.
        packing::exact(problem, Limits { capacity: None, ..limits }, &mut ())
    })
}

/// Greedy's plan, unless a search finds a lower one. All searches since the graph was planned take no more than `most` steps
/// together: a runtime that asks for one plan after the other in mid-run must not wait for each.
fn place(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    reached: Bytes,
    workspace: &mut Workspace,
    most: u64,
    search: &dyn Fn(&Problem<'_>, Limits) -> Result<Plan, Error>,
) -> Result<bool, Error> {
    let mut fixed = Vec::new();
    extend(&mut fixed, occupied.allocations())?;
    let complete = greedy::place(requests, occupied, workspace)?;
    let height = requests.iter().map(|request| request.allocation().end()).max().unwrap_or(Bytes::ZERO);
    let alignment = requests.iter().map(|request| request.alignment).min().unwrap_or_default();
    // Less than one step of the alignment is not worth a search.
    let lowest = reached.max(bound(requests, &fixed, alignment)?).saturating_add(Bytes(alignment.get()));
    if height < lowest {
        return Ok(complete);
    }
    let searches = &mut workspace.searches;
    if let Some(old) = searches.find(requests, &fixed, reached) {
        for (request, old) in requests.iter_mut().zip(&old.requests) {
            request.offset = old.offset;
        }
        return Ok(false);
    }
    let steps = most.saturating_sub(searches.spent);
    if steps == 0 {
        return Ok(complete);
    }
    let limits = Limits { steps, capacity: Some(lowest.saturating_sub(Bytes(1))) };
    let plan = search(&Problem { buffers: &buffers(requests, &fixed)?, gaps: &[] }, limits)?;
    searches.spent = searches.spent.saturating_add(plan.steps);
    let is_lower = plan.height < height;
    if is_lower {
        for (request, &offset) in requests.iter_mut().zip(&plan.offsets) {
            request.offset = offset;
        }
    }
    searches.remember(requests, fixed, reached)?;
    Ok(complete && !is_lower)
}

/// The requests, and behind them what lies fast.
fn buffers(requests: &[Request], fixed: &[Allocation]) -> Result<Vec<Buffer>, OutOfMemory> {
    let mut buffers = Vec::new();
    reserve(&mut buffers, requests.len() + fixed.len())?;
    for &Request { size, alignment, first_node, last_node, .. } in requests {
        push_within(&mut buffers, Buffer { first_node, last_node, size, alignment, fixed: None });
    }
    for &Allocation { offset, size, first_node, last_node, .. } in fixed {
        let fixed = Some(offset);
        push_within(&mut buffers, Buffer { first_node, last_node, size, alignment: Alignment::DEFAULT, fixed });
    }
    Ok(buffers)
}

/// What no plan can go below.
fn bound(requests: &[Request], fixed: &[Allocation], alignment: Alignment) -> Result<Bytes, OutOfMemory> {
    let all = requests.iter().map(Request::allocation).chain(fixed.iter().copied());
    let mut demands =
        all.clone().map(|Allocation { size, first_node, last_node, .. }| Demand { size, first_node, last_node });
    let nodes = all.map(|allocation| allocation.first_node).max().unwrap_or(0);
    lower_bound(&mut demands, alignment, nodes as usize + 1)
}

#[cfg(test)]
#[cfg(feature = "best")]
mod tests {
    use super::*;
    use core::cell::{Cell, RefCell};
    use std::vec::Vec;

    const STEPS: u64 = 6_000;

    /// Greedy leaves a hole: d at 0, c on it, as it is always alive, a below c, but b on c. With c on a and b, one unit less
    /// is needed. `unit` is a multiple of 64.
    fn hole(unit: usize) -> Vec<Request> {
        let request = |(tensor, (first_node, last_node, units)): (i32, (i32, i32, usize))| Request {
            tensor,
            size: Bytes(units * unit),
            alignment: Alignment::DEFAULT,
            first_node,
            last_node,
            whole_run: false,
            offset: Bytes::ZERO,
        };
        (0..).zip([(1, 2, 2), (1, 2, 2), (0, 3, 2), (3, 3, 3)]).map(request).collect()
    }

    /// Places them into an empty arena, and gives its height in units; `searches` counts.
    fn height(unit: usize, reached: Bytes, workspace: &mut Workspace, most: u64, searches: &Cell<usize>) -> usize {
        let mut requests = hole(unit);
        let search = |problem: &Problem<'_>, limits| {
            searches.set(searches.get() + 1);
            packing::best(problem, limits)
        };
        place(&mut requests, &mut Occupancy::default(), reached, workspace, most, &search).unwrap();
        requests.iter().map(|request| request.allocation().end().0 / unit).max().unwrap()
    }

    #[test]
    fn what_has_been_searched_for_is_remembered() {
        let (mut workspace, searches) = (Workspace::default(), Cell::new(0));
        // Two shapes in turn, and the graph planned anew between.
        for round in 0..3 {
            for unit in [64, 128] {
                assert_eq!(height(unit, Bytes::ZERO, &mut workspace, STEPS, &searches), 6);
            }
            workspace.restart();
            assert_eq!(searches.get(), 2, "round {round}");
        }
    }

    #[test]
    fn the_oldest_of_too_many_is_forgotten() {
        let (mut workspace, searches) = (Workspace::default(), Cell::new(0));
        for unit in (0..=REMEMBERED).chain([REMEMBERED, 0]) {
            assert_eq!(height(64 * (unit + 1), Bytes::ZERO, &mut workspace, STEPS, &searches), 6);
        }
        assert_eq!(searches.get(), REMEMBERED + 2);
    }

    #[test]
    fn no_more_is_searched_once_all_steps_are_spent() {
        let mut workspace = Workspace::default();
        // The steps that each search is allowed; it takes three and finds nothing.
        let allowed = RefCell::new(Vec::new());
        let search = |problem: &Problem<'_>, limits: Limits| {
            allowed.borrow_mut().push(limits.steps);
            packing::greedy(problem).map(|plan| Plan { steps: 3, ..plan })
        };
        let ask = |unit, workspace: &mut Workspace| {
            place(&mut hole(unit), &mut Occupancy::default(), Bytes::ZERO, workspace, 6, &search).unwrap();
        };
        for unit in [64, 128, 192] {
            ask(unit, &mut workspace);
        }
        assert_eq!(*allowed.borrow(), [6, 3]);
        workspace.restart();
        ask(192, &mut workspace);
        assert_eq!(*allowed.borrow(), [6, 3, 6]);
    }

    #[test]
    fn an_arena_that_is_as_high_anyway_is_not_searched() {
        let (mut workspace, searches) = (Workspace::default(), Cell::new(0));
        assert_eq!(height(64, Bytes(7 * 64), &mut workspace, STEPS, &searches), 7);
        assert_eq!(searches.get(), 0);
    }
}
