//! How far the arena is above what no plan can go below, and what closes the gap.

use super::Said;
use super::hole::hole;
use super::subject::{PLANNED_AGAIN, Subject};
use super::words::{bytes, count, number};
use crate::map::{MemoryMap, Origin};
use crate::strategy::Strategy;

/// What asks for a strategy.
fn how(map: &MemoryMap) -> &'static str {
    if map.origin == Origin::Table { "Give `--strategy best`." } else { "Set TFLITE_ARENA_STRATEGY=best." }
}

/// As the totals have it: with two decimals.
fn gap(over: usize, bound: usize) -> String {
    format!("{:.2} %", 100.0 * over as f64 / bound.max(1) as f64)
}

pub(super) fn below(subject: &Subject<'_>) -> Option<Said> {
    let totals = &subject.map.totals;
    (totals.arena < totals.lower_bound).then(|| {
        Said::doubt(format!(
            "The arena takes {}, less than the {} that are needed at once: tensors overlap, or are not aligned.",
            bytes(totals.arena),
            number(totals.lower_bound)
        ))
        .with("`tflite-arena check --validate` names them.")
    })
}

pub(super) fn above(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let (arena, bound) = (map.totals.arena, map.totals.lower_bound);
    if arena <= bound || map.options.preserve_all_tensors {
        return None;
    }
    let over = arena - bound;
    let mut text = format!(
        "The arena takes {}, {} ({}) above the lower bound of {}.",
        bytes(arena),
        gap(over, bound),
        bytes(over),
        number(bound)
    );
    if let Some(hole) = hole(subject) {
        text = format!("{text} {hole}");
    }
    let best = subject.best().filter(|best| best.totals.arena < arena);
    let advice = match (best, map.options.strategy) {
        (Some(best), _) => {
            let reached = best.totals.arena;
            let meaning = match reached.cmp(&bound) {
                std::cmp::Ordering::Less => "less than that bound, as it also shares more bytes".to_owned(),
                std::cmp::Ordering::Equal => "the lower bound".to_owned(),
                std::cmp::Ordering::Greater => format!("{} above the lower bound", gap(reached - bound, bound)),
            };
            format!("Strategy `best` takes it to {}, {meaning}. {}", bytes(reached), how(map))
        }
        (None, Some(Strategy::Exact)) => "A long search has found nothing lower; there may be nothing.".to_owned(),
        (None, _) if subject.is_large() => "Strategy `best` may close it.".to_owned(),
        (None, Some(Strategy::Best)) => {
            "Strategy `exact` searches longer: some ten seconds with a few hundred tensors.".to_owned()
        }
        (None, _) => "Strategy `best` finds nothing lower; `exact` searches longer: some ten seconds with a few \
                      hundred tensors."
            .to_owned(),
    };
    let saved = best.map_or(0, |best| arena - best.totals.arena);
    Some(Said::saves(saved, text).with(advice))
}

pub(super) fn more_sharing(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let arena = map.totals.arena;
    if arena > map.totals.lower_bound || map.options.preserve_all_tensors {
        return None;
    }
    let best = subject.best().filter(|best| best.totals.arena < arena)?;
    let text = format!(
        "The arena takes {}, the lower bound as long as tensors share bytes and are kept as they are now.",
        bytes(arena)
    );
    let advice = format!(
        "Strategy `best` takes it to {}, {} less, as it shares and frees bytes wherever that is safe. {}",
        bytes(best.totals.arena),
        number(arena - best.totals.arena),
        how(map)
    );
    Some(Said::saves(arena - best.totals.arena, text).with(advice))
}

pub(super) fn at(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let arena = map.totals.arena;
    let is_told_otherwise = map.options.preserve_all_tensors || more_sharing(subject).is_some();
    if arena == 0 || arena != map.totals.lower_bound || is_told_otherwise {
        return None;
    }
    Some(Said::fact(format!(
        "The arena takes {}, the lower bound: no order of placement makes it smaller.",
        bytes(arena)
    )))
}

pub(super) fn not_planned_again(subject: &Subject<'_>) -> Option<Said> {
    subject.is_large().then(|| {
        let said = Said::fact(format!(
            "With {} in the arena, more than {}, it was not planned again here: what other options would save is \
             not told.",
            count(subject.map.totals.placed, "tensor"),
            number(PLANNED_AGAIN)
        ));
        let is_searched = matches!(subject.map.options.strategy, Some(Strategy::Best | Strategy::Exact));
        if is_searched { said } else { said.with("`tflite-arena report --strategy best` plans it again.") }
    })
}
