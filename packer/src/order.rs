//! Sorting by keys, in linear time. The standard sorts can panic, or allocate without asking.

use alloc::vec::Vec;

use crate::collections::{OutOfMemory, refill, refused};

/// Below this many items, insertion is faster than counting.
const FEW: usize = 48;

/// The order of items that are known by their position in some list.
#[derive(Debug, Default)]
pub struct Order {
    items: Vec<Item>,
    spare: Vec<Item>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Item {
    /// Half of the key that is being sorted by.
    key: u32,
    position: u32,
}

impl Order {
    /// `len` items as they stand.
    pub fn start(&mut self, len: usize) -> Result<(), OutOfMemory> {
        let count = u32::try_from(len).map_err(|_| refused::<Item>(len))?;
        refill(&mut self.items, len, Item::default())?;
        for (position, item) in (0..count).zip(&mut self.items) {
            item.position = position;
        }
        Ok(())
    }

    /// Sorts by `key`, lowest first. Items with the same key stay in the order that they had.
    pub fn sort_by_key(&mut self, key: &mut dyn FnMut(usize) -> u64) -> Result<(), OutOfMemory> {
        let mut sorted = true;
        // Bits in which not all keys are the same.
        let mut varying = 0;
        let mut before = None;
        for item in &mut self.items {
            let key = key(item.position as usize);
            item.key = key as u32;
            let previous = before.replace(key).unwrap_or(key);
            sorted &= previous <= key;
            varying |= previous ^ key;
        }
        if sorted {
            return Ok(());
        }
        self.sort_by_half(varying as u32)?;
        let varying = (varying >> u32::BITS) as u32;
        if varying != 0 {
            for item in &mut self.items {
                item.key = (key(item.position as usize) >> u32::BITS) as u32;
            }
            self.sort_by_half(varying)?;
        }
        Ok(())
    }

    /// Sorts by the halves of the keys that the items hold.
    fn sort_by_half(&mut self, varying: u32) -> Result<(), OutOfMemory> {
        if self.items.len() < FEW {
            insert_each(&mut self.items);
            return Ok(());
        }
        refill(&mut self.spare, self.items.len(), Item::default())?;
        let mut shift = 0;
        while let Some(rest) = varying.checked_shr(shift).filter(|&rest| rest != 0) {
            shift += rest.trailing_zeros();
            distribute(&self.items, &mut self.spare, shift);
            core::mem::swap(&mut self.items, &mut self.spare);
            shift += 8;
        }
        Ok(())
    }

    /// The positions of the items, in order.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.items.iter().map(|item| item.position as usize)
    }
}

/// Insertion sort.
fn insert_each(items: &mut [Item]) {
    for end in 1..items.len() {
        let Some((sorted, [item, ..])) = items.split_at_mut_checked(end) else { return };
        let mut hole = item;
        for other in sorted.iter_mut().rev() {
            if other.key <= hole.key {
                break;
            }
            core::mem::swap(other, hole);
            hole = other;
        }
    }
}

/// Puts items in the order of one byte of their keys, by counting.
fn distribute(items: &[Item], sorted: &mut [Item], shift: u32) {
    let digit = |item: &Item| (item.key >> shift & 0xff) as usize;
    let mut ends = [0u32; 256];
    for item in items {
        if let Some(count) = ends.get_mut(digit(item)) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut ends {
        sum += core::mem::replace(count, sum);
    }
    for &item in items {
        let Some(next) = ends.get_mut(digit(&item)) else { continue };
        if let Some(slot) = sorted.get_mut(*next as usize) {
            *slot = item;
        }
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    fn sorted(keys: &[u64]) -> Vec<usize> {
        let mut order = Order::default();
        order.start(keys.len()).unwrap();
        order.sort_by_key(&mut |position| keys[position]).unwrap();
        order.positions().collect()
    }

    proptest! {
        #[test]
        fn sorts_as_the_standard_stable_sort_does(
            keys in prop_oneof![
                proptest::collection::vec(any::<u64>(), 0..300),
                proptest::collection::vec(0u64..20, 0..300),
                proptest::collection::vec((0u64..3).prop_map(|key| key << 40 | 7), 0..300),
            ],
        ) {
            let mut expected: Vec<usize> = (0..keys.len()).collect();
            expected.sort_by_key(|&position| keys[position]);
            prop_assert_eq!(sorted(&keys), expected);
        }

        #[test]
        fn a_second_key_keeps_the_order_of_the_first(pairs in proptest::collection::vec((0u64..9, 0u64..9), 0..200)) {
            let mut order = Order::default();
            order.start(pairs.len()).unwrap();
            order.sort_by_key(&mut |position| pairs[position].1).unwrap();
            order.sort_by_key(&mut |position| pairs[position].0).unwrap();
            let mut expected: Vec<usize> = (0..pairs.len()).collect();
            expected.sort_by_key(|&position| pairs[position]);
            prop_assert_eq!(order.positions().collect::<Vec<_>>(), expected);
        }
    }
}
