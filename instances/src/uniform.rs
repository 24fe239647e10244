//! Times and sizes from a hat.

use crate::Interval;
use crate::random::Random;

pub(crate) fn generate(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let end = buffers.max(2) as u32;
    let interval = |random: &mut Random| {
        let (one, other) = (random.between(0, end - 1), random.between(0, end - 1));
        Interval { lower: one.min(other), upper: one.max(other) + 1, size: random.between(1, 1 << 16) }
    };
    (0..buffers).map(|_| interval(random)).collect()
}
