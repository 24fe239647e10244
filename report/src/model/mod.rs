//! Reads a .tflite file as the runtime would see its memory: from 2.14 to 2.16, on x86-64, without a delegate.
//!
//! [`schema`] checks the file as a whole and reads its tables; [`file`] makes plain values of them, with all indices checked;
//! [`prepare`] walks through the nodes as the runtime does before it plans: [`outputs`] tells where what they compute lives,
//! [`temporaries`] what is added for their kernels, and [`unknowns`] what cannot be told from the file.

mod element;
mod file;
mod operators;
mod outputs;
mod place;
mod prepare;
mod schema;
mod temporaries;
mod unknowns;

use crate::input::Refusal;
use crate::map::{MemoryMap, Options, Origin};
use crate::planning::Script;
use crate::strategy::Strategy;
use place::Place;
use prepare::Prepared;

pub(crate) use schema::is_model;

/// What the runtime's planner aligns tensors to.
const ALIGNMENT: usize = 64;

/// Plans all subgraphs of a model, each as the runtime does with a planner of its own.
pub(crate) fn read(content: &[u8], title: &str, strategy: Option<Strategy>) -> Result<Vec<MemoryMap>, Refusal> {
    let options = Options {
        strategy: Some(strategy.unwrap_or(Strategy::Best)),
        alignment: ALIGNMENT,
        preserve_all_tensors: false,
        preserve_inputs: true,
        replace_range: false,
    };
    let subgraphs = file::read(content)?;
    let is_only = subgraphs.len() == 1;
    let map = |(index, subgraph)| {
        let prepared = prepare::prepare(subgraph, index)?;
        let title = match prepared.name.as_str() {
            _ if is_only => title.to_owned(),
            "" => format!("{title}, subgraph {index}"),
            name => format!("{title}, subgraph {index} ({name})"),
        };
        let origin = Origin::Model { subgraph: index, file_bytes: content.len() };
        plan(prepared, &title, origin, options).map_err(|refusal| Refusal::at(Place::Subgraph(index), refusal))
    };
    subgraphs.into_iter().enumerate().map(map).collect()
}

fn plan(prepared: Prepared, title: &str, origin: Origin, options: Options) -> Result<MemoryMap, Refusal> {
    let Prepared { network, executions, unknowns, .. } = prepared;
    let script = Script::of(&network, &executions);
    let map = MemoryMap { unknowns, ..MemoryMap::unplaced(title, origin, options, network, script) };
    map.replanned(options)
}
