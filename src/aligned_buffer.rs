//! Upstream's `ResizableAlignedBuffer`: one aligned block of memory that grows and keeps what it holds.

use core::ffi::c_void;
use core::ptr;

use arena_planner::{Alignment, Bytes, Error};

use crate::boundary::Object;
use crate::last_error::LastError;
use crate::platform;
use crate::types::TfliteArenaAllocator;

/// The caller's allocator, known to be usable.
#[derive(Clone, Copy)]
struct Callbacks {
    data: *mut c_void,
    allocate: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    reallocate: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize, usize) -> *mut c_void>,
    deallocate: unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize),
}

/// An aligned block of memory, over the C library or the caller's allocator.
pub struct TfliteArenaResizableAlignedBuffer {
    /// NULL exactly when `size` is zero.
    memory: *mut u8,
    size: usize,
    alignment: Alignment,
    callbacks: Option<Callbacks>,
    error: LastError,
}

impl Object for TfliteArenaResizableAlignedBuffer {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaResizableAlignedBuffer {
    /// An empty buffer. An allocator that cannot both allocate and deallocate is ignored, as upstream ignores it.
    pub(crate) fn new(
        alignment: Alignment,
        allocator: Option<TfliteArenaAllocator>,
    ) -> TfliteArenaResizableAlignedBuffer {
        let callbacks = allocator.and_then(|allocator| {
            let TfliteArenaAllocator { data, allocate, reallocate, deallocate } = allocator;
            Some(Callbacks { data, allocate: allocate?, reallocate, deallocate: deallocate? })
        });
        TfliteArenaResizableAlignedBuffer {
            memory: ptr::null_mut(),
            size: 0,
            alignment,
            callbacks,
            error: LastError::new(),
        }
    }

    /// Grows to `size` bytes and keeps what it holds; a smaller size changes nothing.
    ///
    /// On an error it holds what it held. Whether the memory moved is told by [`Self::memory`] alone: a caller's
    /// `reallocate` that breaks its promise of alignment has moved it by then.
    pub(crate) fn resize(&mut self, size: usize) -> Result<(), Error> {
        if size <= self.size && self.is_aligned(self.memory) {
            return Ok(());
        }
        let size = size.max(self.size);
        // No object can be larger; an allocator that tried would only wrap around.
        if size > (isize::MAX as usize).saturating_sub(self.alignment.get()) {
            return Err(Error::OutOfMemory { asked: size });
        }
        let reallocate = self.callbacks.and_then(|callbacks| Some((callbacks.data, callbacks.reallocate?)));
        if let Some((data, reallocate)) = reallocate
            && !self.memory.is_null()
        {
            // SAFETY: the memory is this allocator's live block of that size and alignment.
            let grown = unsafe { reallocate(data, self.memory.cast(), self.size, size, self.alignment.get()) };
            if grown.is_null() {
                return Err(Error::OutOfMemory { asked: size });
            }
            self.memory = grown.cast();
            self.size = size;
            if self.is_aligned(self.memory) {
                return Ok(());
            }
        }
        let moved = self.allocate(size)?;
        if !self.memory.is_null() {
            // SAFETY: the new block is distinct and at least as large.
            // They do not overlap, but memmove is called elsewhere too: another function would cost a program a hundred bytes.
            unsafe { ptr::copy(self.memory, moved, self.size) };
            self.free();
        }
        self.memory = moved;
        self.size = size;
        Ok(())
    }

    fn allocate(&self, size: usize) -> Result<*mut u8, Error> {
        let refused = Error::OutOfMemory { asked: size };
        let Some(callbacks) = self.callbacks else {
            let memory = platform::allocate_aligned(size, self.alignment.get());
            return if memory.is_null() { Err(refused) } else { Ok(memory) };
        };
        // SAFETY: the caller's allocator takes any size and a power of two.
        let memory = unsafe { (callbacks.allocate)(callbacks.data, size, self.alignment.get()) }.cast::<u8>();
        if memory.is_null() {
            return Err(refused);
        }
        if !self.is_aligned(memory) {
            // SAFETY: it has just been allocated with that size and alignment.
            unsafe { (callbacks.deallocate)(callbacks.data, memory.cast(), size, self.alignment.get()) };
            return Err(Error::Refused("the allocator gave memory that is not aligned as asked"));
        }
        Ok(memory)
    }

    fn free(&mut self) {
        match self.callbacks {
            // SAFETY: the block came from these callbacks with this size and alignment, and is given up here.
            Some(callbacks) => unsafe {
                (callbacks.deallocate)(callbacks.data, self.memory.cast(), self.size, self.alignment.get());
            },
            // SAFETY: the block came from `allocate_aligned` and is given up here.
            None => unsafe { platform::free_aligned(self.memory) },
        }
    }

    fn is_aligned(&self, memory: *mut u8) -> bool {
        memory.addr() & (self.alignment.get() - 1) == 0
    }

    /// Frees the memory.
    pub(crate) fn release(&mut self) {
        if !self.memory.is_null() {
            self.free();
            self.memory = ptr::null_mut();
            self.size = 0;
        }
    }

    /// The memory; NULL when there is none.
    pub(crate) fn memory(&self) -> *mut u8 {
        self.memory
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// What its address is a multiple of, in bytes.
    pub(crate) fn alignment(&self) -> usize {
        self.alignment.get()
    }

    /// The address of a byte, or NULL when there is no memory that far.
    pub(crate) fn at(&self, offset: Bytes) -> *mut u8 {
        if offset.0 < self.size {
            // SAFETY: inside the block.
            unsafe { self.memory.add(offset.0) }
        } else {
            ptr::null_mut()
        }
    }

    /// Copies bytes inside the buffer; does nothing when either place is not inside.
    pub(crate) fn copy_within(&mut self, from: Bytes, to: Bytes, len: Bytes) {
        let inside = |start: Bytes| start.checked_add(len).is_some_and(|end| end.0 <= self.size);
        if len > Bytes::ZERO && inside(from) && inside(to) {
            // SAFETY: both ranges are inside the block; they may overlap.
            unsafe { ptr::copy(self.memory.add(from.0), self.memory.add(to.0), len.0) };
        }
    }
}

impl Drop for TfliteArenaResizableAlignedBuffer {
    fn drop(&mut self) {
        self.release();
    }
}
