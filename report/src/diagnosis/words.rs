//! Numbers and lists as people write them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::map::{MemoryMap, Node, Origin};
pub(super) use crate::numbers::grouped as number;

/// Longer names of tensors are cut in the middle: converters make names of whole paragraphs.
const LONGEST_NAME: usize = 48;

/// So many of a list are named.
pub(super) const NAMED: usize = 3;

/// `1 tensor`, `2,000 tensors`.
pub(super) fn count(how_many: usize, of_what: &str) -> String {
    let plural = if how_many == 1 { "" } else { "s" };
    format!("{} {of_what}{plural}", number(how_many))
}

/// `1 byte`, `2,000 bytes`.
pub(super) fn bytes(how_many: usize) -> String {
    count(how_many, "byte")
}

/// A share in per cent.
pub(super) fn percent(part: usize, whole: usize) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && percent < 0.05 { "less than 0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The first few of them, and how many more there are.
pub(super) fn first_few(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(NAMED);
    items.truncate(NAMED);
    if more > 0 {
        items.push(format!("{} more", number(more)));
    }
    list(&items)
}

/// What the nodes do, the most frequent first, and how often where that differs: `CONV_2D (2) and ADD (1)`.
pub(super) fn operators<'a>(nodes: impl Iterator<Item = &'a Node>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for node in nodes {
        *counts.entry(node.to_string()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    let name = |name: &str| if name.is_empty() { "unnamed operators".to_owned() } else { name.to_owned() };
    match counts.as_slice() {
        [(only, _)] => name(only),
        several => {
            first_few(several.iter().map(|(one, count)| format!("{} ({})", name(one), number(*count))).collect())
        }
    }
}

/// A tensor by name and number.
pub(super) fn tensor(map: &MemoryMap, tensor: usize) -> String {
    let name: Vec<char> = map.name(tensor).chars().collect();
    if name.len() <= LONGEST_NAME {
        return name.into_iter().collect();
    }
    let half = LONGEST_NAME / 2;
    name[..half].iter().chain(&['…']).chain(&name[name.len() - half..]).collect()
}

/// `node 3 (ADD)`, and `time 3` of a table, which has no nodes.
pub(super) fn node(map: &MemoryMap, node: usize) -> String {
    match map.network.nodes.get(node) {
        _ if map.origin == Origin::Table => format!("time {}", map.time(node)),
        Some(known) if !known.to_string().is_empty() => format!("node {node} ({known})"),
        _ => format!("node {node}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(bytes), ["0 bytes", "1 byte", "2 bytes"]);
    }

    #[test]
    fn a_small_share_is_not_none() {
        assert_eq!(
            [(0, 9), (1, 10_000), (1, 8), (5, 5)].map(|(part, whole)| percent(part, whole)),
            ["0.0 %", "less than 0.1 %", "12.5 %", "100.0 %"]
        );
    }

    #[test]
    fn lists_end_with_and() {
        let items: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!([0, 1, 2, 4].map(|count| list(&items[..count])), ["", "a", "a and b", "a, b, c and d"]);
        assert_eq!(first_few(items), "a, b, c and 2 more");
    }
}
