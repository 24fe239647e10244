//! Times of a file, as far apart as they like, and the nodes that stand for them.

/// A half-open interval of times, not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) lower: u64,
    pub(crate) upper: u64,
}

impl Span {
    /// From the two numbers of a file, of which the second may belong to the interval.
    pub(crate) fn new(lower: u64, upper: u64, included: bool) -> Result<Span, String> {
        let end = upper.checked_add(u64::from(included)).ok_or_else(|| format!("{upper} is too large"))?;
        if lower < end { Ok(Span { lower, upper: end }) } else { Err(format!("{lower} to {upper} is no time at all")) }
    }
}

/// All times at which something begins or ends, sorted.
pub(crate) struct Times(Vec<u64>);

impl Times {
    pub(crate) fn new(spans: impl Iterator<Item = Span>) -> Times {
        let mut times: Vec<u64> = spans.flat_map(|span| [span.lower, span.upper]).collect();
        times.sort_unstable();
        times.dedup();
        Times(times)
    }

    /// All of them: by node when it begins, and at last when the last one ends.
    pub(crate) fn into_all(self) -> Vec<u64> {
        self.0
    }

    /// The first and the last node of a span; `None` if there are more nodes than can be numbered.
    pub(crate) fn nodes(&self, span: Span) -> Option<(i32, i32)> {
        let rank = |time| i32::try_from(self.0.partition_point(|&other| other < time)).ok();
        Some((rank(span.lower)?, rank(span.upper)? - 1))
    }
}
