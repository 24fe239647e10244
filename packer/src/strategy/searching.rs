//! Greedy's plan, unless a search finds a lower one.

use alloc::vec::Vec;

use super::{Greedy, Request, Strategy, Workspace};
use crate::bounds::{Demand, lower_bound};
use crate::collections::{OutOfMemory, extend, push, reserve};
use crate::occupancy::{Allocation, Occupancy};
use crate::packing::{self, Buffer, Plan, Problem};
use crate::{Alignment, Bytes, Error};

/// Searches a little: [`packing::best`].
#[cfg(feature = "best")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Best;

/// Searches for long: [`packing::exact`].
#[cfg(feature = "exact")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

#[cfg(feature = "best")]
impl Strategy for Best {
    fn place(
        &self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        reached: Bytes,
        workspace: &mut Workspace,
    ) -> Result<bool, Error> {
        place(requests, occupied, reached, workspace, &|problem| packing::best(problem, packing::BEST_STEPS))
    }
}

#[cfg(feature = "exact")]
impl Strategy for Exact {
    fn place(
        &self,
        requests: &mut [Request],
        occupied: &mut Occupancy,
        reached: Bytes,
        workspace: &mut Workspace,
    ) -> Result<bool, Error> {
        let limits = packing::Limits { steps: packing::EXACT_STEPS, capacity: None };
        place(requests, occupied, reached, workspace, &|problem| packing::exact(problem, limits, &mut ()))
    }
}

fn place(
    requests: &mut [Request],
    occupied: &mut Occupancy,
    reached: Bytes,
    workspace: &mut Workspace,
    search: &dyn Fn(&Problem<'_>) -> Result<Plan, Error>,
) -> Result<bool, Error> {
    let mut fixed = Vec::new();
    extend(&mut fixed, occupied.allocations())?;
    let complete = Greedy.place(requests, occupied, reached, workspace)?;
    let height = requests.iter().map(|request| request.allocation().end()).max().unwrap_or(Bytes::ZERO);
    let alignment = requests.iter().map(|request| request.alignment).min().unwrap_or_default();
    // Less than one step of the alignment is not worth a search.
    let lowest = reached.max(bound(requests, &fixed, alignment)?).saturating_add(Bytes(alignment.get()));
    if height < lowest {
        return Ok(complete);
    }
    let mut buffers = Vec::new();
    reserve(&mut buffers, requests.len() + fixed.len())?;
    for &Request { size, alignment, first_node, last_node, .. } in &*requests {
        push(&mut buffers, Buffer { first_node, last_node, size, alignment, fixed: None })?;
    }
    for &Allocation { offset, size, first_node, last_node, .. } in &fixed {
        push(&mut buffers, Buffer { first_node, last_node, size, alignment, fixed: Some(offset) })?;
    }
    let plan = search(&Problem { buffers: &buffers, gaps: &[] })?;
    if plan.height >= height {
        return Ok(complete);
    }
    for (request, &offset) in requests.iter_mut().zip(&plan.offsets) {
        request.offset = offset;
    }
    Ok(false)
}

/// What no plan can go below.
fn bound(requests: &[Request], fixed: &[Allocation], alignment: Alignment) -> Result<Bytes, OutOfMemory> {
    let all = requests.iter().map(Request::allocation).chain(fixed.iter().copied());
    let demands =
        all.clone().map(|Allocation { size, first_node, last_node, .. }| Demand { size, first_node, last_node });
    let nodes = all.map(|allocation| allocation.first_node).max().unwrap_or(0);
    lower_bound(demands, alignment, nodes as usize + 1)
}
