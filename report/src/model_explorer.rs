//! Node data for Google's Model Explorer: a number a node, by which it colours the graph of a .tflite model.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::map::{MemoryMap, Node};
use crate::picture::indices;

/// What is told of each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The bytes of the arena that are needed while it runs.
    LiveBytes,
    /// The bytes of its outputs.
    OutputBytes,
}

/// A file without a graph's id: Model Explorer takes it for the graph that is open.
///
/// Nodes that have no key, as docs/report.md explains, are left out.
#[must_use]
pub fn model_explorer(map: &MemoryMap, values: Values) -> String {
    let keys = Keys::of(map);
    let live_bytes = map.live_bytes();
    let mut results = Map::new();
    for (at, node) in map.network.nodes.iter().enumerate() {
        let Some(key) = keys.of_node(map, at, node) else { continue };
        let bytes = match values {
            Values::LiveBytes => live_bytes.get(at).copied().unwrap_or(0),
            Values::OutputBytes => output_bytes(map, node),
        };
        results.insert(key, json!({ "value": bytes }));
    }
    let what = match values {
        Values::LiveBytes => "live bytes",
        Values::OutputBytes => "output bytes",
    };
    // From the smallest value to the largest.
    let gradient = json!([{ "stop": 0, "bgColor": "#fff5eb" }, { "stop": 1, "bgColor": "#d94801" }]);
    let data =
        json!({ "name": format!("{what}, {}", map.title), "results": Value::Object(results), "gradient": gradient });
    format!("{data}\n")
}

fn output_bytes(map: &MemoryMap, node: &Node) -> usize {
    indices(&node.outputs).fold(0, |sum, tensor| sum.saturating_add(map.network.tensors[tensor].bytes))
}

/// By what Model Explorer knows nodes: the names of their outputs, and where a name is not unique their numbers in the file.
struct Keys<'a> {
    /// How many tensors have a name.
    names: HashMap<&'a str, usize>,
    /// A delegate's node takes the place of others, so that positions are no longer those of the file.
    by_number: bool,
}

impl<'a> Keys<'a> {
    fn of(map: &'a MemoryMap) -> Keys<'a> {
        let mut names = HashMap::new();
        for tensor in &map.network.tensors {
            *names.entry(tensor.name.as_str()).or_insert(0) += 1;
        }
        Keys { names, by_number: !map.network.nodes.iter().any(Node::is_delegated) }
    }

    fn of_node(&self, map: &MemoryMap, at: usize, node: &Node) -> Option<String> {
        let names = indices(&node.outputs).map(|tensor| &map.network.tensors[tensor].name);
        let number = at.to_string();
        names
            .filter(|name| !name.is_empty())
            .find(|name| self.names.get(name.as_str()) == Some(&1))
            .cloned()
            // A number that is some tensor's name would be taken for that.
            .or_else(|| (self.by_number && !self.names.contains_key(number.as_str())).then_some(number))
    }
}
