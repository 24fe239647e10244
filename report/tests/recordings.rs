//! Recordings of all that a planner can be asked for lead to the same places when they are read.

#[path = "../../planner/tests/support/generator.rs"]
#[allow(dead_code, reason = "only whole random graphs are wanted")]
mod generator;
#[path = "../../planner/tests/support/rng.rs"]
mod rng;
mod support;

use arena_planner::alias::Reuse;
use arena_planner::shadow::Kind;
use arena_planner::strategy::Choice;
use arena_planner::{Alignment, Options};
use arena_report::{MemoryMap, input};
use rng::Rng;
use support::{Model, Operator, Recorder};

/// Reads what was recorded: the places must be those of the planner, then and when the calls are made again.
#[track_caller]
fn read(recorder: &Recorder) -> MemoryMap {
    let content = serde_json::to_vec(&recorder.recording()).unwrap();
    let map = input::read(&content, "recording", None).unwrap().remove(0);
    assert_eq!(map.not_replayed, None);
    let strategy = map.options.strategy.unwrap();
    let replayed = map.by(strategy).unwrap();
    assert_eq!(map.places, replayed.places);
    assert_eq!(map.totals, replayed.totals);
    map
}

#[track_caller]
fn is_replayed(recorder: &Recorder) -> MemoryMap {
    let map = read(recorder);
    let places: Vec<_> = map
        .places
        .iter()
        .map(|place| place.map(|at| (at.arena, at.offset, at.size, at.first_node, at.last_node, at.root)))
        .collect();
    assert_eq!(places, recorder.places());
    map
}

fn node(inputs: &[i32], outputs: &[i32], temporaries: &[i32]) -> Operator {
    Operator {
        op: "ADD",
        inplace: 0,
        inputs: inputs.to_vec(),
        outputs: outputs.to_vec(),
        temporaries: temporaries.to_vec(),
    }
}

/// 0 -> 1 -> 2 -> 3 -> 4, where 2 is an empty tensor at first.
fn chain() -> Model {
    Model {
        tensors: vec![(64, 2), (256, 2), (0, 2), (512, 2), (64, 2)],
        nodes: vec![node(&[0], &[1], &[]), node(&[1], &[2], &[]), node(&[2], &[3], &[]), node(&[3], &[4], &[])],
        inputs: vec![0],
        outputs: vec![4],
        ..Model::default()
    }
}

#[test]
fn a_plan_alone_places_nothing() {
    let map = is_replayed(Recorder::greedy(chain()).plan());
    assert_eq!(map.places, [None; 5]);
    assert_eq!(map.events.len(), 2);
}

#[test]
fn sizes_that_are_known_in_mid_run_only() {
    let mut recorder = Recorder::greedy(chain());
    recorder.plan().execute(0, 1);
    recorder.model.tensors[2].0 = 1024;
    let map = is_replayed(recorder.execute(2, 3));
    // 0 at 0; 1 behind it is given back at node 1, where the 512 bytes of 3 go.
    assert_eq!(map.places[3].unwrap().offset, 64);
    assert_eq!(map.network.tensors[2].bytes, 1024);
    // It was known again only when it was written.
    assert_eq!(map.places[2], None);
}

#[test]
fn rewinds_and_runs_again() {
    let mut recorder = Recorder::greedy(chain());
    recorder.model.tensors[2].0 = 128;
    recorder.plan().execute(0, 3);
    for size in [4, 36, 0, 15_840, 4] {
        recorder.model.tensors[2].0 = size;
        is_replayed(recorder.reset_after(0).execute(1, 3));
    }
    recorder.release().acquire();
    is_replayed(recorder.reset().execute(0, 3));
}

/// The file may be written after a reset: it has the places that were there before.
#[test]
fn a_reset_at_the_end_is_yet_to_have_its_effect() {
    let mut recorder = Recorder::greedy(chain());
    recorder.plan().execute(0, 3);
    let before = read(&recorder).places;
    recorder.reset_after(0);
    assert_eq!(read(&recorder).places, before);
    recorder.reset().release();
    assert_eq!(read(&recorder).places, before);
}

#[test]
fn another_plan_makes_what_went_before_history() {
    let mut recorder = Recorder::greedy(chain());
    recorder.model.tensors[2].0 = 4096;
    recorder.plan().execute(0, 3);
    recorder.model.tensors[1].0 = 8;
    recorder.model.tensors[2].0 = 8;
    let map = is_replayed(recorder.plan().execute(0, 3));
    assert_eq!(map.totals.naive, 64 + 64 + 64 + 512 + 64);
    assert_eq!(map.events.len(), 5);
}

#[test]
fn temporaries_and_tensors_that_are_added() {
    let mut recorder = Recorder::greedy(chain());
    recorder.plan().execute(0, 0);
    recorder.model.tensors.extend([(640, 2), (64, 3)]);
    recorder.model.nodes[2].temporaries = vec![5, 6];
    let map = is_replayed(recorder.execute(1, 3));
    assert_eq!(map.network.nodes[2].temporaries, [5, 6]);
    assert_eq!(map.places[5].map(|place| (place.first_node, place.last_node)), Some((2, 2)));
    recorder.model.nodes[2].temporaries = vec![6];
    is_replayed(recorder.reset_after(1).execute(2, 3));
}

/// The first plan is made before temporaries are asked for, a second one finds those of the run before.
#[test]
fn a_plan_that_finds_temporaries_is_not_yet_executed() {
    let mut recorder = Recorder::greedy(chain());
    recorder.plan().execute(0, 0);
    recorder.model.tensors.push((640, 2));
    recorder.model.nodes[2].temporaries = vec![5];
    recorder.execute(1, 3).plan();
    assert_eq!(read(&recorder).places, [None; 6]);
    assert!(is_replayed(recorder.execute(0, 3)).places[5].is_some());
}

#[test]
fn an_execution_that_fails_changes_no_place() {
    let mut recorder = Recorder::greedy(chain());
    recorder.plan().execute(0, 1);
    recorder.model.tensors[2].0 = 1 << 20;
    recorder.model.refuses = true;
    recorder.execute(0, 3);
    recorder.model.refuses = false;
    let map = is_replayed(&recorder);
    assert_eq!(map.places[3], None);
    is_replayed(recorder.execute(0, 3));
}

#[test]
fn a_tensor_that_leaves_the_arena() {
    let mut recorder = Recorder::greedy(chain());
    recorder.model.tensors[2].0 = 128;
    recorder.plan().execute(0, 3);
    recorder.model.tensors[2] = (128, 4);
    is_replayed(recorder.reset_after(0).execute(1, 3));
}

/// Graphs that a runtime could bring, executed in parts, with sizes that change between them.
#[test]
fn random_graphs_in_random_cuts() {
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let mut recorder = random_recorder(&mut rng);
        recorder.plan();
        for _ in 0..1 + rng.below(6) {
            random_call(&mut recorder, &mut rng);
        }
        let last = recorder.model.nodes.len() as i32 - 1;
        recorder.execute(0, last);
        let map = std::panic::catch_unwind(|| is_replayed(&recorder));
        assert!(map.is_ok(), "seed {seed}");
    }
}

fn random_recorder(rng: &mut Rng) -> Recorder {
    let graph = generator::random_graph(rng.next());
    let kind = |kind| match kind {
        Kind::ArenaRw => 2,
        Kind::Persistent => 3,
        Kind::Elsewhere => 1,
    };
    let nodes = graph.nodes.into_iter().map(|node| Operator {
        op: "ADD",
        inplace: node.inplace,
        inputs: node.inputs,
        outputs: node.outputs,
        temporaries: node.temporaries,
    });
    let model = Model {
        tensors: graph.tensors.iter().map(|tensor| (tensor.bytes, kind(tensor.kind))).collect(),
        nodes: nodes.collect(),
        inputs: graph.inputs,
        outputs: graph.outputs,
        variables: graph.variables,
        refuses: false,
    };
    let (strategy, choice, reuse) = rng.pick(&[
        ("greedy", Choice::Greedy, Reuse::default()),
        ("in-order", Choice::InOrder, Reuse::default()),
        ("best", Choice::Best, Reuse::ALL),
    ]);
    let options = Options {
        preserve_all_tensors: rng.percent(10),
        preserve_inputs: rng.percent(80),
        replace_range: rng.percent(20),
        reuse,
        tensor_alignment: Alignment::new(rng.pick(&[1, 4, 64])).unwrap(),
        strategy: choice,
    };
    Recorder::new(model, strategy, options)
}

fn random_call(recorder: &mut Recorder, rng: &mut Rng) {
    let nodes = recorder.model.nodes.len().max(1);
    let first = rng.below(nodes);
    match rng.below(10) {
        0..5 => {
            recorder.model.refuses = rng.percent(10);
            recorder.execute(first as i32, (first + rng.below(nodes - first)) as i32);
            recorder.model.refuses = false;
        }
        5 => _ = recorder.plan(),
        6 => _ = recorder.reset_after(first as i32),
        7 => _ = recorder.reset(),
        8 => _ = recorder.release().acquire(),
        _ => {
            let tensor = rng.below(recorder.model.tensors.len());
            recorder.model.tensors[tensor].0 = rng.pick(&[0, 1, 64, 100, 4096]);
        }
    }
}
