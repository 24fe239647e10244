//! Byte sizes and offsets with checked arithmetic: the one place where sizes are added or rounded.

use crate::Error;

/// A size or an offset, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub usize);

impl Bytes {
    /// Nothing.
    pub const ZERO: Bytes = Bytes(0);

    /// The sum, or `None` when it does not fit the address space.
    pub fn checked_add(self, other: Bytes) -> Option<Bytes> {
        self.0.checked_add(other.0).map(Bytes)
    }

    /// The sum, or the largest size: for figures that are only reported.
    pub fn saturating_add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }

    /// The difference, or zero.
    pub fn saturating_sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(other.0))
    }

    /// The largest alignment that it is a multiple of.
    pub fn alignment(self) -> Alignment {
        Alignment((self.0.trailing_zeros() as u8).min(Alignment::LARGEST.0))
    }

    /// The next multiple of `alignment`, or `None` when it does not fit the address space.
    pub fn align_up(self, alignment: Alignment) -> Option<Bytes> {
        let mask = alignment.get() - 1;
        self.0.checked_add(mask).map(|sum| Bytes(sum & !mask))
    }
}

/// A power of two, in bytes; kept as its exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alignment(u8);

impl Default for Alignment {
    fn default() -> Alignment {
        Alignment::DEFAULT
    }
}

impl Alignment {
    /// Upstream's `kDefaultArenaAlignment`.
    pub const DEFAULT: Alignment = Alignment(6);

    /// One byte: every offset is a multiple of it.
    pub const NONE: Alignment = Alignment(0);

    /// All there is to be shifted.
    pub const LARGEST: Alignment = Alignment(usize::BITS as u8 - 1);

    /// Accepts powers of two only: 0 has no multiple, and 48 aligns nothing.
    pub fn new(bytes: usize) -> Result<Alignment, Error> {
        if bytes.is_power_of_two() {
            Ok(Alignment(bytes.trailing_zeros() as u8))
        } else {
            Err(Error::Alignment { asked: bytes })
        }
    }

    /// The alignment, in bytes.
    pub fn get(self) -> usize {
        1 << self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_two_align() {
        for bad in [0, 3, 48, 65, usize::MAX] {
            assert_eq!(Alignment::new(bad), Err(Error::Alignment { asked: bad }));
        }
        assert_eq!(Alignment::new(1).map(Alignment::get), Ok(1));
        assert_eq!(Alignment::new(1 << 40).map(Alignment::get), Ok(1 << 40));
    }

    #[test]
    fn rounding_up_stops_at_the_address_space() {
        assert_eq!(Bytes(0).align_up(Alignment::DEFAULT), Some(Bytes(0)));
        assert_eq!(Bytes(1).align_up(Alignment::DEFAULT), Some(Bytes(64)));
        assert_eq!(Bytes(64).align_up(Alignment::DEFAULT), Some(Bytes(64)));
        assert_eq!(Bytes(usize::MAX - 63).align_up(Alignment::DEFAULT), Some(Bytes(usize::MAX - 63)));
        assert_eq!(Bytes(usize::MAX - 62).align_up(Alignment::DEFAULT), None);
    }
}
