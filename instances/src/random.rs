//! Numbers that are the same on every machine: SplitMix64.

/// A stream of numbers.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to `high`, both included.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        let span = u64::from(high - low) + 1;
        // The upper half has the better bits; the lower numbers are hardly more frequent.
        low + (((self.next() >> 32) * span) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_and_reach_both_ends() {
        let mut random = Random::new(3);
        let numbers: Vec<_> = (0..1000).map(|_| random.between(5, 8)).collect();
        assert_eq!((numbers.iter().min(), numbers.iter().max()), (Some(&5), Some(&8)));
        assert_eq!(random.between(u32::MAX, u32::MAX), u32::MAX);
    }
}
