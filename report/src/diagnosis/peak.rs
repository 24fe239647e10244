//! The node that needs most, what is alive there, and why.

use super::Said;
use super::subject::{Subject, WORTH, tensors};
use super::words::{NAMED, bytes, count, list, node, number, percent, tensor};
use crate::map::{Node, Origin};

/// Tensors that have less than one part in so many of the peak do not explain it.
const SHARE: usize = 20;

/// What is kept over fewer nodes than this is an ordinary step of a network, such as the way around two convolutions.
const DISTANT: usize = 5;

pub(super) fn peak(subject: &Subject<'_>) -> Option<Said> {
    let (map, at, most) = (subject.map, subject.peak, subject.most());
    if most == 0 || map.options.preserve_all_tensors {
        return None;
    }
    let alive: Vec<usize> = map.alive_at(at).into_iter().filter(|&tensor| subject.size(tensor) > 0).collect();
    let named = alive.iter().take(NAMED).map(|&alive| {
        let size = subject.size(alive);
        format!("{} with {} ({})", tensor(map, alive), number(size), percent(size, most))
    });
    let named = list(&named.collect::<Vec<_>>());
    let who = if alive.len() <= NAMED {
        format!("for {named}")
    } else {
        format!("for {}. The largest are {named}", count(alive.len(), "tensor"))
    };
    let text = format!("Most is needed at {}: {}, {who}.", node(map, at), bytes(most));
    if map.network.nodes.get(at).is_some_and(Node::is_delegated) {
        // What it makes of its tensors is not known.
        return Some(Said::fact(text));
    }
    let others = subject.live.iter().filter(|&&bytes| bytes == most).count() - 1;
    Some(Said::fact(text).with(if others == 0 {
        let named: Vec<usize> = alive.into_iter().take(NAMED).collect();
        format!("For a smaller arena, make these smaller or let them end earlier. {}", far(subject, &named))
    } else {
        let what = if map.origin == Origin::Table { "step" } else { "node" };
        let need = if others == 1 { format!("{what} needs") } else { format!("{what}s need") };
        format!("{} other {need} as much: for a smaller arena, all must need less.", number(others))
    }))
}

/// How far one gets with these tensors of the peak.
fn far(subject: &Subject<'_>, tensors: &[usize]) -> String {
    let (map, most) = (subject.map, subject.most());
    let live = map.live_bytes_without(tensors);
    let next = live.iter().copied().max().unwrap_or(0);
    if next == 0 {
        return "Nothing else is needed at any time.".to_owned();
    }
    let at = live.iter().position(|&bytes| bytes == next).unwrap_or(0);
    format!(
        "If they took nothing, {} ({}) would still be needed at {}.",
        bytes(next),
        percent(next, most),
        node(map, at)
    )
}

/// A tensor that waits.
struct Waiting {
    owner: usize,
    /// The node that used it last before.
    before: usize,
    /// The node that uses it next; `None` for one that is kept to the end.
    after: Option<usize>,
}

pub(super) fn long_lived(subject: &Subject<'_>) -> Option<Said> {
    let (map, at, most) = (subject.map, subject.peak, subject.most());
    if map.options.preserve_all_tensors {
        return None;
    }
    let waiting: Vec<Waiting> = map
        .alive_at(at)
        .into_iter()
        .filter(|&owner| subject.size(owner) > 0 && subject.size(owner) >= most / SHARE)
        .filter_map(|owner| waiting(subject, owner))
        .collect();
    if waiting.is_empty() {
        return None;
    }
    let sum = waiting.iter().map(|waiting| subject.size(waiting.owner)).fold(0, usize::saturating_add);
    let mut stories: Vec<String> = waiting.iter().take(NAMED).map(|waiting| story(subject, waiting)).collect();
    if waiting.len() > NAMED {
        stories.push(count(waiting.len() - NAMED, "more tensor"));
    }
    let text = format!(
        "Of the {} at {}, {} ({}) only wait there: {}.",
        bytes(most),
        node(map, at),
        number(sum),
        percent(sum, most),
        stories.join("; ")
    );
    let without = without(subject, &waiting);
    let said = Said::fact(text);
    Some(if most - without >= (most / WORTH).max(1) {
        said.with(format!(
            "Read earlier, or computed again when needed, they would not count here: then no node needs more than {}.",
            bytes(without)
        ))
    } else {
        said
    })
}

/// A tensor that the peak has no use for, though it is alive there, and whose uses are far from each other.
///
/// Graph inputs have a rule of their own.
fn waiting(subject: &Subject<'_>, owner: usize) -> Option<Waiting> {
    if tensors(&subject.map.network.inputs).any(|input| input == owner) {
        return None;
    }
    let uses = subject.uses().get(owner)?;
    let next = uses.partition_point(|&node| node < subject.peak);
    let after = uses.get(next).copied();
    if after == Some(subject.peak) {
        return None;
    }
    let before = uses.get(next.checked_sub(1)?).copied()?;
    let back = after.unwrap_or(subject.map.steps);
    (back - before > DISTANT).then_some(Waiting { owner, before, after })
}

/// Where a tensor comes from, and what it waits for.
fn story(subject: &Subject<'_>, waiting: &Waiting) -> String {
    let map = subject.map;
    let &Waiting { owner, before, after } = waiting;
    let has = |list: &[i32]| tensors(list).any(|tensor| subject.root(tensor) == owner);
    let is_written = map.network.nodes.get(before).is_some_and(|node| has(&node.outputs));
    let until = match after {
        Some(after) => format!("kept over {} for {}", count(after - before - 1, "node"), node(map, after)),
        None if has(&map.network.outputs) => "kept to the end as a graph output".to_owned(),
        None => "kept to the end though no node reads it later".to_owned(),
    };
    format!(
        "{} ({}), {} at {} and {until}",
        tensor(map, owner),
        bytes(subject.size(owner)),
        if is_written { "written" } else { "read" },
        node(map, before)
    )
}

/// The most that a node would need if none of these were there while they wait.
fn without(subject: &Subject<'_>, waiting: &[Waiting]) -> usize {
    let mut live = subject.live.clone();
    for &Waiting { owner, before, after } in waiting {
        let rounded = subject.map.rounded_up(subject.size(owner));
        let end = after.unwrap_or(live.len()).min(live.len());
        for bytes in live.iter_mut().take(end).skip(before + 1) {
            *bytes = bytes.saturating_sub(rounded);
        }
    }
    live.into_iter().max().unwrap_or(0)
}
