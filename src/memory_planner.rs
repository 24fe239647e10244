//! The object behind `tflite_memory_planner_…`: buffers that come one by one, and the plan for them.

use alloc::vec::Vec;

use arena_planner::fallible::{grow, push};
use arena_planner::packing::{self, Buffer, Plan, Problem};
use arena_planner::validate::{Clash, Placed, validate};
use arena_planner::{Alignment, Bytes, Error};

use crate::boundary::Object;
use crate::last_error::LastError;
use crate::status::Failure;
use crate::types::{TfliteArenaMemoryBuffer, TfliteArenaMemoryPlannerOptions, TfliteArenaStrategy};

/// In the place of an offset: there is none.
pub(crate) const NOWHERE: usize = usize::MAX;

/// A planner for buffers without a graph.
pub struct TfliteArenaMemoryPlanner {
    /// As they were added: with an alignment of 0 where the options of a plan are to say it.
    buffers: Vec<TfliteArenaMemoryBuffer>,
    /// Of these very buffers.
    plan: Option<Plan>,
    error: LastError,
}

impl Object for TfliteArenaMemoryPlanner {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaMemoryPlanner {
    pub(crate) fn new() -> TfliteArenaMemoryPlanner {
        TfliteArenaMemoryPlanner { buffers: Vec::new(), plan: None, error: LastError::new() }
    }

    pub(crate) fn add(&mut self, buffer: TfliteArenaMemoryBuffer) -> Result<i32, Failure> {
        if buffer.first_node < 0 || buffer.last_node < buffer.first_node {
            return Err(Error::Refused("a buffer's nodes are negative, or the last comes before the first").into());
        }
        if buffer.alignment != 0 {
            Alignment::new(buffer.alignment)?;
        }
        let count = self.buffers.len();
        let handle = i32::try_from(count).map_err(|_| Error::TooMany { count })?;
        push(&mut self.buffers, buffer)?;
        self.plan = None;
        Ok(handle)
    }

    pub(crate) fn handle(&self, index: usize) -> Result<i32, Failure> {
        if index < self.buffers.len() { Ok(index as i32) } else { Err(Failure::Handle(index)) }
    }

    pub(crate) fn current(&self) -> Result<&Plan, Error> {
        self.plan.as_ref().ok_or(Error::NotPlanned)
    }

    pub(crate) fn offset(&self, handle: i32) -> Result<usize, Failure> {
        let offset = self.current()?.offsets.get(handle as usize);
        Ok(offset.ok_or(Failure::Handle(handle as usize))?.0)
    }

    /// # Safety
    /// The options' callbacks and what they are handed are what `TfliteArenaMemoryPlannerOptions` says.
    pub(crate) unsafe fn plan(&mut self, options: &TfliteArenaMemoryPlannerOptions) -> Result<(), Failure> {
        let default = Alignment::new(options.alignment)?;
        let strategy = TfliteArenaStrategy::try_from(options.strategy)?;
        let (mut views, mut buffers) = (Vec::new(), Vec::new());
        let mut is_judged = false;
        for &(mut view) in &self.buffers {
            let alignment = Alignment::new(view.alignment).unwrap_or(default);
            view.alignment = alignment.get();
            push(&mut views, view)?;
            let TfliteArenaMemoryBuffer { size, offset, first_node, last_node, .. } = view;
            let fixed = (offset != NOWHERE).then_some(Bytes(offset));
            // Nobody has looked whether they can all lie where they must.
            is_judged |= fixed.is_some();
            push(&mut buffers, Buffer { first_node, last_node, size: Bytes(size), alignment, fixed })?;
        }
        let problem = Problem { buffers: &buffers, gaps: &[] };
        let plan = match (options.order, options.place) {
            (None, None) => match strategy {
                TfliteArenaStrategy::Greedy => packing::greedy(&problem)?,
                TfliteArenaStrategy::InOrder => packing::in_order(&problem)?,
                TfliteArenaStrategy::Best => return Err(Error::Unsupported("strategy best").into()),
                TfliteArenaStrategy::Exact => return Err(Error::Unsupported("strategy exact").into()),
            },
            (Some(order), None) => {
                let mut handles = Vec::new();
                grow(&mut handles, views.len(), -1)?;
                // SAFETY: by this function's contract; both arrays have that many elements.
                agreed(unsafe { order(options.user, views.as_ptr(), views.len(), handles.as_mut_ptr()) })?;
                packing::in_given_order(&problem, &handles)?
            }
            (None, Some(place)) => {
                let mut offsets = Vec::new();
                grow(&mut offsets, views.len(), NOWHERE)?;
                // SAFETY: as above.
                agreed(unsafe { place(options.user, views.as_ptr(), views.len(), offsets.as_mut_ptr()) })?;
                is_judged = true;
                placed(&problem, &offsets)?
            }
            (Some(_), Some(_)) => return Err(Error::Refused("order and place are both set").into()),
        };
        if is_judged {
            judge(&problem, &plan)?;
        }
        if options.capacity != 0 && plan.height.0 > options.capacity {
            return Err(Failure::AboveCapacity(plan.height.0));
        }
        self.plan = Some(plan);
        Ok(())
    }
}

/// What a callback returned.
fn agreed(status: i32) -> Result<(), Error> {
    if status == 0 { Ok(()) } else { Err(Error::Refused("the caller's strategy failed")) }
}

/// A plan of offsets that are still to be judged.
fn placed(problem: &Problem<'_>, offsets: &[usize]) -> Result<Plan, Error> {
    let lower_bound = packing::lower_bound(problem)?;
    let mut plan = Plan { offsets: Vec::new(), height: Bytes::ZERO, lower_bound, steps: 0 };
    for (buffer, &offset) in problem.buffers.iter().zip(offsets) {
        let offset = if buffer.size == Bytes::ZERO { Bytes::ZERO } else { Bytes(offset) };
        plan.height = plan.height.max(offset.saturating_add(buffer.size));
        push(&mut plan.offsets, offset)?;
    }
    Ok(plan)
}

/// Refuses a plan in which a buffer lies where it may not, or two use the same bytes at once.
fn judge(problem: &Problem<'_>, plan: &Plan) -> Result<(), Failure> {
    let mut all = Vec::new();
    for (id, (buffer, &offset)) in problem.buffers.iter().zip(&plan.offsets).enumerate() {
        let &Buffer { first_node, last_node, size: Bytes(size), alignment, fixed } = buffer;
        if size > 0 && fixed.is_some_and(|fixed| fixed != offset) {
            return Err(Failure::Misplaced(id));
        }
        push(&mut all, Placed { id, first_node, last_node, offset: offset.0, size, alignment: alignment.get() })?;
    }
    validate(&all, plan.height.0).map_err(|clash| match clash {
        Clash::Overlap { first, second, .. } => Failure::Overlap(first, second),
        Clash::Misaligned { id } | Clash::OutOfArena { id, .. } | Clash::Overflow { id } | Clash::NeverAlive { id } => {
            Failure::Misplaced(id)
        }
    })
}
