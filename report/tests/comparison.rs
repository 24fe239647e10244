//! What changed between two recordings.

mod support;

use arena_report::comparison::{Change, Comparison, json};
use arena_report::{MemoryMap, input, text};
use serde_json::Value;
use support::{Model, Operator, Recorder};

fn read(model: Model, title: &str) -> MemoryMap {
    let mut recorder = Recorder::greedy(model);
    let last = recorder.model.nodes.len() as i32 - 1;
    recorder.plan().execute(0, last);
    input::read(&serde_json::to_vec(&recorder.recording()).unwrap(), title, None).unwrap().remove(0)
}

fn node(op: &'static str, inputs: &[i32], output: i32) -> Operator {
    Operator { op, inputs: inputs.to_vec(), outputs: vec![output], ..Operator::default() }
}

/// t0 -> t1 -> t2 -> t3, with the persistent t4 beside it. At node 1, t0, t1 and t2 are alive: 64 + 1024 + 512 bytes.
fn before() -> Model {
    Model {
        tensors: vec![(64, 2), (1024, 2), (512, 2), (256, 2), (100, 3)],
        nodes: vec![node("CONV_2D", &[0], 1), node("CONV_2D", &[1, 4], 2), node("ADD", &[2], 3)],
        inputs: vec![0],
        outputs: vec![3],
        variables: vec![4],
        ..Model::default()
    }
}

/// t2 has 1600 bytes, t1 is read once more at the end, t4 has become a constant, and t5 follows t3. At node 2, t0, t1, t2 and t3 are
/// alive: 64 + 1024 + 1600 + 256 bytes.
fn after() -> Model {
    Model {
        tensors: vec![(64, 2), (1024, 2), (1600, 2), (256, 2), (100, 1), (64, 2)],
        nodes: vec![
            node("CONV_2D", &[0], 1),
            node("CONV_2D", &[1, 4], 2),
            node("ADD", &[2], 3),
            node("MUL", &[3, 1], 5),
        ],
        inputs: vec![0],
        outputs: vec![5],
        ..Model::default()
    }
}

#[test]
fn what_adds_most_to_the_peak_comes_first() {
    let comparison = Comparison::new(&read(before(), "one"), &read(after(), "two"));
    let peaks = comparison.peaks.clone().map(|peak| (peak.node, peak.op, peak.bytes));
    assert_eq!(peaks, [(1, "CONV_2D".to_owned(), 1600), (2, "ADD".to_owned(), 2944)]);
    let told: Vec<_> = comparison
        .tensors
        .iter()
        .map(|change| (change.name.as_str(), change.changes.as_slice(), change.peak, change.persistent))
        .collect();
    assert_eq!(
        told[..4],
        [
            ("t2", &[Change::Grew, Change::Moved][..], 1600 - 512, 0),
            // It was kept to the end, which was one node; now it is needed at two, of which one is the peak.
            ("t3", &[Change::LivesLonger, Change::Moved], 256, 0),
            ("t4", &[Change::Kind, Change::Moved], 0, -128),
            ("t5", &[Change::Appeared], 0, 0),
        ]
    );
    assert_eq!(told[4].0, "t1");
    assert_eq!(comparison.tensors[4].changes[0], Change::LivesLonger);
    // t0 is as it was.
    assert_eq!(told.len(), 5);
    let operators: Vec<_> =
        comparison.operators.iter().map(|change| (change.op.as_str(), change.before, change.after)).collect();
    assert_eq!(operators, [("MUL", 0, 1)]);
    let totals: Vec<_> = comparison.totals.iter().map(|total| (total.name, total.before, total.after)).collect();
    assert_eq!(totals[0], ("arena", 1600, 2944));
    assert_eq!(totals[3], ("persistent", 100, 0));
    assert!(comparison.is_larger());
    assert!(!Comparison::new(&read(after(), "two"), &read(after(), "two")).is_larger());
}

#[test]
fn people_read_the_numbers_with_their_differences() {
    let comparison = Comparison::new(&read(before(), "one"), &read(after(), "two"));
    let told = text::comparison(&comparison, false);
    let expected = "\
before  one
after   two
               before  after  difference
  arena         1,600  2,944      +1,344   +84.00 %
  peak          1,600  2,944      +1,344   +84.00 %
  lower bound   1,600  2,944      +1,344   +84.00 %
  naive         1,856  3,008      +1,152   +62.07 %
  persistent      100      0        -100  -100.00 %
  padding           0      0           0
  The peak is at node 2 (ADD), it was at node 1 (CONV_2D).
  Highest lies t3 (3), from 2,688 to 2,944; it was t2 (2), from 1,088 to 1,600.

Tensors, and what they add to peak or persistent
   bytes  tensor  what changed
  +1,088  t2 (2)  grew from 512 to 1,600
    +256  t3 (3)  lives for 2 nodes, not 1
    -128  t4 (4)  is constant, was persistent
       0  t5 (5)  new: 64 bytes, in the arena
  1 more changed, without adding bytes: --all tells.
";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.ends_with("\nOperators\n  nodes  operator\n     +1  MUL       1, were 0\n"), "{told}");
    let same = Comparison::new(&read(before(), "one"), &read(before(), "one"));
    assert!(text::comparison(&same, false).ends_with("\nNo tensor changed\n"));
}

#[test]
fn programs_read_the_same() {
    let comparison = Comparison::new(&read(before(), "one"), &read(after(), "two"));
    let told: Value = serde_json::from_str(&json(&[comparison], [1, 1])).unwrap();
    assert_eq!(told["larger"], true);
    let first = &told["comparisons"][0]["tensors"][0];
    assert_eq!((first["name"].as_str(), first["peak"].as_i64()), (Some("t2"), Some(1088)));
    assert_eq!(first["changes"], serde_json::json!(["grew", "moved"]));
    assert_eq!((&first["before"]["bytes"], &first["after"]["bytes"]), (&512.into(), &1600.into()));
}

fn renamed(model: Model, names: &[&str]) -> MemoryMap {
    let mut map = read(model, "map");
    for (tensor, name) in map.network.tensors.iter_mut().zip(names) {
        tensor.name = (*name).to_owned();
    }
    map
}

/// Where names say nothing, the first is the first.
#[test]
fn tensors_of_one_name_are_matched_in_their_order() {
    let one = renamed(before(), &["x", "", "same", "same", "w"]);
    let mut model = before();
    model.tensors[3].0 += 64;
    let two = renamed(model, &["same", "", "x", "new", "w"]);
    let comparison = Comparison::new(&one, &two);
    let mut pairs: Vec<_> = comparison
        .tensors
        .iter()
        .map(|change| (change.name.as_str(), change.before.map(|is| is.tensor), change.after.map(|is| is.tensor)))
        .collect();
    pairs.sort_unstable();
    let expected =
        [("new", None, Some(3)), ("same", Some(2), Some(0)), ("same", Some(3), None), ("x", Some(0), Some(2))];
    assert_eq!(pairs, expected);
}

/// As in a model's file and its recording.
#[test]
fn what_the_same_node_makes_is_the_same_under_another_name() {
    let with_weights = |name, bytes| {
        let mut model = before();
        model.tensors[4] = (bytes, 3);
        (model.variables, model.nodes[1].inputs, model.nodes[1].temporaries) = (vec![], vec![1], vec![4]);
        renamed(model, &["x", "a", "b", "y", name])
    };
    let one = with_weights("transposed weights", 100);
    assert_eq!(Comparison::new(&one, &with_weights("Conv_hwcn_weights", 100)).tensors, []);
    let larger = Comparison::new(&one, &with_weights("Conv_hwcn_weights", 200)).tensors;
    assert_eq!(larger.iter().map(|change| change.changes[0]).collect::<Vec<_>>(), [Change::Appeared, Change::Went]);
}

#[test]
fn long_lists_are_cut_unless_all_is_asked_for() {
    let many = |bytes: usize| Model {
        tensors: (0..31).map(|_| (bytes, 2)).collect(),
        nodes: (0..30).map(|at| node("ADD", &[at], at + 1)).collect(),
        inputs: vec![0],
        outputs: vec![30],
        ..Model::default()
    };
    let comparison = Comparison::new(&read(many(64), "one"), &read(many(128), "two"));
    let lines = |all| text::comparison(&comparison, all).lines().filter(|line| line.contains("grew from")).count();
    assert_eq!((lines(false), lines(true)), (10, 31));
    assert!(text::comparison(&comparison, false).contains("; 21 more with --all"));
}
