//! Judges what was packed, by the validator that shares no code with the packer.

use arena_packer::packing::{Buffer, Plan, Problem};
use arena_packer::validate::{Clash, Placed, validate};

/// Whether the plan keeps buffers that are alive at once apart, aligned, where they are fixed, and below its height.
pub(crate) fn plan(problem: &Problem<'_>, plan: &Plan) -> Result<(), Clash> {
    let mut placed = Vec::new();
    for (id, (buffer, offset)) in problem.buffers.iter().zip(&plan.offsets).enumerate() {
        if buffer.size.0 > 0 && buffer.fixed.is_some_and(|fixed| fixed != *offset) {
            return Err(Clash::Misaligned { id });
        }
        pieces(problem, id, buffer, offset.0, &mut placed);
    }
    validate(&placed, plan.height.0)
}

/// Whether the fixed buffers can lie where they must.
pub(crate) fn fixed(problem: &Problem<'_>) -> Result<(), Clash> {
    let mut placed = Vec::new();
    for (id, buffer) in problem.buffers.iter().enumerate() {
        if let Some(offset) = buffer.fixed {
            pieces(problem, id, buffer, offset.0, &mut placed);
        }
    }
    validate(&placed, usize::MAX)
}

/// A buffer as it is between its gaps, and the windows that it has in them.
fn pieces(problem: &Problem<'_>, id: usize, buffer: &Buffer, offset: usize, placed: &mut Vec<Placed>) {
    let &Buffer { first_node, last_node, size, alignment, .. } = buffer;
    let whole = Placed { id, first_node, last_node, offset, size: size.0, alignment: alignment.get() };
    let mut from = first_node;
    let own = problem.gaps.partition_point(|gap| (gap.buffer as usize) < id);
    for gap in problem.gaps[own..].iter().take_while(|gap| gap.buffer as usize == id) {
        if from < gap.first_node {
            placed.push(Placed { first_node: from, last_node: gap.first_node - 1, ..whole });
        }
        if let Some((start, end)) = gap.window {
            let (first_node, last_node) = (gap.first_node, gap.last_node);
            let (offset, size) = (offset + start.0, end.0 - start.0);
            placed.push(Placed { id, first_node, last_node, offset, size, alignment: 1 });
        }
        from = gap.last_node + 1;
    }
    if from <= last_node {
        placed.push(Placed { first_node: from, ..whole });
    }
}
