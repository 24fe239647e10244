//! The strategies of a memory planner that search, as far as they are part of this build.

use alloc::vec::Vec;

use arena_planner::fallible::push;
use arena_planner::packing::{self, Buffer, Plan, Problem};
use arena_planner::{Alignment, Bytes, Error};

use crate::memory_planner::NOWHERE;
use crate::types::{TfliteArenaMemoryBuffer, TfliteArenaMemoryPlannerOptions, TfliteArenaStrategy};

/// Steps of `exact` where the caller has not said how many: it could search for ever, and some ten seconds are enough for most.
#[cfg(feature = "exact")]
const EXACT_STEPS: u64 = 1_000_000;

/// Searches for a plan; the strategy is one that searches.
pub(crate) fn search(
    buffers: &[TfliteArenaMemoryBuffer],
    default: Alignment,
    strategy: TfliteArenaStrategy,
    options: &TfliteArenaMemoryPlannerOptions,
) -> Result<Plan, Error> {
    let mut packed = Vec::new();
    for buffer in buffers {
        let &TfliteArenaMemoryBuffer { size, offset, first_node, last_node, .. } = buffer;
        let fixed = (offset != NOWHERE).then_some(Bytes(offset));
        let alignment = buffer.alignment(default);
        push(&mut packed, Buffer { first_node, last_node, size: Bytes(size), alignment, fixed })?;
    }
    let problem = Problem { buffers: &packed, gaps: &[] };
    let steps = |default| if options.steps == 0 { default } else { options.steps };
    match strategy {
        #[cfg(feature = "best")]
        TfliteArenaStrategy::Best => packing::best(&problem, steps(packing::BEST_STEPS)),
        #[cfg(feature = "exact")]
        TfliteArenaStrategy::Exact => {
            let capacity = (options.capacity != 0).then_some(Bytes(options.capacity));
            packing::exact(&problem, packing::Limits { steps: steps(EXACT_STEPS), capacity }, &mut ())
        }
        _ => packing::greedy(&problem),
    }
}
