//! A table of buffers as a map.

use arena_packer::packing::Buffer;
use arena_planner::END;

use super::Refusal;
use crate::map::{Gap, Kind, MemoryMap, Network, Options, Origin, Tensor};
use crate::planning::{Buffers, Script};
use crate::strategy::Strategy;
use crate::table::Table;

/// Keeps the places of a table that has them all, else or by a given strategy makes them.
pub(super) fn map(table: &Table, title: &str, strategy: Option<Strategy>) -> Result<MemoryMap, Refusal> {
    let problem = table.problem();
    let buffers = problem.buffers.to_vec();
    let tensor = |(position, buffer): (usize, &Buffer)| Tensor {
        name: table.id(position).to_owned(),
        data_type: String::new(),
        shape: None,
        bytes: buffer.size.0,
        kind: Kind::ArenaRw,
    };
    let gap = |gap: &arena_packer::packing::Gap| Gap {
        tensor: gap.buffer as usize,
        first_node: gap.first_node,
        last_node: gap.last_node,
        window: gap.window.map(|(start, end)| (start.0, end.0)),
    };
    let all_are_placed = buffers.iter().all(|buffer| buffer.fixed.is_some());
    let last = buffers.iter().map(|buffer| buffer.last_node).filter(|&last| last != END).max();
    let options = Options {
        strategy: strategy.or((!all_are_placed).then_some(Strategy::Best)),
        alignment: buffers.iter().map(|buffer| buffer.alignment.get()).min().unwrap_or(1),
        preserve_all_tensors: false,
        preserve_inputs: true,
        replace_range: false,
    };
    let network = Network { tensors: buffers.iter().enumerate().map(tensor).collect(), ..Network::default() };
    let script = Script::Table(Buffers { buffers, gaps: problem.gaps.to_vec() });
    let map = MemoryMap {
        steps: last.and_then(|last| usize::try_from(last).ok()).unwrap_or(0) + 1,
        gaps: problem.gaps.iter().map(gap).collect(),
        times: table.times().to_vec(),
        ..MemoryMap::unplaced(title, Origin::Table, options, network, script)
    };
    map.replanned(options)
}
