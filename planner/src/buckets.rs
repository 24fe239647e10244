//! Items in numbered buckets, by counting.

use alloc::vec::Vec;

use crate::Error;
use crate::collections::refill;

/// Which items are in which bucket.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    /// Where bucket `i` ends in `items`; it starts where bucket `i - 1` ends.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Buckets {
    /// Puts item n in the n-th of `buckets`, which are below `count`. In a bucket items stand in their order.
    pub(crate) fn fill(
        &mut self,
        count: usize,
        buckets: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Result<(), Error> {
        refill(&mut self.ends, count, 0)?;
        refill(&mut self.items, buckets.len(), 0)?;
        for bucket in buckets.clone() {
            if let Some(len) = self.ends.get_mut(bucket as usize) {
                *len += 1;
            }
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += core::mem::replace(end, sum);
        }
        // What is now where a bucket starts moves to where it ends as the bucket fills.
        for (item, bucket) in (0..).zip(buckets) {
            let Some(end) = self.ends.get_mut(bucket as usize) else { continue };
            if let Some(slot) = self.items.get_mut(*end as usize) {
                *slot = item;
            }
            *end += 1;
        }
        Ok(())
    }

    /// The items of the buckets from `first` to `last`, both included.
    pub(crate) fn between(&self, first: u32, last: u32) -> &[u32] {
        let end = |bucket: u32| self.ends.get(bucket as usize).map_or(0, |&end| end as usize);
        let start = first.checked_sub(1).map_or(0, end);
        self.items.get(start..end(last)).unwrap_or_default()
    }
}
