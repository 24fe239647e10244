//! Packing problems by name, size and seed: the same on every machine. What networks look like, what nothing looks like, and
//! what is hard though its optimum is known.

mod cut;
mod network;
mod random;
mod uniform;

use random::Random;

/// A buffer: `size` units from `lower` up to, but not at, `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first time at which it is needed.
    pub lower: u32,
    /// The first time at which it is no longer needed.
    pub upper: u32,
    /// Its size; more than 0.
    pub size: u32,
}

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One operator after the other.
    Chain,
    /// Blocks of a few operators, each with a shortcut around it.
    Residual,
    /// A way down and a way up, with shortcuts across.
    UNet,
    /// Blocks of branches of different depth, whose ends meet.
    Inception,
    /// Layers of attention and feed-forward blocks.
    Transformer,
    /// Times and sizes from a hat.
    Uniform,
    /// A rectangle of time and space, cut into pieces at random: its height is the optimum, and there is no room to spare.
    Cut,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] =
        [Kind::Chain, Kind::Residual, Kind::UNet, Kind::Inception, Kind::Transformer, Kind::Uniform, Kind::Cut];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Chain => "chain",
            Kind::Residual => "residual",
            Kind::UNet => "u-net",
            Kind::Inception => "inception",
            Kind::Transformer => "transformer",
            Kind::Uniform => "uniform",
            Kind::Cut => "cut",
        }
    }

    /// A problem of at least `buffers` buffers, and a block more at the most.
    #[must_use]
    pub fn generate(self, buffers: usize, seed: u64) -> Vec<Interval> {
        let random = &mut Random::new(seed);
        match self {
            Kind::Chain => network::chain(buffers, random),
            Kind::Residual => network::residual(buffers, random),
            Kind::UNet => network::u_net(buffers, random),
            Kind::Inception => network::inception(buffers, random),
            Kind::Transformer => network::transformer(buffers, random),
            Kind::Uniform => uniform::generate(buffers, random),
            Kind::Cut => cut::generate(buffers, random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most that is alive at one time.
    pub(crate) fn most_alive(intervals: &[Interval]) -> u64 {
        let alive = |time| intervals.iter().filter(move |other| other.lower <= time && time < other.upper);
        let sum = |time| alive(time).map(|other| u64::from(other.size)).sum();
        intervals.iter().map(|interval| sum(interval.lower)).max().unwrap_or(0)
    }

    #[test]
    fn problems_are_as_large_as_asked_and_make_sense() {
        for kind in Kind::ALL {
            for buffers in [1, 2, 10, 57, 300] {
                let problem = kind.generate(buffers, 7);
                assert!((buffers..buffers + 24).contains(&problem.len()), "{kind:?} {buffers}: {}", problem.len());
                assert!(
                    problem.iter().all(|interval| interval.lower < interval.upper && interval.size > 0),
                    "{kind:?}"
                );
            }
        }
    }

    #[test]
    fn a_seed_is_a_problem() {
        for kind in Kind::ALL {
            assert_eq!(kind.generate(100, 1), kind.generate(100, 1), "{kind:?}");
            assert_ne!(kind.generate(100, 1), kind.generate(100, 2), "{kind:?}");
        }
    }

    /// Written down once: if it changes, so do all measured figures.
    #[test]
    fn the_same_on_every_machine() {
        let first: Vec<_> = Kind::ALL.iter().map(|kind| kind.generate(40, 1)[20]).collect();
        let interval = |lower, upper, size| Interval { lower, upper, size };
        let written = [
            interval(20, 22, 68_992),
            interval(20, 24, 100_352),
            interval(20, 22, 786_432),
            interval(20, 22, 12_544),
            interval(20, 22, 808_992),
            interval(2, 22, 49_307),
            interval(4, 20, 75_545),
        ];
        assert_eq!(first, written);
    }
}
