//! The strategies of a memory planner that search, as far as they are part of this build.

use alloc::vec::Vec;

use arena_planner::fallible::{OutOfMemory, push};
use arena_planner::packing::{self, Buffer, Limits, Plan, Problem};
use arena_planner::strategy::Choice;
use arena_planner::{Alignment, Bytes, Error};

use crate::memory_planner::NOWHERE;
use crate::types::{TfliteArenaMemoryBuffer, TfliteArenaMemoryPlannerOptions};

/// Searches for a plan; `None` if the strategy is one that does not search.
pub(crate) fn search(
    buffers: &[TfliteArenaMemoryBuffer],
    default: Alignment,
    strategy: Choice,
    options: &TfliteArenaMemoryPlannerOptions,
) -> Result<Option<Plan>, Error> {
    let capacity = (options.capacity != 0).then_some(Bytes(options.capacity));
    let limits = |default| Limits { steps: if options.steps == 0 { default } else { options.steps }, capacity };
    match strategy {
        Choice::Greedy | Choice::InOrder => Ok(None),
        #[cfg(feature = "best")]
        Choice::Best => {
            packing::best(&problem(&packed(buffers, default)?), limits(packing::best_steps(buffers.len()))).map(Some)
        }
        #[cfg(feature = "exact")]
        Choice::Exact => {
            packing::exact(&problem(&packed(buffers, default)?), limits(packing::EXACT_STEPS), &mut ()).map(Some)
        }
    }
}

fn problem(buffers: &[Buffer]) -> Problem<'_> {
    Problem { buffers, gaps: &[] }
}

fn packed(buffers: &[TfliteArenaMemoryBuffer], default: Alignment) -> Result<Vec<Buffer>, OutOfMemory> {
    let mut packed = Vec::new();
    for buffer in buffers {
        let &TfliteArenaMemoryBuffer { size, offset, first_node, last_node, .. } = buffer;
        let fixed = (offset != NOWHERE).then_some(Bytes(offset));
        let alignment = buffer.alignment(default);
        push(&mut packed, Buffer { first_node, last_node, size: Bytes(size), alignment, fixed })?;
    }
    Ok(packed)
}
