//! Vectors whose growth can fail: the standard ones abort.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use crate::Error;

/// Memory was refused. In a register, as nearly every function passes it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub asked: NonZeroUsize,
}

impl From<OutOfMemory> for Error {
    fn from(OutOfMemory { asked }: OutOfMemory) -> Error {
        Error::OutOfMemory { asked: asked.get() }
    }
}

/// The item with an index as C counts it, where there is one. A negative index becomes one that no list reaches.
pub fn at<T>(items: &[T], index: i32) -> Option<&T> {
    items.get(index as usize)
}

/// As [`at`], to be changed.
pub fn at_mut<T>(items: &mut [T], index: i32) -> Option<&mut T> {
    items.get_mut(index as usize)
}

/// Appends `item`, or says that memory was refused.
pub fn push<T>(vec: &mut Vec<T>, item: T) -> Result<(), OutOfMemory> {
    if vec.len() == vec.capacity() {
        reserve(vec, 1)?;
    }
    push_within(vec, item);
    Ok(())
}

/// Makes room for `additional` more items, or says that memory was refused.
pub fn reserve<T>(vec: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    vec.try_reserve(additional).map_err(|_| refused::<T>(additional))
}

/// Tells that room for so many was refused, or is more than could be numbered.
pub(crate) fn refused<T>(count: usize) -> OutOfMemory {
    // No refusal is about no bytes.
    OutOfMemory { asked: NonZeroUsize::new(count.saturating_mul(size_of::<T>())).unwrap_or(NonZeroUsize::MIN) }
}

/// Appends copies of `items`, or says that memory was refused.
pub fn extend<T: Copy>(vec: &mut Vec<T>, items: &[T]) -> Result<(), OutOfMemory> {
    if items.len() > vec.capacity() - vec.len() {
        reserve(vec, items.len())?;
    }
    for &item in items {
        push_within(vec, item);
    }
    Ok(())
}

/// Grows `vec` to `len` items with copies of `item`; never shrinks it.
pub fn grow<T: Copy>(vec: &mut Vec<T>, len: usize, item: T) -> Result<(), OutOfMemory> {
    reserve(vec, len.saturating_sub(vec.len()))?;
    while vec.len() < len && vec.len() < vec.capacity() {
        push_within(vec, item);
    }
    Ok(())
}

/// Empties `vec` and fills it with `len` copies of `item`.
pub fn refill<T: Copy>(vec: &mut Vec<T>, len: usize, item: T) -> Result<(), OutOfMemory> {
    vec.clear();
    grow(vec, len, item)
}

/// Inserts at `position` (at the end when that is further out). The caller has reserved room for one.
pub(crate) fn insert_within<T: Copy>(vec: &mut Vec<T>, position: usize, item: T) {
    push_within(vec, item);
    if let Some(tail) = vec.get_mut(position..) {
        shift_in(tail, item);
    }
}

/// Puts `item` before all others; the last one falls out.
pub(crate) fn shift_in<T: Copy>(items: &mut [T], item: T) {
    if let Some(kept) = items.len().checked_sub(1) {
        items.copy_within(..kept, 1);
    }
    if let Some(first) = items.first_mut() {
        *first = item;
    }
}

/// Appends `item` where there is room for it, which the caller has reserved.
///
/// The condition is what keeps the growing, aborting half of `Vec::push` out of the binary.
#[inline]
pub fn push_within<T>(vec: &mut Vec<T>, item: T) {
    if vec.len() < vec.capacity() {
        vec.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inserts_as_the_standard_insert_does(items in proptest::collection::vec(any::<i16>(), 0..50), at in 0usize..60) {
            let at = at.min(items.len());
            let mut expected = items.clone();
            expected.insert(at, 7);
            let mut ours = items;
            ours.reserve(1);
            insert_within(&mut ours, at, 7);
            prop_assert_eq!(ours, expected);
        }
    }

    #[test]
    fn no_item_has_a_negative_index() {
        let mut items = [7u8, 8];
        for (index, expected) in [(i32::MIN, None), (-1, None), (0, Some(7)), (1, Some(8)), (2, None), (i32::MAX, None)]
        {
            assert_eq!(at(&items, index).copied(), expected);
            assert_eq!(at_mut(&mut items, index).copied(), expected);
        }
    }

    #[test]
    fn absurd_growth_is_refused() {
        let mut vec: Vec<u64> = Vec::new();
        assert_eq!(grow(&mut vec, usize::MAX, 0), Err(OutOfMemory { asked: NonZeroUsize::MAX }));
        assert!(vec.is_empty());
    }
}
