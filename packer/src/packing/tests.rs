//! What holds for every plan, judged by [`check`] and by trying out all plans of small problems.

#![cfg(all(feature = "best", feature = "exact"))]

use proptest::prelude::*;
use std::vec::Vec;

use super::*;
use crate::{Alignment, END};

/// A problem that owns its parts.
#[derive(Clone, Debug)]
struct Sample {
    buffers: Vec<Buffer>,
    gaps: Vec<Gap>,
}

impl Sample {
    fn problem(&self) -> Problem<'_> {
        Problem { buffers: &self.buffers, gaps: &self.gaps }
    }

    /// All sizes one above the other on top of everything fixed, with the largest padding before each.
    fn naive(&self) -> usize {
        let free = self.buffers.iter().filter(|buffer| buffer.fixed.is_none());
        let fixed = self.buffers.iter().filter_map(|buffer| Some(buffer.fixed?.0 + buffer.size.0)).max().unwrap_or(0);
        free.fold(fixed, |height, buffer| height + buffer.size.0 + buffer.alignment.get() - 1)
    }
}

fn buffer(first_node: i32, last_node: i32, size: usize) -> Buffer {
    Buffer { first_node, last_node, size: Bytes(size), alignment: Alignment::new(1).unwrap(), fixed: None }
}

fn aligned(first_node: i32, last_node: i32, size: usize, alignment: usize) -> Buffer {
    Buffer { alignment: Alignment::new(alignment).unwrap(), ..buffer(first_node, last_node, size) }
}

fn bound(buffers: &[Buffer], gaps: &[Gap]) -> usize {
    lower_bound(&Problem { buffers, gaps }).unwrap().0
}

const NO_LIMITS: Limits = Limits { steps: u64::MAX, capacity: None };

/// The lowest plan without windows: some order of the buffers leads to it when each is placed as low as it can be.
fn lowest(sample: &Sample) -> usize {
    let problem = sample.problem();
    let mut offsets: Vec<Option<usize>> = sample
        .buffers
        .iter()
        .map(|buffer| if buffer.size.0 == 0 { Some(0) } else { buffer.fixed.map(|at| at.0) })
        .collect();
    let mut lowest = usize::MAX;
    try_all(&problem, &mut offsets, &mut lowest);
    lowest
}

fn try_all(problem: &Problem<'_>, offsets: &mut Vec<Option<usize>>, lowest: &mut usize) {
    let ends = problem.buffers.iter().zip(&*offsets).filter(|(buffer, _)| buffer.size.0 > 0);
    let height = ends.filter_map(|(buffer, offset)| Some(offset.as_ref()? + buffer.size.0)).max().unwrap_or(0);
    if height >= *lowest {
        return;
    }
    if offsets.iter().all(Option::is_some) {
        *lowest = height;
        return;
    }
    for at in 0..offsets.len() {
        if offsets[at].is_none() {
            // As low as it can be, it lies at the bottom, or on another one.
            let ends =
                problem.buffers.iter().zip(&*offsets).filter_map(|(buffer, offset)| Some((*offset)? + buffer.size.0));
            let mut places: Vec<usize> =
                ends.chain([0]).map(|end| end.next_multiple_of(problem.buffers[at].alignment.get())).collect();
            places.sort();
            let fits = |offset: &usize| (0..offsets.len()).all(|other| apart(problem, offsets, at, *offset, other));
            offsets[at] = places.into_iter().find(fits);
            try_all(problem, offsets, lowest);
            offsets[at] = None;
        }
    }
}

/// True when a buffer at an offset and another one that may have been placed never need the same byte.
fn apart(problem: &Problem<'_>, offsets: &[Option<usize>], at: usize, offset: usize, other: usize) -> bool {
    let Some(other_offset) = offsets[other].filter(|_| problem.buffers[other].size.0 > 0) else { return true };
    (0..20).all(|node| match (bytes_at(problem, at, node), bytes_at(problem, other, node)) {
        (Some((low, high)), Some((other_low, other_high))) => {
            offset + high <= other_offset + other_low || other_offset + other_high <= offset + low
        }
        _ => true,
    })
}

fn bytes_at(problem: &Problem<'_>, at: usize, node: i32) -> Option<(usize, usize)> {
    let buffer = problem.buffers[at];
    let gap =
        problem.gaps.iter().find(|gap| gap.buffer as usize == at && gap.first_node <= node && node <= gap.last_node);
    let alive = buffer.first_node <= node && node <= buffer.last_node;
    let whole = Some((0, buffer.size.0));
    alive
        .then(|| {
            gap.map_or(whole, |gap| gap.window.filter(|(low, high)| low < high).map(|(low, high)| (low.0, high.0)))
        })
        .flatten()
}

/// Up to `most` buffers in some 15 nodes, some with gaps, some fixed apart from each other.
fn sample(most: usize, windows: bool) -> impl Strategy<Value = Sample> {
    let gap = (1i32..3, 1i32..3, any::<bool>(), 0usize..8, 1usize..8);
    let size = prop_oneof![4 => 1usize..9, 1 => (1usize..4).prop_map(|size| size * 4), 1 => Just(0)];
    let lifetime = prop_oneof![6 => 0i32..5, 1 => Just(END)];
    let alignment = prop_oneof![4 => Just(1usize), 1 => Just(2), 1 => Just(4)];
    let fixed = proptest::option::weighted(0.2, 0usize..6);
    let one = (0i32..10, lifetime, size, alignment, fixed, proptest::option::weighted(0.3, gap));
    (proptest::collection::vec(one, 1..=most), any::<bool>(), any::<bool>()).prop_map(move |(all, gaps, fixed)| {
        let mut sample = Sample { buffers: Vec::new(), gaps: Vec::new() };
        let mut places = Vec::new();
        for (at, (first, length, size, alignment, place, gap)) in all.into_iter().enumerate() {
            let last = first.saturating_add(length);
            sample.buffers.push(aligned(first, last, size, alignment));
            places.push(None);
            if let Some((after, length, is_window, low, len)) = gap.filter(|_| gaps) {
                let (begin, end) = (first + after, first + after + length - 1);
                let window = (Bytes(low.min(size)), Bytes((low + len).min(size)));
                if end <= last {
                    let window = (is_window && windows).then_some(window);
                    sample.gaps.push(Gap { buffer: at as u32, first_node: begin, last_node: end, window });
                }
            }
            let place = place.filter(|_| fixed && size > 0).map(|place| place * alignment);
            if place.is_some_and(|place| (0..at).all(|other| apart(&sample.problem(), &places, at, place, other))) {
                places[at] = place;
                sample.buffers[at].fixed = place.map(Bytes);
            }
        }
        sample
    })
}

/// The first node, last node, size, alignment and place of each buffer, and its offset, sorted.
fn told_apart(buffers: &[Buffer], plan: &Plan) -> Vec<(i32, i32, usize, usize, Option<usize>, usize)> {
    let each = buffers.iter().zip(&plan.offsets).map(|(buffer, offset)| {
        let &Buffer { first_node, last_node, size, alignment, fixed } = buffer;
        (first_node, last_node, size.0, alignment.get(), fixed.map(|at| at.0), offset.0)
    });
    let mut sorted: Vec<_> = each.collect();
    sorted.sort();
    sorted
}

/// Cuts a full rectangle into `count` pieces, each time the one at some position, in time or in space.
fn cut_up(cuts: &[(usize, bool, usize)], nodes: i32, height: usize) -> Sample {
    let mut pieces = std::vec![(0, nodes - 1, height)];
    for &(at, in_time, share) in cuts {
        let at = at % pieces.len();
        let (first, last, size) = pieces[at];
        if in_time && first < last {
            let middle = first + share as i32 % (last - first);
            pieces[at] = (first, middle, size);
            pieces.push((middle + 1, last, size));
        } else if size > 1 {
            let part = 1 + share % (size - 1);
            pieces[at] = (first, last, part);
            pieces.push((first, last, size - part));
        }
    }
    Sample { buffers: pieces.iter().map(|&(first, last, size)| buffer(first, last, size)).collect(), gaps: Vec::new() }
}

proptest! {
    #[test]
    fn plans_are_plans_and_each_strategy_is_no_worse_than_the_one_before(sample in sample(24, true)) {
        let problem = sample.problem();
        let greedy = greedy(&problem).unwrap();
        let best = best(&problem, Limits { steps: 500, capacity: None }).unwrap();
        let exact = exact(&problem, Limits { steps: 3_000, capacity: None }, &mut ()).unwrap();
        for plan in [&greedy, &best, &exact] {
            prop_assert_eq!(check(&problem, &plan.offsets), Ok(()));
            prop_assert!(plan.lower_bound <= plan.height);
            prop_assert!(plan.lower_bound >= lower_bound(&problem).unwrap());
            let placed = sample.buffers.iter().zip(&plan.offsets).filter(|(buffer, _)| buffer.size.0 > 0);
            prop_assert_eq!(plan.height.0, placed.map(|(buffer, offset)| offset.0 + buffer.size.0).max().unwrap_or(0));
        }
        prop_assert!(exact.height <= best.height && best.height <= greedy.height);
        prop_assert!(best.lower_bound <= exact.height && exact.lower_bound <= best.height);
        prop_assert!(sample.gaps.iter().any(|gap| gap.window.is_some()) || greedy.height.0 <= sample.naive());
        if best.height == greedy.height {
            prop_assert_eq!(best.offsets, greedy.offsets);
        }
    }

    /// Where all are aligned, the search counts sizes rounded up; only the topmost may reach into its padding.
    #[test]
    fn a_plan_found_is_lower_though_sizes_are_rounded_up(sample in sample(16, false), steps in 0u64..400) {
        let align = |buffer: &Buffer| Buffer {
            alignment: Alignment::new(buffer.alignment.get() * 8).unwrap(),
            size: Bytes(buffer.size.0 * 5),
            fixed: None,
            ..*buffer
        };
        let buffers: Vec<Buffer> = sample.buffers.iter().map(align).collect();
        let problem = Problem { buffers: &buffers, gaps: &[] };
        let greedy = greedy(&problem).unwrap();
        let exact = exact(&problem, Limits { steps, capacity: None }, &mut ()).unwrap();
        for plan in [best(&problem, Limits { steps, capacity: None }).unwrap(), exact] {
            prop_assert_eq!(check(&problem, &plan.offsets), Ok(()));
            prop_assert!(plan.height <= greedy.height && plan.lower_bound <= plan.height);
        }
    }

    #[test]
    fn exact_finds_the_lowest_plan_and_proves_it(sample in sample(6, false)) {
        let problem = sample.problem();
        let lowest = lowest(&sample);
        let plan = exact(&problem, NO_LIMITS, &mut ()).unwrap();
        prop_assert_eq!((plan.height.0, plan.lower_bound.0), (lowest, lowest));
        prop_assert_eq!(check(&problem, &plan.offsets), Ok(()));
        prop_assert!(lower_bound(&problem).unwrap().0 <= lowest);
    }

    #[test]
    fn a_capacity_is_met_or_proven_to_be_too_small(sample in sample(6, false), capacity in 0usize..40) {
        let limits = Limits { steps: u64::MAX, capacity: Some(Bytes(capacity)) };
        let plan = exact(&sample.problem(), limits, &mut ()).unwrap();
        prop_assert_eq!(plan.height.0 <= capacity, lowest(&sample) <= capacity);
        prop_assert_eq!(plan.height.0 > capacity, plan.lower_bound.0 > capacity);
    }

    /// The search counts in coarse units, as 32 bits do not hold the sizes: it proves nothing that is not so.
    #[test]
    fn sizes_may_be_very_large(sample in sample(6, false)) {
        let mut sample = sample;
        for (at, buffer) in sample.buffers.iter_mut().enumerate().filter(|(_, buffer)| buffer.size.0 > 0) {
            buffer.size = Bytes(buffer.size.0 * 900_000_001 + at);
            buffer.fixed = None;
        }
        let lowest = lowest(&sample);
        let plan = exact(&sample.problem(), NO_LIMITS, &mut ()).unwrap();
        prop_assert_eq!(check(&sample.problem(), &plan.offsets), Ok(()));
        prop_assert!(plan.lower_bound.0 <= lowest && lowest <= plan.height.0);
        // No more than a unit for each is lost.
        prop_assert!(plan.height.0 - lowest < 6 * 64, "{} above {}", plan.height.0 - lowest, lowest);
    }

    /// Trying out orders finds a plan, if not the lowest one, where there are windows.
    #[test]
    fn no_plan_is_below_the_lower_bound(sample in sample(5, true)) {
        let lowest = lowest(&sample);
        let plan = exact(&sample.problem(), NO_LIMITS, &mut ()).unwrap();
        prop_assert!(plan.lower_bound.0 <= lowest);
    }

    #[test]
    fn a_rectangle_is_put_together_again(
        cuts in proptest::collection::vec((0usize..100, any::<bool>(), 0usize..100), 0..24),
        height in 10usize..60,
    ) {
        let sample = cut_up(&cuts, 20, height);
        let plan = exact(&sample.problem(), NO_LIMITS, &mut ()).unwrap();
        prop_assert_eq!((plan.height.0, plan.lower_bound.0), (height, height));
        prop_assert_eq!(check(&sample.problem(), &plan.offsets), Ok(()));
    }

    /// Greedy settles ties of size and first node by position, so there are none.
    #[test]
    fn the_order_of_the_buffers_does_not_matter(
        (sample, order) in sample(16, false).prop_flat_map(|sample| {
            let order: Vec<usize> = (0..sample.buffers.len()).collect();
            (Just(sample), Just(order).prop_shuffle())
        }),
    ) {
        let buffers = sample.buffers;
        let shuffled: Vec<Buffer> = order.iter().map(|&at| buffers[at]).collect();
        let [plans, others] = [&buffers, &shuffled].map(|buffers| {
            let problem = Problem { buffers, gaps: &[] };
            let exact = exact(&problem, Limits { steps: 2_000, capacity: None }, &mut ()).unwrap();
            let plans = [greedy(&problem).unwrap(), best(&problem, Limits { steps: 500, capacity: None }).unwrap(), exact];
            plans.map(|plan| (told_apart(buffers, &plan), plan.lower_bound, plan.steps))
        });
        prop_assert_eq!(plans, others);
    }
}

#[test]
fn the_smallest_alignment_at_a_node_rounds_sizes_up() {
    // At node 0, three of 65 from multiples of 64: 128 + 128 + 65. The small one at node 1 may start anywhere: 65 * 3 + 1.
    let large = [aligned(0, 1, 65, 64); 3];
    assert_eq!(bound(&[large.as_slice(), &[aligned(1, 1, 1, 1)]].concat(), &[]), 321);
    // 65 is rounded up to 80 by the one that needs 16 only; 30, the one with the largest padding but one, to 32.
    assert_eq!(bound(&[aligned(0, 0, 65, 64), aligned(0, 0, 30, 16)], &[]), 65 + 32);
    // The smallest alignment holds for fixed buffers as they lie: from 8 on, nothing is rounded up to more than 8.
    let fixed = Buffer { fixed: Some(Bytes(8)), ..aligned(0, 0, 9, 64) };
    assert_eq!(bound(&[fixed, aligned(0, 0, 65, 64)], &[]), 9 + 72);
    // However low everything else is, a fixed buffer ends where it ends.
    assert_eq!(bound(&[Buffer { fixed: Some(Bytes(100)), ..buffer(0, 0, 10) }, buffer(5, 6, 20)], &[]), 110);
    assert_eq!(bound(&[], &[]), 0);
}

#[test]
fn nothing_but_its_window_is_needed_in_a_gap() {
    let buffers = [buffer(0, 9, 10), buffer(4, 5, 8)];
    let gap = |window: Option<(usize, usize)>| Gap {
        buffer: 0,
        first_node: 3,
        last_node: 5,
        window: window.map(|(low, high)| (Bytes(low), Bytes(high))),
    };
    for (gaps, height) in [
        (&[][..], 18),
        // The first is away while the second is there.
        (&[gap(None)], 10),
        // Of the first, 2 bytes stay at the bottom, at the top, or in the middle, where the other goes below or on top.
        (&[gap(Some((0, 2)))], 10),
        (&[gap(Some((8, 10)))], 10),
        (&[gap(Some((4, 6)))], 14),
    ] {
        let problem = Problem { buffers: &buffers, gaps };
        let plan = greedy(&problem).unwrap();
        assert_eq!((check(&problem, &plan.offsets), plan.height.0), (Ok(()), height), "{gaps:?}");
        assert!(plan.lower_bound <= plan.height);
    }
}

#[test]
fn clashes_are_told_apart() {
    let buffers = [buffer(0, 2, 4), aligned(2, 3, 4, 4), Buffer { fixed: Some(Bytes(8)), ..buffer(1, 1, 2) }];
    let problem = Problem { buffers: &buffers, gaps: &[] };
    for (offsets, expected) in [
        (&[0, 4, 8][..], Ok(())),
        (&[0, 4], Err(Clash::Count)),
        (&[0, 6, 8], Err(Clash::Misaligned(1))),
        (&[0, 4, 6], Err(Clash::Moved(2))),
        (&[2, 4, 8], Err(Clash::Overlap(0, 1))),
        (&[7, 0, 8], Err(Clash::Overlap(0, 2))),
        (&[usize::MAX, 0, 8], Err(Clash::Beyond(0))),
    ] {
        let offsets: Vec<Bytes> = offsets.iter().copied().map(Bytes).collect();
        assert_eq!(check(&problem, &offsets), expected, "{offsets:?}");
    }
}

/// Stops at once.
struct Never;

impl Watch for Never {
    fn go_on(&mut self, _: &Progress) -> bool {
        false
    }
}

#[test]
fn a_search_that_may_not_begin_hands_back_greedys_plan() {
    // Greedy puts the second of 3 on the floor, below the first one, which lies on the one of 4. That leaves 1 between them.
    let buffers = [buffer(0, 1, 4), buffer(0, 2, 3), buffer(2, 3, 3), buffer(2, 3, 2)];
    let problem = Problem { buffers: &buffers, gaps: &[] };
    let plan = greedy(&problem).unwrap();
    assert_eq!(exact(&problem, NO_LIMITS, &mut ()).unwrap().height, Bytes(8));
    assert_eq!(plan.height, Bytes(9));
    assert_eq!(exact(&problem, Limits { steps: 0, capacity: None }, &mut ()).unwrap().offsets, plan.offsets);
    assert_eq!(exact(&problem, NO_LIMITS, &mut Never).unwrap().offsets, plan.offsets);
    assert_eq!(best(&problem, Limits { steps: 0, capacity: None }).unwrap(), plan);
}
