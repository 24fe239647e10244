//! What options cost.

use super::Said;
use super::subject::{Subject, tensors};
use super::words::{bytes, first_few, number, percent, tensor};
use crate::map::Origin;

/// An alignment that vector instructions of today's small processors are content with.
const SMALL_ALIGNMENT: usize = 16;

pub(super) fn keep_all(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    if !map.options.preserve_all_tensors {
        return None;
    }
    let (other, saved) = subject.saved_by(|options| options.preserve_all_tensors = false)?;
    let text = format!(
        "All tensors are preserved, so no byte is used twice: the arena takes {}. Without that it takes {}, {} less.",
        bytes(map.totals.arena),
        number(other.totals.arena),
        number(saved)
    );
    let advice = "Turn it off where nobody looks at intermediate tensors: `experimental_preserve_all_tensors` in \
                  Python, `InterpreterOptions::SetPreserveAllTensors` in C++, `preserve_all_tensors` in the C ABI.";
    Some(Said::saves(saved, text).with(advice))
}

pub(super) fn held_inputs(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    if !map.options.preserve_inputs || map.origin == Origin::Table {
        return None;
    }
    let (other, saved) = subject.saved_by(|options| options.preserve_inputs = false)?;
    let mut inputs: Vec<usize> = tensors(&map.network.inputs).filter(|&input| subject.size(input) > 0).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let names = inputs.iter().map(|&input| tensor(map, input)).collect();
    let text = format!(
        "Graph inputs are kept for the whole run: {}, with {}. Given back after their last reader, the arena takes \
         {}, {} less.",
        first_few(names),
        bytes(subject.sum(&inputs)),
        bytes(other.totals.arena),
        number(saved)
    );
    let advice = "From C, set `preserve_inputs` to 0, and fill all inputs anew before each run. TensorFlow Lite \
                  itself gives them back up to 2.6 only.";
    Some(Said::saves(saved, text).with(advice))
}

pub(super) fn padding(subject: &Subject<'_>) -> Option<Said> {
    let map = subject.map;
    let padding = map.totals.padding;
    if !subject.matters(padding) {
        return None;
    }
    let text = format!(
        "Alignment costs {}, {} of the lower bound: each tensor takes a multiple of {}.",
        bytes(padding),
        percent(padding, map.totals.lower_bound),
        bytes(map.options.alignment)
    );
    let smaller = (map.options.alignment > SMALL_ALIGNMENT && map.origin != Origin::Table)
        .then(|| subject.saved_by(|options| options.alignment = SMALL_ALIGNMENT))
        .flatten();
    Some(match smaller {
        Some((other, saved)) => Said::saves(saved, text).with(format!(
            "Where the operators are content with an alignment of {SMALL_ALIGNMENT}, the arena takes {}, {} less.",
            bytes(other.totals.arena),
            number(saved)
        )),
        None => Said::fact(text),
    })
}
