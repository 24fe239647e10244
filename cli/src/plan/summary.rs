//! The line with the figures of a plan.

use std::fmt;
use std::time::Duration;

use arena_packer::bounds::{self, Demand};
use arena_packer::packing::{Plan, Problem};
use arena_packer::{Alignment, Bytes};

/// The figures.
#[derive(Debug)]
pub(crate) struct Summary {
    buffers: usize,
    naive: Bytes,
    lower_bound: Bytes,
    height: Bytes,
    capacity: Option<Bytes>,
    steps: u64,
    interrupted: bool,
    time: Duration,
}

impl Summary {
    pub(crate) fn new(
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
        Summary { buffers: problem.buffers.len(), naive, lower_bound, height, capacity, steps, interrupted, time }
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
        let Summary { buffers, naive, lower_bound, height, steps, time, .. } = self;
        write!(f, "{buffers} buffers, naive {}, lower bound {}, height {}, ", naive.0, lower_bound.0, height.0)?;
        write!(f, "gap {:.2} %, ", self.gap())?;
        f.write_str(if height == lower_bound { "optimal, " } else { "not proven optimal, " })?;
        write!(f, "{steps} steps, {:.6} s", time.as_secs_f64())?;
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
