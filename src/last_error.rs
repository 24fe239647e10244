//! The text of an object's last error, in the object itself: telling of refused memory must not need any.

use core::cell::Cell;
use core::ffi::c_char;

use arena_planner::text::TextSink;

use crate::status::Failure;

/// Room for the text and its terminator, in bytes; the longest text has about 130.
const CAPACITY: usize = 192;

/// A text that ends with a NUL byte, always.
pub(crate) struct LastError {
    text: [Cell<u8>; CAPACITY],
}

impl LastError {
    pub(crate) const fn new() -> LastError {
        LastError { text: [const { Cell::new(0) }; CAPACITY] }
    }

    pub(crate) fn clear(&self) {
        self.text.iter().take(1).for_each(|byte| byte.set(0));
    }

    pub(crate) fn record(&self, failure: &Failure) {
        let mut writer = Writer { free: self.text.split_last().map_or(&[], |(_, text)| text) };
        failure.describe(&mut writer);
        writer.end(&self.text);
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.text.as_ptr().cast()
    }
}

/// Fills the text from the left and drops what does not fit.
struct Writer<'a> {
    free: &'a [Cell<u8>],
}

impl TextSink for Writer<'_> {
    // Once, not at each of the many places that call it: a few hundred bytes.
    #[inline(never)]
    fn bytes(&mut self, piece: &[u8]) {
        for &byte in piece {
            let Some((slot, rest)) = self.free.split_first() else {
                return;
            };
            slot.set(byte);
            self.free = rest;
        }
    }
}

impl Writer<'_> {
    fn end(self, whole: &[Cell<u8>]) {
        // What is free, and the byte behind it that is never written, end the text.
        let last = whole.len().saturating_sub(self.free.len() + 1);
        if let Some(slot) = whole.get(last) {
            slot.set(0);
        }
    }
}
