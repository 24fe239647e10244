//! The tensors of the arena as a table that `tflite-arena plan` reads.

use csv::Writer;

use arena_planner::Arena;

use crate::map::{Gap, MemoryMap, Origin, Place};
use crate::planning::Script;

/// A row for each tensor that owns bytes of the arena: where it lies, from which node up to, but not at, which, its name and type.
///
/// What is never given back is kept up to the end of the graph.
///
/// # Errors
///
/// None is known; what writes CSV can fail in general.
pub fn csv(map: &MemoryMap) -> csv::Result<Vec<u8>> {
    let has_gaps = !map.gaps.is_empty();
    let mut writer = Writer::from_writer(Vec::new());
    let heading = ["id", "lower", "upper", "size", "alignment", "offset", "name", "type"];
    writer.write_record(heading.into_iter().chain(has_gaps.then_some("gaps")))?;
    for (tensor, place) in map.owners(Arena::Rw) {
        let &Place { first_node, size, offset, .. } = place;
        let network = &map.network.tensors[tensor];
        let id = if matches!(map.origin, Origin::Table) { network.name.clone() } else { tensor.to_string() };
        let numbers = [first_node as usize, upper(map, place.last_node), size, alignment(map, tensor), offset];
        let cells = numbers.map(|number| number.to_string());
        let words = [network.name.clone(), network.data_type.clone()];
        let gaps = has_gaps.then(|| gaps(map, tensor));
        writer.write_record([id].into_iter().chain(cells).chain(words).chain(gaps))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The node after the last one.
fn upper(map: &MemoryMap, last_node: i32) -> usize {
    usize::try_from(last_node).map_or(0, |last| last.min(map.steps - 1) + 1)
}

/// What its offset is a multiple of.
fn alignment(map: &MemoryMap, tensor: usize) -> usize {
    match &map.script {
        Script::Calls(_) => map.options.alignment,
        Script::Table(table) => table.buffers[tensor].alignment.get(),
    }
}

/// Its gaps, as `plan` reads them.
fn gaps(map: &MemoryMap, tensor: usize) -> String {
    let text = |gap: &Gap| {
        let window = gap.window.map_or_else(String::new, |(start, end)| format!("@{start}:{end}"));
        format!("{}-{}{window}", gap.first_node, upper(map, gap.last_node))
    };
    map.gaps_of(tensor).iter().map(text).collect::<Vec<_>>().join(" ")
}
