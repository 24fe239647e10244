//! Text that goes out through a caller's callback.

use core::ffi::{c_char, c_void};

use arena_planner::text::TextSink;

use crate::status::Failure;
use crate::types::TfliteArenaWrite;

pub(crate) struct CallbackWriter {
    write: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
    user: *mut c_void,
}

impl CallbackWriter {
    pub(crate) fn new(write: TfliteArenaWrite, user: *mut c_void) -> Result<CallbackWriter, Failure> {
        Ok(CallbackWriter::to(write.ok_or(Failure::null(c"write"))?, user))
    }

    pub(crate) fn to(
        write: unsafe extern "C" fn(*mut c_void, *const c_char, usize),
        user: *mut c_void,
    ) -> CallbackWriter {
        CallbackWriter { write, user }
    }
}

impl TextSink for CallbackWriter {
    // Once, not at each of the many places that call it: a few hundred bytes.
    #[inline(never)]
    fn bytes(&mut self, piece: &[u8]) {
        // SAFETY: the caller's callback, with the argument it wants and a text that lives until it returns.
        unsafe { (self.write)(self.user, piece.as_ptr().cast(), piece.len()) }
    }
}
