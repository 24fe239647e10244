//! Networks: each operator writes a tensor, which is kept until it has been read for the last time.

use crate::Interval;
use crate::random::Random;

/// Sizes are multiples of this.
const UNIT: u32 = 64;

/// The tensors so far. The operator that writes a tensor has its number.
#[derive(Default)]
struct Network {
    tensors: Vec<Interval>,
}

impl Network {
    /// An operator that reads some tensors and writes one, whose number is returned.
    fn operator(&mut self, reads: &[usize], size: u32) -> usize {
        let now = self.tensors.len() as u32;
        for &read in reads {
            self.tensors[read].upper = now + 1;
        }
        self.tensors.push(Interval { lower: now, upper: now + 1, size });
        now as usize
    }

    /// Operators one after the other.
    fn branch(&mut self, from: usize, sizes: &[u32]) -> usize {
        sizes.iter().fold(from, |read, &size| self.operator(&[read], size))
    }
}

/// A picture of some height and width with so many channels, a byte each.
fn picture(side: u32, channels: u32) -> u32 {
    (side * side * channels).next_multiple_of(UNIT)
}

fn channels(random: &mut Random) -> u32 {
    8 * random.between(1, 16)
}

/// A picture that becomes smaller now and then.
pub(crate) fn chain(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let mut network = Network::default();
    let mut side = 112;
    let mut last = network.operator(&[], picture(side, 3));
    while network.tensors.len() < buffers {
        if side > 7 && random.between(0, buffers as u32 / 4) == 0 {
            side /= 2;
        }
        last = network.operator(&[last], picture(side, channels(random)));
    }
    network.tensors
}

pub(crate) fn residual(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let mut network = Network::default();
    let (mut side, mut width) = (112, 16);
    let mut last = network.operator(&[], picture(side, width));
    while network.tensors.len() < buffers {
        if side > 7 && random.between(0, 3) == 0 {
            (side, width) = (side / 2, width * 2);
            last = network.operator(&[last], picture(side, width));
        }
        let inner: Vec<_> = (0..random.between(1, 3)).map(|_| picture(side, channels(random))).collect();
        let end = network.branch(last, &inner);
        last = network.operator(&[last, end], picture(side, width));
    }
    network.tensors
}

pub(crate) fn u_net(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let mut network = Network::default();
    let mut last = network.operator(&[], picture(128, 3));
    while network.tensors.len() < buffers {
        let mut across = Vec::new();
        for level in 0..4 {
            let size = picture(128 >> level, channels(random));
            last = network.branch(last, &[size, size]);
            across.push((last, size));
            last = network.operator(&[last], size / 4);
        }
        for (other, size) in across.into_iter().rev() {
            last = network.operator(&[last], size);
            last = network.operator(&[last, other], 2 * size);
            last = network.operator(&[last], size);
        }
    }
    network.tensors
}

pub(crate) fn inception(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let mut network = Network::default();
    let mut side = 56;
    let mut last = network.operator(&[], picture(side, 64));
    while network.tensors.len() < buffers {
        if side > 7 && random.between(0, 3) == 0 {
            side /= 2;
        }
        let mut ends = Vec::new();
        let mut together = 0;
        for depth in 1..=random.between(2, 4) {
            let sizes: Vec<_> = (0..depth).map(|_| picture(side, channels(random))).collect();
            ends.push(network.branch(last, &sizes));
            together += sizes.last().copied().unwrap_or(0);
        }
        last = network.operator(&ends, together);
    }
    network.tensors
}

pub(crate) fn transformer(buffers: usize, random: &mut Random) -> Vec<Interval> {
    let mut network = Network::default();
    let (tokens, width, heads) = (random.between(32, 256), 64 * random.between(1, 12), random.between(2, 8));
    let (states, scores) = (4 * tokens * width, 4 * tokens * tokens * heads);
    let mut last = network.operator(&[], states);
    while network.tensors.len() < buffers {
        let normal = network.operator(&[last], states);
        let [query, key, value] = [(); 3].map(|()| network.operator(&[normal], states));
        let attention = network.operator(&[query, key], scores);
        let weights = network.operator(&[attention], scores);
        let context = network.operator(&[weights, value], states);
        let projected = network.operator(&[context], states);
        let sum = network.operator(&[last, projected], states);
        let inner = network.branch(sum, &[states, 4 * states, 4 * states, states]);
        last = network.operator(&[sum, inner], states);
    }
    network.tensors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_is_kept_until_its_last_reader() {
        let mut network = Network::default();
        let input = network.operator(&[], 1);
        let end = network.branch(input, &[2, 3]);
        network.operator(&[input, end], 4);
        let lives: Vec<_> = network.tensors.iter().map(|tensor| (tensor.lower, tensor.upper, tensor.size)).collect();
        assert_eq!(lives, [(0, 4, 1), (1, 3, 2), (2, 4, 3), (3, 4, 4)]);
    }
}
