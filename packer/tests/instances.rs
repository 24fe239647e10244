//! All strategies on problems of each kind: every plan is one, and none is on the wrong side of another.

use arena_packer::bounds::{self, Demand};
use arena_packer::packing::{self, Buffer, Limits, Plan, Problem};
use arena_packer::validate::{Placed, validate};
use arena_packer::{Alignment, Bytes};
use packing_instances::{Interval, Kind};

const STEPS: u64 = 2_000;

fn buffers(kind: Kind, count: usize, seed: u64, alignment: Alignment) -> Vec<Buffer> {
    let buffer = |Interval { lower, upper, size }| Buffer {
        first_node: lower as i32,
        last_node: upper as i32 - 1,
        size: Bytes(size as usize),
        alignment,
        fixed: None,
    };
    kind.generate(count, seed).into_iter().map(buffer).collect()
}

fn naive(buffers: &[Buffer], alignment: Alignment) -> Bytes {
    let demand =
        |buffer: &Buffer| Demand { size: buffer.size, first_node: buffer.first_node, last_node: buffer.last_node };
    bounds::naive(buffers.iter().map(demand), alignment)
}

/// Judged by the validator that knows nothing of packing.
fn assert_valid(buffers: &[Buffer], plan: &Plan, name: &str) {
    let placed = |(id, (buffer, offset)): (usize, (&Buffer, &Bytes))| Placed {
        id,
        first_node: buffer.first_node,
        last_node: buffer.last_node,
        offset: offset.0,
        size: buffer.size.0,
        alignment: buffer.alignment.get(),
    };
    let all: Vec<_> = buffers.iter().zip(&plan.offsets).enumerate().map(placed).collect();
    assert_eq!(all.len(), buffers.len(), "{name}");
    assert_eq!(validate(&all, plan.height.0), Ok(()), "{name}");
    assert!(all.iter().any(|placed| placed.offset + placed.size == plan.height.0), "{name}: the height is too high");
}

#[test]
fn bounds_plans_and_sums_stand_in_their_order() {
    for kind in Kind::ALL {
        for (count, seed, alignment) in [(12, 1, 1), (30, 2, 64), (60, 3, 1), (150, 4, 16)] {
            let alignment = Alignment::new(alignment).unwrap();
            let buffers = buffers(kind, count, seed, alignment);
            let problem = Problem { buffers: &buffers, gaps: &[] };
            let limits = Limits { steps: STEPS, capacity: None };
            let bound = packing::lower_bound(&problem).unwrap();
            let exact = packing::exact(&problem, limits, &mut ()).unwrap();
            let best = packing::best(&problem, Limits { steps: STEPS, capacity: None }).unwrap();
            let greedy = packing::greedy(&problem).unwrap();
            let in_order = packing::in_order(&problem).unwrap();
            let name = format!("{} {count}, seed {seed}", kind.name());
            for plan in [&exact, &best, &greedy, &in_order] {
                assert_valid(&buffers, plan, &name);
                assert_eq!(packing::check(&problem, &plan.offsets), Ok(()), "{name}");
                assert!(bound <= plan.lower_bound && plan.lower_bound <= plan.height, "{name}");
                assert!(plan.height <= naive(&buffers, alignment), "{name}");
            }
            assert!(exact.lower_bound <= best.height && best.height <= greedy.height, "{name}");
            assert!(exact.height <= greedy.height, "{name}");
            assert_eq!(packing::exact(&problem, limits, &mut ()).unwrap(), exact, "{name}: another time, another plan");
        }
    }
}

/// Whatever is cut out of a full rectangle fits into it again.
#[test]
fn pieces_of_a_rectangle_are_put_together_again() {
    for seed in 0..8 {
        let buffers = buffers(Kind::Cut, 40, seed, Alignment::new(1).unwrap());
        let problem = Problem { buffers: &buffers, gaps: &[] };
        let plan = packing::exact(&problem, Limits { steps: 1_000_000, capacity: None }, &mut ()).unwrap();
        assert_eq!((plan.height, plan.lower_bound), (Bytes(1 << 20), Bytes(1 << 20)), "seed {seed}");
    }
}
