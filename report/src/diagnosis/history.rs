//! What a runtime asked for again and again.

use arena_planner::Arena;

use super::Said;
use super::subject::Subject;
use super::words::{bytes, count, number};
use crate::map::Call;

/// A runtime plans once, and once more when its user sets the sizes of inputs.
const USUAL_PLANS: usize = 2;

/// A model whose sizes hang on its data is executed in a few parts; more than this means that it is so in each run.
const USUAL_EXECUTIONS: usize = 8;

pub(super) fn planned_repeatedly(subject: &Subject<'_>) -> Option<Said> {
    let events = &subject.map.events;
    let plans = events.iter().filter(|event| event.call == Call::Plan).count();
    let executions = events.iter().filter(|event| matches!(event.call, Call::Execute { .. })).count();
    if plans <= USUAL_PLANS && executions <= USUAL_EXECUTIONS {
        return None;
    }
    let spent: u64 = events
        .iter()
        .filter(|event| matches!(event.call, Call::Plan | Call::Execute { .. }))
        .filter_map(|event| event.ns)
        .fold(0, u64::saturating_add);
    let text = format!(
        "The graph was planned {} and executed {}{}.",
        times(plans),
        times(executions),
        if spent == 0 { String::new() } else { format!(", in {} µs altogether", number((spent / 1_000) as usize)) }
    );
    Some(Said::fact(text).with("Sizes that are set once, before the first run, are planned once."))
}

pub(super) fn grown_buffer(subject: &Subject<'_>) -> Option<Said> {
    let grown: Vec<(usize, usize)> = subject
        .map
        .events
        .iter()
        .filter_map(|event| match event.call {
            Call::Grow { of: Arena::Rw, before, after } if before > 0 => Some((before, after)),
            _ => None,
        })
        .collect();
    let &(first, _) = grown.first()?;
    // Where memory was released in between, the last growth need not lead to the most.
    let most = grown.iter().map(|&(_, after)| after).max().unwrap_or(0);
    let both = grown.iter().map(|&(before, after)| before.saturating_add(after)).max().unwrap_or(0);
    let text = format!(
        "The arena's buffer was made with {} and has grown {} since, to {}: each time its bytes may have moved, and \
         old and new ones were held together, {} at most.",
        bytes(first),
        times(grown.len()),
        number(most),
        bytes(both)
    );
    Some(Said::fact(text).with("Run with the largest sizes first: a buffer never shrinks, so it need not grow later."))
}

fn times(how_often: usize) -> String {
    match how_often {
        1 => "once".to_owned(),
        _ => count(how_often, "time"),
    }
}
