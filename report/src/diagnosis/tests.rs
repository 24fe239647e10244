use std::path::Path;

use super::*;
use crate::map::{Kind, Network, Node, Tensor};
use crate::testing::planned;

/// A recorded graph of ctests/recorded, which has no names.
fn recorded(model: &str) -> MemoryMap {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ctests/recorded").join(format!("{model}.graph"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut network = Network::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap();
        let numbers = || line.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect::<Vec<i32>>();
        match first {
            "tensor" => {
                let numbers = numbers();
                network.tensors.push(Tensor {
                    name: String::new(),
                    data_type: String::new(),
                    shape: None,
                    bytes: numbers[1] as usize,
                    kind: Kind::from_number(numbers[2]),
                });
            }
            "node" => {
                let mut node = Node { inplace: words.next().unwrap().parse().unwrap(), ..Node::default() };
                let mut list = &mut node.inputs;
                for word in words {
                    match word {
                        "i" => list = &mut node.inputs,
                        "o" => list = &mut node.outputs,
                        "t" => list = &mut node.temporaries,
                        number => list.push(number.parse().unwrap()),
                    }
                }
                network.nodes.push(node);
            }
            "inputs" => network.inputs = numbers(),
            "outputs" => network.outputs = numbers(),
            "variables" => network.variables = numbers(),
            _ => {}
        }
    }
    planned(network)
}

#[test]
fn look() {
    let mut paths: Vec<_> =
        std::fs::read_dir("/tmp/w5/recordings").unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
    paths.sort();
    for path in paths {
        let maps = crate::input::read(&std::fs::read(&path).unwrap(), "t", None).unwrap();
        let start = std::time::Instant::now();
        let found = diagnose(&maps);
        println!("== {} {:?}", path.display(), start.elapsed());
        for finding in found {
            println!("{}: {}\n    {}", finding.id, finding.text, finding.advice.unwrap_or_default());
        }
    }
}
