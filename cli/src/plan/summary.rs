//! The line with the figures of a plan.

use std::fmt;
use std::time::Duration;

use arena_packer::bounds::{self, Demand};
use arena_packer::packing::{Plan, Problem};
use arena_packer::{Alignment, Bytes};
use arena_report::MemoryMap;
use arena_report::map::Totals;

/// The figures.
#[derive(Debug)]
pub(crate) struct Summary {
    /// How many buffers or tensors, and which of both.
    planned: (usize, &'static str),
    naive: Bytes,
    lower_bound: Bytes,
    height: Bytes,
    capacity: Option<Bytes>,
    /// Bytes beside the arena, where there can be any.
    persistent: Option<usize>,
    /// How long was searched, where that is known.
    steps: Option<u64>,
    interrupted: bool,
    time: Duration,
}

impl Summary {
    /// Of buffers of a table.
    pub(crate) fn of_plan(
        problem: &Problem<'_>,
        plan: &Plan,
        capacity: Option<Bytes>,
        interrupted: bool,
        time: Duration,
    ) -> Summary {
        let alignment = problem.buffers.iter().map(|buffer| buffer.alignment).min().unwrap_or(Alignment::DEFAULT);
        let demands = problem.buffers.iter().map(|buffer| Demand {
            size: buffer.size,
            first_node: buffer.first_node,
            last_node: buffer.last_node,
        });
        let &Plan { height, lower_bound, steps, .. } = plan;
        let naive = bounds::naive(demands, alignment);
        let (planned, persistent, steps) = ((problem.buffers.len(), "buffers"), None, Some(steps));
        Summary { planned, naive, lower_bound, height, capacity, persistent, steps, interrupted, time }
    }

    /// Of a graph's tensors.
    pub(crate) fn of_map(map: &MemoryMap, capacity: Option<Bytes>, time: Duration) -> Summary {
        let Totals { naive, arena, lower_bound, persistent, placed, .. } = map.totals;
        Summary {
            planned: (placed, "tensors"),
            naive: Bytes(naive),
            lower_bound: Bytes(lower_bound),
            height: Bytes(arena),
            capacity,
            persistent: Some(persistent),
            steps: None,
            interrupted: false,
            time,
        }
    }

    /// True, too, when none was asked for.
    pub(crate) fn capacity_is_met(&self) -> bool {
        self.capacity.is_none_or(|capacity| self.height <= capacity)
    }

    /// By how much the height is above the lower bound, in per cent.
    fn gap(&self) -> f64 {
        let Summary { height, lower_bound, .. } = self;
        if height == lower_bound { 0.0 } else { 100.0 * (height.0 as f64 / lower_bound.0 as f64 - 1.0) }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { planned: (count, what), naive, lower_bound, height, time, .. } = self;
        write!(f, "{count} {what}, naive {}, lower bound {}, height {}, ", naive.0, lower_bound.0, height.0)?;
        write!(f, "gap {:.2} %, ", self.gap())?;
        f.write_str(if height == lower_bound { "optimal, " } else { "not proven optimal, " })?;
        if let Some(persistent) = self.persistent {
            write!(f, "persistent {persistent}, ")?;
        }
        if let Some(steps) = self.steps {
            write!(f, "{steps} steps, ")?;
        }
        write!(f, "{:.6} s", time.as_secs_f64())?;
        if let Some(capacity) = self.capacity {
            let met = match self.capacity_is_met() {
                true => "met",
                false if *lower_bound > capacity => "cannot be met",
                false => "not met",
            };
            write!(f, ", capacity {} {met}", capacity.0)?;
        }
        if self.interrupted { f.write_str(", interrupted") } else { Ok(()) }
    }
}
