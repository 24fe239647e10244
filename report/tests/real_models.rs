//! The maps of real models' files against what the stock runtime 2.14 did with them.
//!
//! The models are in the folder into which the demo downloads them; without it, these tests say so and do nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arena_report::map::{MemoryMap, Network};
use arena_report::{Strategy, input};

/// A graph as the runtime had it: ctests/recorded, which scripts/demo/record.py describes.
#[derive(Debug, Default)]
struct Recorded {
    /// By tensor, its size and allocation type.
    tensors: Vec<(usize, i32)>,
    nodes: Vec<RecordedNode>,
    /// Of inputs, outputs and variables, the tensors.
    lists: BTreeMap<String, Vec<i32>>,
    /// Of each arena, its size.
    expect: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
struct RecordedNode {
    inplace: u64,
    inputs: Vec<i32>,
    outputs: Vec<i32>,
    temporaries: Vec<i32>,
}

impl Recorded {
    fn read(path: &Path) -> Recorded {
        let mut recorded = Recorded::default();
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let numbers = |words: &[&str]| {
                words.iter().filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect::<Vec<i32>>()
            };
            match words[0] {
                "tensor" => recorded.tensors.push((words[2].parse().unwrap(), words[3].parse().unwrap())),
                "node" => {
                    let at = |letter| words.iter().position(|&word| word == letter).unwrap();
                    let (i, o, t) = (at("i"), at("o"), at("t"));
                    recorded.nodes.push(RecordedNode {
                        inplace: words[1].parse().unwrap(),
                        inputs: numbers(&words[i + 1..o]),
                        outputs: numbers(&words[o + 1..t]),
                        temporaries: numbers(&words[t + 1..]),
                    });
                }
                "expect" => drop(recorded.expect.insert(words[1].to_owned(), words[2].parse().unwrap())),
                list => drop(recorded.lists.insert(list.to_owned(), numbers(&words[1..]))),
            }
        }
        recorded
    }

    /// Sizes and allocation types of tensors.
    fn of(&self, tensors: &[i32]) -> Vec<(usize, i32)> {
        tensors.iter().map(|&tensor| self.tensors[tensor as usize]).collect()
    }
}

/// All that differs between a file's graph and the runtime's.
fn differences(network: &Network, recorded: &Recorded) -> Vec<String> {
    let mut found = Vec::new();
    let num_temporaries: usize = network.nodes.iter().map(|node| node.temporaries.len()).sum();
    let ours = |tensor: usize| (network.tensors[tensor].bytes, network.tensors[tensor].kind.number());
    for tensor in 0..network.tensors.len() - num_temporaries {
        if ours(tensor) != recorded.tensors[tensor] {
            found.push(format!("tensor {tensor} is {:?}, recorded {:?}", ours(tensor), recorded.tensors[tensor]));
        }
    }
    if network.nodes.len() != recorded.nodes.len() {
        found.push(format!("{} nodes, recorded {}", network.nodes.len(), recorded.nodes.len()));
    }
    for (index, (node, recorded_node)) in network.nodes.iter().zip(&recorded.nodes).enumerate() {
        let RecordedNode { inplace, inputs, outputs, temporaries } = recorded_node;
        if (&node.inplace, &node.inputs, &node.outputs) != (inplace, inputs, outputs) {
            found.push(format!("node {index} is {node:?}, recorded {recorded_node:?}"));
        }
        let temporary: Vec<_> = node.temporaries.iter().map(|&tensor| ours(tensor as usize)).collect();
        if temporary != recorded.of(temporaries) {
            found.push(format!(
                "temporaries of {node} {index} are {temporary:?}, recorded {:?}",
                recorded.of(temporaries)
            ));
        }
    }
    for (name, list) in [("inputs", &network.inputs), ("outputs", &network.outputs), ("variables", &network.variables)]
    {
        if recorded.lists[name] != *list {
            found.push(format!("{name} are {list:?}, recorded {:?}", recorded.lists[name]));
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The maps of a model's file by upstream's strategy; `None`, and a line that says so, where it was not downloaded.
fn maps(model: &str) -> Option<Vec<MemoryMap>> {
    let path = root().join(".cache/models").join(model).with_extension("tflite");
    if !path.exists() {
        println!("skipped: {model} is not there, scripts/demo.sh downloads it");
        return None;
    }
    let content = fs::read(path).unwrap();
    Some(input::read(&content, model, Some(Strategy::Greedy)).unwrap_or_else(|refusal| panic!("{model}: {refusal}")))
}

#[test]
fn a_file_gives_the_graph_and_the_arenas_that_the_runtime_had() {
    for entry in fs::read_dir(root().join("ctests/recorded")).unwrap() {
        let path = entry.unwrap().path();
        let model = format!("mediapipe/{}", path.file_stem().unwrap().to_str().unwrap());
        let Some(maps) = maps(&model) else { continue };
        let [map] = &maps[..] else { panic!("{model} has {} subgraphs", maps.len()) };
        let recorded = Recorded::read(&path);
        let found = differences(&map.network, &recorded);
        assert!(found.is_empty(), "{model}:\n{}", found.join("\n"));
        let arenas = [("arena", map.totals.arena), ("persistent", map.totals.persistent)];
        assert_eq!(
            arenas.map(|(name, bytes)| (name.to_owned(), bytes)).into_iter().collect::<BTreeMap<_, _>>(),
            recorded.expect,
            "{model}"
        );
    }
}
