//! The loop of every property test.

use super::{print, shrink};
use arena_planner::shadow::Graph;
use std::ops::Range;

/// How many times as many seeds as a test asks for are tried, for long runs.
const SCALE: &str = "TFLITE_ARENA_TEST_SCALE";

/// Judges the graph of every seed. The first that is refused is shrunk, shown with what was said of it, and fails the
/// test.
pub(crate) fn for_all(
    seeds: Range<u64>,
    generate: impl Fn(u64) -> Graph,
    judge: impl Fn(&Graph) -> Result<(), String>,
) {
    let scale = std::env::var(SCALE).map_or(1, |scale| scale.parse().expect("the scale is a number"));
    for seed in seeds.start..seeds.start + (seeds.end - seeds.start) * scale {
        let graph = generate(seed);
        if let Err(complaint) = judge(&graph) {
            let smallest = shrink(&graph, |graph| judge(graph).is_err());
            let of_smallest = judge(&smallest).expect_err("a shrunk graph still fails");
            panic!("seed {seed}: {complaint}\nthe smallest graph that fails: {of_smallest}\n{}", print(&smallest));
        }
    }
}
