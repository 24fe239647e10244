//! The column of gaps: `7-8 9-10@1:17` is a buffer that is away from 7 to 8, and of which from 9 to 10 only the bytes 1 to 17
//! are needed.

use super::column::number;
use super::times::Span;

/// A gap whose times are those of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) span: Span,
    pub(crate) window: Option<(usize, usize)>,
}

/// The gaps of a buffer, sorted, or what is wrong with them.
pub(crate) fn parse(text: &str, life: Span, size: usize, upper_is_included: bool) -> Result<Vec<Gap>, String> {
    let mut gaps = text
        .split_ascii_whitespace()
        .map(|gap| parse_one(gap, life, size, upper_is_included).map_err(|why| format!("gap {gap:?}: {why}")))
        .collect::<Result<Vec<_>, _>>()?;
    gaps.sort_by_key(|gap| gap.span.lower);
    match gaps.windows(2).find(|pair| pair[0].span.upper > pair[1].span.lower) {
        Some(pair) => Err(format!("two gaps share the time {}", pair[1].span.lower)),
        None => Ok(gaps),
    }
}

fn parse_one(gap: &str, life: Span, size: usize, upper_is_included: bool) -> Result<Gap, String> {
    let (times, window) = match gap.split_once('@') {
        Some((times, window)) => (times, Some(window)),
        None => (gap, None),
    };
    let (lower, upper) = two_numbers(times, '-')?;
    let span = Span::new(lower as u64, upper as u64, upper_is_included)?;
    if span.lower < life.lower || span.upper > life.upper {
        return Err("it lies outside the buffer's life".to_owned());
    }
    let window = window.map(|window| two_numbers(window, ':')).transpose()?;
    match window {
        Some((start, end)) if start >= end || end > size => {
            Err(format!("{start}:{end} is no part of the buffer's {size} bytes"))
        }
        _ => Ok(Gap { span, window }),
    }
}

fn two_numbers(text: &str, between: char) -> Result<(usize, usize), String> {
    let (first, second) = text.split_once(between).ok_or_else(|| format!("there is no {between:?} in {text:?}"))?;
    Ok((number(first)?, number(second)?))
}
