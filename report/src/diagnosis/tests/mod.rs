//! For each rule small graphs: one that makes it say its sentence, and one that makes it stay silent.

mod bound;
mod options;
mod outside;
mod peak;
mod process;
mod real_models;
mod trust;
mod weights;

use super::*;
use crate::map::Unknown;
use crate::testing::graph;

/// A sentence, what makes a rule say it, and what is nearly the same but makes it stay silent.
struct Case {
    id: &'static str,
    says: fn() -> Vec<MemoryMap>,
    text: &'static str,
    advice: &'static str,
    is_silent: fn() -> Vec<MemoryMap>,
}

/// By theme.
const CASES: [&[Case]; 7] =
    [bound::CASES, options::CASES, outside::CASES, peak::CASES, process::CASES, trust::CASES, weights::CASES];

fn findings(maps: &[MemoryMap], id: &str) -> Vec<Finding> {
    diagnose(maps).into_iter().filter(|finding| finding.id == id).collect()
}

#[test]
fn each_rule_has_a_case() {
    let with_cases: Vec<_> = CASES.iter().copied().flatten().map(|case| case.id).collect();
    for (id, _) in RULES {
        assert!(with_cases.contains(&id), "{id} has no case");
    }
}

#[test]
fn each_rule_has_an_id_of_its_own() {
    let mut ids: Vec<_> = RULES.map(|(id, _)| id).to_vec();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
}

#[test]
fn each_case_says_its_sentence() {
    for &Case { id, says, text, advice, .. } in CASES.iter().copied().flatten() {
        let found = findings(&says(), id);
        let [finding] = found.as_slice() else { panic!("{id}: {found:?}, expected {text}") };
        assert_eq!(finding.text, text, "{id}");
        assert_eq!(finding.advice.as_deref().unwrap_or_default(), advice, "{id}");
    }
}

#[test]
fn each_case_stays_silent_where_its_sentence_would_not_be_true() {
    for &Case { id, text, is_silent, .. } in CASES.iter().copied().flatten() {
        assert_eq!(findings(&is_silent(), id), [], "{id}, as in: {text}");
    }
}

#[test]
fn nothing_is_said_of_nothing() {
    assert_eq!(diagnose(&[]), []);
    assert_eq!(diagnose(&[graph("")]), []);
}

/// A hole of 64 bytes that `best` closes, and 1,000 bytes of weights that are computed once.
#[test]
fn what_saves_most_comes_first_and_what_makes_it_doubtful_before() {
    let ids =
        |map: &MemoryMap| diagnose(std::slice::from_ref(map)).iter().map(|finding| finding.id).collect::<Vec<_>>();
    let mut map = bound::hole_and("w 500 constant FLOAT16\nf 1000 persistent\nDEQUANTIZE w -> f");
    assert_eq!(ids(&map)[..2], ["computed-weights", "above-lower-bound"]);
    map.not_replayed = Some("tensor 1 lies elsewhere".to_owned());
    assert_eq!(ids(&map)[..3], ["not-replayed", "computed-weights", "above-lower-bound"]);
    assert_eq!(
        ids(&bound::hole_and("w 20 constant FLOAT16\nf 40 persistent\nDEQUANTIZE w -> f"))[..2],
        ["above-lower-bound", "computed-weights"]
    );
}

/// 640 bytes of an input that is not held save more than 600 bytes of weights.
#[test]
fn what_an_option_saves_has_its_place_among_the_savings() {
    let mut map = graph(
        "x 640 input\na 640\nb 640\ny 64 output\nw 300 constant FLOAT16\nf 600 persistent
         CONV_2D x -> a\nCONV_2D a -> b\nMEAN b -> y\nDEQUANTIZE w -> f",
    );
    let ids = |map: &MemoryMap| -> Vec<_> {
        diagnose(std::slice::from_ref(map)).iter().take(2).map(|finding| finding.id).collect()
    };
    assert_eq!(ids(&map), ["held-inputs", "computed-weights"]);
    let unknown = |may_be_larger| Unknown { text: "So.".to_owned(), nodes: vec![], tensors: vec![], may_be_larger };
    map.unknowns = vec![unknown(false)];
    assert_eq!(ids(&map), ["held-inputs", "computed-weights"]);
    map.unknowns = vec![unknown(true)];
    assert_eq!(ids(&map), ["unknown", "held-inputs"]);
}

#[test]
fn a_finding_names_its_map() {
    let maps = [graph("x 64 input\ny 64 output\nRELU x -> y"), graph("")];
    let at: Vec<_> = findings(&maps, "at-lower-bound").iter().map(|finding| finding.map).collect();
    assert_eq!(at, [Some(0)]);
}

#[test]
fn the_page_lists_the_rules_in_their_order() {
    let page = include_str!("../../../../docs/diagnosis.md");
    let listed: Vec<_> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(id, _)| id).collect();
    assert_eq!(listed, RULES.map(|(id, _)| id));
}
