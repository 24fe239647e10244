//! What makes the rest doubtful.

use super::Said;
use super::subject::Subject;
use super::words::{NAMED, count, number};
use crate::map::Call;

pub(super) fn failed_calls(subject: &Subject<'_>) -> Option<Said> {
    let failed: Vec<(&str, i64, &str)> = subject
        .map
        .events
        .iter()
        .filter_map(|event| match &event.call {
            Call::Error { call, status, text } => Some((call.as_str(), *status, text.as_str())),
            _ => None,
        })
        .collect();
    let &(call, status, reason) = failed.first()?;
    let which = if failed.len() == 1 {
        "1 call failed".to_owned()
    } else {
        format!("{} calls failed, first", number(failed.len()))
    };
    let text = format!("{which}: `{call}`, with status {status} ({reason}).");
    Some(Said::doubt(text).with("Look at this first: places may be those from before the failure."))
}

pub(super) fn not_replayed(subject: &Subject<'_>) -> Option<Said> {
    let difference = subject.map.not_replayed.as_ref()?;
    let advice = "The recording was changed by hand or comes from another version: record it again. What other \
                  options would save may be wrong until then.";
    Some(Said::doubt(format!("{difference}.")).with(advice))
}

pub(super) fn unknown(subject: &Subject<'_>) -> Option<Said> {
    let unknowns = &subject.map.unknowns;
    if unknowns.is_empty() {
        return None;
    }
    let mut text = "Only the runtime knows all, so its arena may differ.".to_owned();
    for unknown in unknowns.iter().take(NAMED) {
        text += &format!(" {}", unknown.text);
    }
    if unknowns.len() > NAMED {
        text += &format!(" And {}.", count(unknowns.len() - NAMED, "more reason"));
    }
    let said = if unknowns.iter().any(|unknown| unknown.may_be_larger) { Said::doubt(text) } else { Said::fact(text) };
    Some(said.with("`tflite-arena run --record DIR -- PROGRAM` records what the runtime does."))
}
