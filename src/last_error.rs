//! The text of an object's last error, in the object itself: telling of refused memory must not need any.

use core::cell::Cell;
use core::ffi::{c_char, c_void};

use crate::status::Failure;
use crate::writer::CallbackWriter;

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
        let mut free = self.text.split_last().map_or(&[][..], |(_, text)| text);
        failure.describe(&mut CallbackWriter::to(append, (&raw mut free).cast()));
        // What is free, and the byte behind it that is never written, end the text.
        let last = self.text.len().saturating_sub(free.len() + 1);
        if let Some(slot) = self.text.get(last) {
            slot.set(0);
        }
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.text.as_ptr().cast()
    }
}

/// Fills the text from the left and drops what does not fit. A callback, so that there is one kind of writer in the library.
///
/// # Safety
/// `free` points at the part of a text that is free, and `text` at `length` bytes.
unsafe extern "C" fn append(free: *mut c_void, text: *const c_char, length: usize) {
    // SAFETY: by this function's contract.
    let (free, piece) = unsafe { (&mut *free.cast::<&[Cell<u8>]>(), core::slice::from_raw_parts(text.cast(), length)) };
    for &byte in piece {
        let Some((slot, rest)) = free.split_first() else {
            return;
        };
        slot.set(byte);
        *free = rest;
    }
}
