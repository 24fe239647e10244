//! A comparison for a terminal.

use super::Page;
use super::lines::{Column, printable, shortened, table, wrapped};
use crate::comparison::{Change, Comparison, Highest, OperatorChange, Peak, State, TensorChange, Total};
use crate::map::Kind;
use crate::numbers::grouped;

/// Columns that a name may take: what changed is to have its room.
const NAME: usize = 24;

/// Of each list that much, if not all is asked for.
const MOST: usize = 10;

/// What changed; of long lists the first ten, unless `all` of them is asked for.
#[must_use]
pub fn comparison(comparison: &Comparison, all: bool) -> String {
    let Comparison { titles: [before, after], totals, peaks, highest, tensors, operators } = comparison;
    let mut page = Page { lines: Vec::new(), colours: false };
    page.heading(&format!("before  {before}"));
    page.lines.push(printable(&format!("after   {after}")).into_owned());
    figures(totals, peaks, &mut page);
    page.lines.extend(wrapped(&heights(highest), "  "));
    changed_tensors(tensors, all, &mut page);
    changed_operators(operators, all, &mut page);
    page.lines.join("\n") + "\n"
}

fn figures(totals: &[Total], [before, after]: &[Peak; 2], page: &mut Page) {
    let row = |name: &str, before: usize, after: usize| {
        let percent = 100.0 * (after as f64 / before as f64 - 1.0);
        let percent = if before == 0 || before == after { String::new() } else { format!("{percent:+.2} %") };
        [name.replace('_', " "), grouped(before), grouped(after), signed(after as i128 - before as i128), percent]
    };
    let mut rows: Vec<_> = totals.iter().map(|total| row(total.name, total.before, total.after)).collect();
    rows.insert(1, row("peak", before.bytes, after.bytes));
    let columns = [
        Column::Left(""),
        Column::Right("before"),
        Column::Right("after"),
        Column::Right("difference"),
        Column::Right(""),
    ];
    page.lines.extend(table(&columns, &rows));
    let before_and_after = match (at(before), at(after)) {
        (then, now) if then == now => format!("The peak is at {now}, as before."),
        (then, now) => format!("The peak is at {now}, it was at {then}."),
    };
    page.lines.extend(wrapped(&before_and_after, "  "));
}

/// What gives the arena its size.
fn heights(highest: &[Option<Highest>; 2]) -> String {
    let whole = |Highest { tensor, name, offset, bytes }: &Highest| {
        let (from, to) = (grouped(*offset), grouped(offset.saturating_add(*bytes)));
        format!("{}, from {from} to {to}", called(name, *tensor))
    };
    match highest {
        [None, None] => String::new(),
        [Some(then), None] => format!("The arena is empty; highest was {}.", whole(then)),
        [None, Some(now)] => format!("Highest lies {}; the arena was empty.", whole(now)),
        [Some(then), Some(now)] if then == now => format!("Highest lies {}, as before.", whole(now)),
        [Some(then), Some(now)] => format!("Highest lies {}; it was {}.", whole(now), whole(then)),
    }
}

fn at(peak: &Peak) -> String {
    if peak.op.is_empty() {
        format!("time {}", peak.time)
    } else {
        format!("node {} ({})", peak.node, printable(&peak.op))
    }
}

fn changed_tensors(tensors: &[TensorChange], all: bool, page: &mut Page) {
    let moved = tensors.iter().filter(|change| change.only_moved()).count();
    let silent = tensors.iter().filter(|change| change.adds_nothing()).count() - moved;
    let told: Vec<_> = tensors.iter().filter(|change| all || !change.adds_nothing()).collect();
    let shown = if all { told.len() } else { told.len().min(MOST) };
    page.heading(&match (told.is_empty(), told.len() - shown) {
        (true, _) if tensors.is_empty() => "No tensor changed".to_owned(),
        (true, _) => "No tensor adds bytes or takes any away".to_owned(),
        (false, 0) => "Tensors, and what they add to peak or persistent".to_owned(),
        (false, more) => format!("Tensors, and what they add to peak or persistent; {} more with --all", grouped(more)),
    });
    let row = |change: &&TensorChange| [signed(change.effect().into()), name(change), describe(change)];
    let rows: Vec<_> = told.iter().take(shown).map(row).collect();
    if !rows.is_empty() {
        let columns = [Column::Right("bytes"), Column::Left("tensor"), Column::Cut("what changed")];
        page.lines.extend(table(&columns, &rows));
    }
    if silent > 0 && !all {
        page.lines.push(format!("  {} more changed, without adding bytes: --all tells.", grouped(silent)));
    }
    if moved > 0 && !all {
        page.lines.push(format!("  {} only moved.", grouped(moved)));
    }
}

fn name(change: &TensorChange) -> String {
    called(&change.name, change.after.or(change.before).map_or(0, |state| state.tensor))
}

fn called(name: &str, number: usize) -> String {
    match shortened(&printable(name), NAME) {
        name if name.is_empty() => format!("tensor {number}"),
        name => format!("{name} ({number})"),
    }
}

fn describe(change: &TensorChange) -> String {
    let (before, after) = match (change.before, change.after) {
        (None, None) => return String::new(),
        (None, Some(now)) => return format!("new: {} bytes, {}", grouped(now.bytes), kind(now)),
        (Some(then), None) => return format!("gone: {} bytes, {}", grouped(then.bytes), kind(then)),
        (Some(before), Some(after)) => (before, after),
    };
    let nodes = |state: State| state.nodes.unwrap_or(0);
    let told = |change: &Change| match change {
        Change::Grew => format!("grew from {} to {}", grouped(before.bytes), grouped(after.bytes)),
        Change::Shrank => format!("shrank from {} to {}", grouped(before.bytes), grouped(after.bytes)),
        Change::LivesLonger | Change::LivesShorter => {
            format!("lives for {} nodes, not {}", nodes(after), nodes(before))
        }
        Change::Kind => format!("is {}, was {}", kind(after), kind(before)),
        Change::Sharing if after.shares => "shares another's bytes".to_owned(),
        Change::Sharing => "has bytes of its own".to_owned(),
        Change::Moved => match (before.offset, after.offset) {
            (Some(then), Some(now)) => format!("moved from {} to {}", grouped(then), grouped(now)),
            (None, _) => "has a place now".to_owned(),
            (_, None) => "has no place now".to_owned(),
        },
        Change::Appeared | Change::Went => String::new(),
    };
    // Where it lies follows from all the rest.
    let is_told = |change_of: &&Change| **change_of != Change::Moved || change.changes.len() == 1;
    let told: Vec<_> = change.changes.iter().filter(is_told).map(told).collect();
    if told.is_empty() { "is needed at the peak, or no longer is".to_owned() } else { told.join(", ") }
}

fn changed_operators(operators: &[OperatorChange], all: bool, page: &mut Page) {
    if operators.is_empty() {
        return;
    }
    page.heading("Operators");
    let shown = if all { operators.len() } else { operators.len().min(MOST) };
    let row = |change: &OperatorChange| {
        let more = signed(change.after as i128 - change.before as i128);
        [more, printable(&change.op).into_owned(), format!("{}, were {}", change.after, change.before)]
    };
    let rows: Vec<_> = operators.iter().take(shown).map(row).collect();
    page.lines.extend(table(&[Column::Right("nodes"), Column::Cut("operator"), Column::Left("")], &rows));
    if shown < operators.len() {
        page.lines.push(format!("  {} more with --all.", operators.len() - shown));
    }
}

fn kind(state: State) -> String {
    match Kind::from_number(state.allocation_type) {
        Kind::None => "nowhere".to_owned(),
        Kind::Constant => "constant".to_owned(),
        Kind::ArenaRw => "in the arena".to_owned(),
        Kind::Persistent => "persistent".to_owned(),
        Kind::Dynamic => "dynamic".to_owned(),
        Kind::PersistentRo => "kept outside the arenas".to_owned(),
        Kind::Custom => "the application's".to_owned(),
        Kind::Variant => "an object outside the arenas".to_owned(),
        Kind::Other(number) => format!("of allocation type {number}"),
    }
}

/// With its sign, and a comma before each three digits.
fn signed(number: i128) -> String {
    let sign = match number {
        0 => "",
        1.. => "+",
        ..0 => "-",
    };
    format!("{sign}{}", grouped(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX)))
}
