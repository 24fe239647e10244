//! Small graphs for tests, from a few lines of text.

use crate::map::{Kind, MemoryMap, Network, Node, Options, Origin, Tensor};
use crate::planning::Script;
use crate::strategy::Strategy;

/// Plans a graph greedily, as a recording of planner 1 of process 1 would have it. Lines are
///
/// ```text
/// x 640 input             a tensor: its name, bytes, and what else it is
/// DEPTHWISE@3 x w -> a    a node: its operator, in-place flags, inputs, outputs
/// CUSTOM:name a -> b | t  one that has a name, and a temporary
/// ```
///
/// What else a tensor can be: `input`, `output`, `variable`; `constant`, `persistent`, `dynamic`; any other word is its data type.
pub(crate) fn graph(text: &str) -> MemoryMap {
    let mut network = Network::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once("->") {
            Some((from, to)) => add_node(&mut network, from, to),
            None => add_tensor(&mut network, line),
        }
    }
    planned(network)
}

/// Plans a graph greedily, with an alignment of 64.
pub(crate) fn planned(network: Network) -> MemoryMap {
    let options = Options {
        strategy: Some(Strategy::Greedy),
        alignment: 64,
        preserve_all_tensors: false,
        preserve_inputs: true,
        replace_range: false,
    };
    let origin = Origin::Recording { pid: 1, planner: 1, subgraph: 0 };
    let script = Script::of(&network, &[(0, network.nodes.len().saturating_sub(1) as i32)]);
    MemoryMap::unplaced("test", origin, options, network, script).replanned(options).unwrap()
}

fn add_tensor(network: &mut Network, line: &str) {
    let mut words = line.split_whitespace();
    let (name, bytes) = (words.next().unwrap(), words.next().unwrap());
    let mut tensor = Tensor {
        name: name.to_owned(),
        data_type: String::new(),
        shape: None,
        bytes: bytes.parse().unwrap(),
        kind: Kind::ArenaRw,
    };
    let number = network.tensors.len() as i32;
    for word in words {
        match word {
            "input" => network.inputs.push(number),
            "output" => network.outputs.push(number),
            "variable" => network.variables.push(number),
            "constant" => tensor.kind = Kind::Constant,
            "persistent" => tensor.kind = Kind::Persistent,
            "dynamic" => tensor.kind = Kind::Dynamic,
            other => tensor.data_type = other.to_owned(),
        }
    }
    network.tensors.push(tensor);
}

fn add_node(network: &mut Network, from: &str, to: &str) {
    let numbers = |words: &str| words.split_whitespace().map(|name| number(network, name)).collect::<Vec<_>>();
    let (operator, inputs) = from.split_once(' ').unwrap();
    let (operator, inplace) = operator.split_once('@').unwrap_or((operator, "0"));
    let (op, custom) = match operator.split_once(':') {
        Some((op, custom)) => (op, Some(custom.to_owned())),
        None => (operator, None),
    };
    let (outputs, temporaries) = to.split_once('|').unwrap_or((to, ""));
    network.nodes.push(Node {
        op: op.to_owned(),
        custom,
        inplace: inplace.parse().unwrap(),
        inputs: numbers(inputs),
        outputs: numbers(outputs),
        temporaries: numbers(temporaries),
    });
}

fn number(network: &Network, name: &str) -> i32 {
    network.tensors.iter().position(|tensor| tensor.name == name).unwrap_or_else(|| panic!("no tensor {name}")) as i32
}

/// A chain of tensors of 64 bytes, each made of the one before.
pub(crate) fn chain_of_many(tensors: usize) -> MemoryMap {
    let name = |number| format!("t{number}");
    let mut network = Network::default();
    (0..tensors).for_each(|number| add_tensor(&mut network, &format!("{} 64", name(number))));
    (1..tensors).for_each(|number| {
        let (input, output) = (number as i32 - 1, number as i32);
        network.nodes.push(Node { inputs: vec![input], outputs: vec![output], ..Node::default() });
    });
    network.inputs.push(0);
    planned(network)
}
