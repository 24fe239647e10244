//! Plans graphs: a recorded one through the same calls as then.

use std::time::Instant;

use arena_packer::Bytes;
use arena_report::csv;

use super::{Arguments, Summary};
use crate::failure::Failure;
use crate::files::Input;
use crate::usage;

/// Plans the one graph that the file holds.
pub(super) fn plan(input: &Input, arguments: &Arguments) -> Result<(Vec<u8>, Summary), Failure> {
    for (option, is_given) in [("--alignment", arguments.alignment.is_some()), ("--steps", arguments.steps.is_some())] {
        if is_given {
            usage::refuse("plan", &format!("{option} is for CSV files: a graph is planned as a runtime would"));
        }
    }
    let start = Instant::now();
    let maps = input.maps(input.title(), arguments.strategy)?;
    let time = start.elapsed();
    let [map] = maps.as_slice() else {
        let text = format!(
            "it has {} graphs, each with an arena of its own: `tflite-arena report --graph N --csv FILE` writes one",
            maps.len()
        );
        return Err(input.refused(text));
    };
    if let Some(difference) = &map.not_replayed {
        return Err(input.refused(difference));
    }
    let content = csv::csv(map).map_err(|error| Failure::own(error.to_string()))?;
    Ok((content, Summary::of_map(map, arguments.capacity.map(Bytes), time)))
}
