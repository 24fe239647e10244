//! What the judges say of places as they are recorded, and of rules for build servers.

mod support;

use arena_report::check::{Amount, Rules, check};
use arena_report::validation::{Verdict, validate};
use arena_report::{MemoryMap, Strategy, input};
use serde_json::{Value, json};
use support::{Model, Operator, Recorder};

fn read(recording: &Value) -> MemoryMap {
    input::read(&serde_json::to_vec(recording).unwrap(), "model", None).unwrap().remove(0)
}

fn node(op: &'static str, inplace: u64, inputs: &[i32], outputs: &[i32]) -> Operator {
    Operator { op, inplace, inputs: inputs.to_vec(), outputs: outputs.to_vec(), temporaries: Vec::new() }
}

/// 0 -> 1 -> 2 -> 3, where 2 is a reshaped 1 on the same bytes, and 1 is read once more at the end.
///
/// Greedy: 0 at 0, 1 and 2 behind it at 64 up to node 3, and 3 and 4 behind these at 320 and 576.
fn recorded() -> Recorder {
    let mut recorder = Recorder::greedy(Model {
        tensors: vec![(64, 2), (256, 2), (256, 2), (256, 2), (64, 2)],
        nodes: vec![
            node("CONV_2D", 0, &[0], &[1]),
            node("RESHAPE", 5, &[1], &[2]),
            node("ADD", 4, &[2], &[3]),
            node("CONCATENATION", 0, &[1, 3], &[4]),
        ],
        inputs: vec![0],
        outputs: vec![4],
        ..Model::default()
    });
    recorder.plan().execute(0, 3);
    recorder
}

fn texts(verdict: &Verdict) -> Vec<&str> {
    verdict.faults.iter().map(|fault| fault.text.as_str()).collect()
}

#[test]
fn a_sound_plan_is_passed() {
    let map = read(&recorded().recording());
    assert_eq!(map.places[2].map(|place| (place.root, place.offset)), Some((1, 64)));
    assert_eq!(validate(&map), Verdict::default());
    for strategy in [Strategy::InOrder, Strategy::Best] {
        assert_eq!(validate(&map.by(strategy).unwrap()), Verdict::default());
    }
}

#[test]
fn tensors_that_need_the_same_bytes_are_named_with_bytes_and_nodes() {
    let mut file = recorded().recording();
    file["tensors"][3]["place"]["offset"] = json!(256);
    let map = read(&file);
    let verdict = validate(&map);
    assert_eq!(
        texts(&verdict),
        [
            "t1 (1) and t3 (3) both need bytes 256 to 319 of the arena from node 2 (ADD) to node 3 (CONCATENATION)",
            "t2 (2) is needed at node 2 (ADD), but in bytes 256 to 319 of the arena it was overwritten by t3 (3), at node 2 \
             (ADD)",
            "t1 (1) is needed at node 3 (CONCATENATION), but in bytes 256 to 319 of the arena it was overwritten by t3 (3), at \
             node 2 (ADD)",
        ]
    );
    let fault = &verdict.faults[0];
    assert_eq!(
        (fault.tensors.as_slice(), fault.nodes.clone(), fault.bytes.clone()),
        (&[1, 3][..], Some(2..=3), Some(256..320))
    );
    assert_eq!(verdict.notes.len(), 1);
    assert!(verdict.notes[0].contains("t3 (3) lies at offset 256"), "{}", verdict.notes[0]);
}

/// As upstream's planner did: 3 shares with 2, which shares with 1, which is still to be read. No two lifetimes clash then.
#[test]
fn bytes_that_are_shared_wrongly_are_found_by_the_shadow_run() {
    let mut file = recorded().recording();
    file["tensors"][3]["place"] = file["tensors"][1]["place"].clone();
    // 1, 2 and 3 at 64, and 4 at 576 as before.
    let (naive, bound) = (64 + 256 + 64, 64 + 256 + 64);
    file["totals"] = json!({
        "naive": naive, "arena": 640, "lower_bound": bound, "persistent": 0, "padding": 0, "placed": 3,
    });
    let verdict = validate(&read(&file));
    assert_eq!(
        texts(&verdict),
        [
            "t1 (1) is needed at node 3 (CONCATENATION), but in bytes 64 to 319 of the arena it was overwritten by t3 (3), at node 2 \
          (ADD)"
        ]
    );
    assert_eq!(verdict.faults[0].tensors, [1, 3]);
}

#[test]
fn places_that_are_wrong_by_themselves() {
    let mut file = recorded().recording();
    file["tensors"][4]["place"]["offset"] = json!(580);
    file["totals"]["arena"] = json!(644);
    assert_eq!(texts(&validate(&read(&file))), ["t4 (4) lies at byte 580, no multiple of 64"]);

    let mut file = recorded().recording();
    file["tensors"][4]["place"]["size"] = json!(63);
    file["totals"]["arena"] = json!(639);
    file["totals"]["lower_bound"] = json!(639);
    file["totals"]["padding"] = json!(0);
    let text = "t4 (4) is needed at node 3 (CONCATENATION) with 64 bytes, but has a place of 63";
    assert_eq!(texts(&validate(&read(&file)))[0], text);

    let mut file = recorded().recording();
    file["tensors"][4].as_object_mut().unwrap().remove("place");
    file["totals"] = json!({
        "naive": 576, "arena": 576, "lower_bound": 576, "persistent": 0, "padding": 0, "placed": 3,
    });
    let text = "t4 (4) is needed at node 3 (CONCATENATION), but has no place";
    assert_eq!(texts(&validate(&read(&file)))[0], text);
}

#[test]
fn what_the_options_keep_is_demanded_at_the_end() {
    // 1 is given back at node 3 and 4 may not lie there; but 0 would be free for it if inputs were not kept.
    let with = |option: &str, value: bool| {
        let mut file = recorded().recording();
        file["options"][option] = json!(value);
        file["tensors"][4]["place"]["offset"] = json!(0);
        file["tensors"][0]["place"]["last"] = json!(0);
        file["totals"]["arena"] = json!(576);
        file["totals"]["lower_bound"] = json!(576);
        validate(&read(&file)).faults.len()
    };
    assert_eq!(with("preserve_inputs", true), 1);
    assert_eq!(with("preserve_inputs", false), 0);
    assert_eq!(with("preserve_all_tensors", true), 1);
}

/// 0 -> 1 -> 2 -> 3, where 1 and 3 are kept from run to run.
fn weights() -> Value {
    let mut recorder = Recorder::greedy(Model {
        tensors: vec![(64, 2), (256, 3), (256, 2), (256, 3)],
        nodes: vec![node("DEQUANTIZE", 0, &[0], &[1]), node("ADD", 0, &[1], &[2]), node("DEQUANTIZE", 0, &[2], &[3])],
        inputs: vec![0],
        ..Model::default()
    });
    recorder.plan().execute(0, 2);
    let file = recorder.recording();
    assert_eq!(texts(&validate(&read(&file))), [""; 0]);
    file
}

/// Nothing is lost in the first run, but in the second one they are not computed again.
#[test]
fn what_is_kept_from_run_to_run_shares_with_nobody() {
    let mut file = weights();
    file["tensors"][1]["place"]["last"] = json!(1);
    file["tensors"][3]["place"]["offset"] = json!(0);
    file["totals"]["persistent"] = json!(256);
    let both = "t1 (1) and t3 (3) both need bytes 0 to 255 of the arena of persistent tensors from node 0 (DEQUANTIZE) to the end";
    assert_eq!(texts(&validate(&read(&file)))[0], both);

    let mut file = weights();
    file["tensors"][2]["place"] = file["tensors"][1]["place"].clone();
    file["totals"] = json!({
        "naive": 64, "arena": 64, "lower_bound": 64, "persistent": 512, "padding": 0, "placed": 1,
    });
    let overwritten = "t1 (1) is needed at node 1 (ADD), but in bytes 0 to 255 of the arena of persistent tensors it was \
                       overwritten by t2 (2), at node 1 (ADD)";
    assert_eq!(texts(&validate(&read(&file)))[0], overwritten);
    // Even where the operator may write over what it reads.
    file["nodes"][1]["inplace"] = json!(4);
    let overwritten = overwritten.replace("needed at node 1 (ADD)", "needed after the last node");
    assert_eq!(texts(&validate(&read(&file))), [overwritten]);
}

#[test]
fn a_tensor_that_its_node_reads_and_writes_is_not_the_plans_fault() {
    let mut recorder = recorded();
    recorder.model.nodes[0].outputs = vec![1];
    recorder.model.nodes[0].inputs = vec![0, 1];
    recorder.plan().execute(0, 3);
    let mut file = recorder.recording();
    assert_eq!(texts(&validate(&read(&file))), [""; 0]);
    // What lies on it is still told.
    file["tensors"][1]["place"]["offset"] = json!(0);
    file["tensors"][2]["place"]["offset"] = json!(0);
    assert!(texts(&validate(&read(&file)))[0].starts_with("t0 (0) and t1 (1) both need bytes 0 to 63 of the arena"));
}

#[test]
fn a_graph_without_nodes_is_judged() {
    let mut recorder =
        Recorder::greedy(Model { tensors: vec![(64, 2), (128, 2)], inputs: vec![0, 1], ..Model::default() });
    recorder.plan().execute(0, 0);
    let mut file = recorder.recording();
    assert_eq!(validate(&read(&file)), Verdict::default());
    file["tensors"][1]["place"] = file["tensors"][0]["place"].clone();
    file["totals"] = json!({
        "naive": 64, "arena": 64, "lower_bound": 64, "persistent": 0, "padding": 0, "placed": 1,
    });
    let text = "t1 (1) is needed before the first node with 128 bytes, but has a place of 64";
    assert_eq!(texts(&validate(&read(&file)))[0], text);
    let mut recorder = recorded();
    assert_eq!(validate(&read(&recorder.plan().recording())).notes, ["nothing was given a place"]);
}

#[test]
fn a_run_in_parts_is_judged_as_far_as_it_came() {
    let mut recorder = recorded();
    recorder.reset_after(0).execute(1, 1);
    let verdict = validate(&read(&recorder.recording()));
    assert_eq!(texts(&verdict), [""; 0]);
    assert_eq!(verdict.notes.len(), 2);
    assert!(verdict.notes[0].starts_with("places were given in 2 executions"), "{}", verdict.notes[0]);
    assert_eq!(verdict.notes[1], "the shadow run ends before node 2 (ADD): what follows was given no places");
}

#[test]
fn tables_are_judged_by_their_offsets_and_gaps() {
    let judged = |rows: &str| {
        let table = format!("id,lower,upper,size,offset,gaps\n{rows}");
        let maps = input::read(table.as_bytes(), "table", None).unwrap();
        texts(&validate(&maps[0])).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        judged("a,0,4,8,0,\nb,1,2,8,4,\n"),
        ["buffer a and buffer b both need bytes 4 to 7 of the arena at the same time"]
    );
    assert_eq!(judged("a,0,4,8,0,1-2\nb,1,2,8,4,\n"), [""; 0]);
    assert_eq!(judged("a,0,4,8,0,1-2@0:5\nb,1,2,8,4,\n").len(), 1);
    // Of a hundred that clash some are told.
    let many: String = (0..100).map(|id| format!("{id},0,1,8,0,\n")).collect();
    assert_eq!(judged(&many).len(), 10);
}

#[test]
fn rules_have_limits_that_are_allowed_themselves() {
    let map = || read(&recorded().recording());
    let passes = |rules: Rules| check(&[vec![map()]], &rules).iter().all(|outcome| outcome.passed);
    assert!(passes(Rules { max_arena: Some(640), max_persistent: Some(0), max_gap: Some(0.0), validate: true }));
    assert!(!passes(Rules { max_arena: Some(639), ..Rules::default() }));
    let outcomes = check(&[vec![map()]], &Rules { max_arena: Some(639), ..Rules::default() });
    assert_eq!(outcomes[0].text, "the arena takes 640 bytes, 1 more than the 639 that are allowed");
    assert_eq!((outcomes[0].limit, outcomes[0].found), (Some(Amount::Bytes(639)), Some(Amount::Bytes(640))));
}

#[test]
fn planners_of_one_process_are_summed_up() {
    let planner = |pid: u64, planner: u64| {
        let mut file = recorded().recording();
        file["pid"] = json!(pid);
        file["planner"] = json!(planner);
        read(&file)
    };
    let rules = Rules { max_arena: Some(1000), ..Rules::default() };
    let outcomes = check(&[vec![planner(7, 1)], vec![planner(8, 1)], vec![planner(7, 2)]], &rules);
    let told: Vec<_> =
        outcomes.iter().map(|outcome| (outcome.subject.as_str(), outcome.passed, outcome.input)).collect();
    assert_eq!(
        told,
        [("model", true, 0), ("model", true, 1), ("model", true, 2), ("2 planners of process 7", false, 0)]
    );
    assert_eq!(outcomes[3].text, "all arenas together take 1,280 bytes, 280 more than the 1,000 that are allowed");
}
