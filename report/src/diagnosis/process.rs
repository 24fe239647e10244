//! What several planners of a process, or the subgraphs of a model, need together.

use std::collections::{BTreeMap, BTreeSet};

use super::Said;
use super::words::{bytes, number};
use crate::map::{MemoryMap, Origin};

/// The maps of one interpreter: its subgraph 0, which has its planner first, and those that it calls.
///
/// A subgraph waits for those that it calls, so that all bytes of an interpreter are needed at once.
fn interpreters(maps: &[MemoryMap]) -> Vec<Vec<&MemoryMap>> {
    let mixed = mixed_processes(maps);
    let is_known = |map: &&MemoryMap| match &map.origin {
        Origin::Recording { pid, .. } => !mixed.contains(pid),
        Origin::Model { .. } => true,
        Origin::Table => false,
    };
    let mut planned: Vec<&MemoryMap> = maps.iter().filter(is_known).collect();
    planned.sort_by_key(|map| match map.origin {
        Origin::Recording { pid, planner, .. } => (pid, planner),
        Origin::Model { .. } | Origin::Table => (0, 0),
    });
    let mut interpreters: Vec<Vec<&MemoryMap>> = Vec::new();
    for map in planned {
        match interpreters.last_mut() {
            Some(one) if belongs_to(map, one[0]) => one.push(map),
            _ => interpreters.push(vec![map]),
        }
    }
    interpreters
}

/// Numbers that several processes had, as in containers: which planners were there together is not known.
fn mixed_processes(maps: &[MemoryMap]) -> BTreeSet<u64> {
    let mut seen = BTreeSet::new();
    let again = |map: &MemoryMap| match map.origin {
        Origin::Recording { pid, planner, .. } if !seen.insert((pid, planner)) => Some(pid),
        _ => None,
    };
    maps.iter().filter_map(again).collect()
}

/// Whether a map is of the interpreter that begins with `first`.
fn belongs_to(map: &MemoryMap, first: &MemoryMap) -> bool {
    match (&map.origin, &first.origin) {
        (Origin::Recording { pid, subgraph, .. }, Origin::Recording { pid: same, .. }) => pid == same && *subgraph != 0,
        (Origin::Model { subgraph, .. }, Origin::Model { .. }) => *subgraph != 0,
        _ => false,
    }
}

fn sum(sizes: &[usize]) -> usize {
    sizes.iter().copied().fold(0, usize::saturating_add)
}

/// `1,000 + 2,000`, or how many there are where there are many.
fn terms(sizes: &[usize]) -> String {
    const MANY: usize = 6;
    if sizes.len() > MANY {
        return format!("{} arenas", number(sizes.len()));
    }
    sizes.iter().map(|&size| number(size)).collect::<Vec<_>>().join(" + ")
}

/// All bytes of an interpreter's arenas.
fn arenas(interpreter: &[&MemoryMap]) -> usize {
    sum(&interpreter.iter().map(|map| map.totals.arena).collect::<Vec<_>>())
}

/// Of the processes with several interpreters, that in which most can be saved.
pub(super) fn planners(maps: &[MemoryMap]) -> Option<Said> {
    let mut processes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for interpreter in interpreters(maps) {
        if let (Origin::Recording { pid, .. }, bytes @ 1..) = (&interpreter[0].origin, arenas(&interpreter)) {
            processes.entry(*pid).or_default().push(bytes);
        }
    }
    let saved = |sizes: &[usize]| sum(sizes) - sizes.iter().copied().max().unwrap_or(0);
    let (pid, sizes) = processes.iter().max_by_key(|(_, sizes)| saved(sizes)).filter(|(_, sizes)| sizes.len() > 1)?;
    let (all, saved) = (sum(sizes), saved(sizes));
    let text = format!(
        "Process {pid} has {} interpreters, whose arenas take {} = {}. If no two of them run at once, one arena that they \
         share takes {}, {} less.",
        number(sizes.len()),
        terms(sizes),
        bytes(all),
        number(all - saved),
        number(saved)
    );
    let advice = "`Interpreter::ReleaseNonPersistentMemory` after each run gives an arena back, with the inputs and outputs that lie \
                  in it: copy the outputs first. The next `AllocateTensors` takes it again.";
    Some(Said::saves(saved, text).with(advice))
}

pub(super) fn subgraphs(maps: &[MemoryMap]) -> Option<Said> {
    let mut several = interpreters(maps);
    several.retain(|one| one.iter().filter(|map| map.totals.arena > 0).count() > 1);
    let one = several.iter().max_by_key(|one| arenas(one))?;
    let sizes: Vec<usize> = one.iter().map(|map| map.totals.arena).collect();
    let called = &sizes[1..];
    let (all, largest) = (sum(&sizes), called.iter().copied().max().unwrap_or(0));
    let shared = sizes[0].saturating_add(largest);
    let mut text = format!(
        "Each of {} subgraphs has an arena of its own: {} = {}.",
        number(sizes.len()),
        terms(&sizes),
        bytes(all)
    );
    if shared < all {
        text += &format!(
            " The first waits while others run; if no two of the others run at once, one arena for those makes it {}, \
             {} less.",
            number(shared),
            number(all - shared)
        );
    }
    Some(Said::fact(text))
}
