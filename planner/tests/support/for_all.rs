//! The loop of every property test.

use super::{print, shrink};
use arena_planner::shadow::Graph;
use std::ops::Range;

/// Judges the graph of every seed. The first that is refused is shrunk, shown with what was said of it, and fails the
/// test.
pub(crate) fn for_all(
    seeds: Range<u64>,
    generate: impl Fn(u64) -> Graph,
    judge: impl Fn(&Graph) -> Result<(), String>,
) {
    for seed in seeds {
        let graph = generate(seed);
        if let Err(complaint) = judge(&graph) {
            let smallest = shrink(&graph, |graph| judge(graph).is_err());
            let of_smallest = judge(&smallest).expect_err("a shrunk graph still fails");
            panic!(
                "seed {seed}: {complaint}\nthe smallest graph that fails: {of_smallest}\n{}",
                print(&smallest)
            );
        }
    }
}
