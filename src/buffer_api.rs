//! `tflite::ResizableAlignedBuffer`.

use core::ffi::{c_char, c_void};

use arena_planner::Alignment;

use crate::aligned_buffer::TfliteArenaResizableAlignedBuffer;
use crate::boundary::{Out, change, create, destroy, inspect, last_error_text, optional};
use crate::status::TfliteArenaStatus;
use crate::types::TfliteArenaAllocator;

/// Makes an empty buffer whose memory will start at a multiple of `alignment` bytes, a power of two.
/// Mirrors the constructor of `tflite::ResizableAlignedBuffer`.
///
/// `subgraph_index` is upstream's, for profilers; it changes nothing here.
/// `allocator` may be NULL: the memory then comes from the C library. On success `*buffer` is the caller's, to be given
/// to `tflite_resizable_aligned_buffer_destroy`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` is NULL
/// * `BAD_ALIGNMENT` — `alignment` is not a power of two
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `allocator` is NULL or valid; `buffer` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_create(
    alignment: usize,
    subgraph_index: i32,
    allocator: *const TfliteArenaAllocator,
    buffer: *mut *mut TfliteArenaResizableAlignedBuffer,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        create(buffer, || {
            let _ = subgraph_index;
            let alignment = Alignment::new(alignment)?;
            Ok(TfliteArenaResizableAlignedBuffer::new(alignment, optional(allocator)))
        })
    }
}

/// Frees a buffer and its memory; NULL is fine.
///
/// # Safety
/// `buffer` is NULL or a live buffer; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_destroy(buffer: *mut TfliteArenaResizableAlignedBuffer) {
    // SAFETY: by this function's contract.
    unsafe { destroy(buffer) }
}

/// Makes the buffer hold at least `new_size` bytes and keeps what it holds; it never shrinks. `*buffer_reallocated` says
/// whether its address changed. Mirrors `tflite::ResizableAlignedBuffer::Resize`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` or `buffer_reallocated` is NULL
/// * `OUT_OF_MEMORY` — the buffer is as it was
/// * `INVALID_ARGUMENT` — the caller's allocator gave memory that is not aligned
///
/// # Safety
/// `buffer` is NULL or a live buffer; `buffer_reallocated` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_resize(
    buffer: *mut TfliteArenaResizableAlignedBuffer,
    new_size: usize,
    buffer_reallocated: *mut bool,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(buffer, |buffer| {
            let reallocated = Out::new(buffer_reallocated, c"buffer_reallocated")?;
            let before = buffer.memory();
            buffer.resize(new_size)?;
            reallocated.set(buffer.memory() != before);
            Ok(())
        })
    }
}

/// Frees the buffer's memory; the buffer can be used again. Mirrors `tflite::ResizableAlignedBuffer::Release`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` is NULL
///
/// # Safety
/// `buffer` is NULL or a live buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_release(
    buffer: *mut TfliteArenaResizableAlignedBuffer,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(buffer, |buffer| {
            buffer.release();
            Ok(())
        })
    }
}

/// Gives the address of the buffer's memory, NULL while it has none. The memory stays the buffer's, and moves when it
/// grows. Mirrors `tflite::ResizableAlignedBuffer::GetPtr`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` or `ptr` is NULL
///
/// # Safety
/// `buffer` is NULL or a live buffer; `ptr` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_get_ptr(
    buffer: *const TfliteArenaResizableAlignedBuffer,
    ptr: *mut *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(buffer, |buffer| {
            Out::new(ptr, c"ptr")?.set(buffer.memory().cast());
            Ok(())
        })
    }
}

/// Gives the size of the buffer's memory, in bytes. Mirrors `tflite::ResizableAlignedBuffer::GetSize`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` or `size` is NULL
///
/// # Safety
/// `buffer` is NULL or a live buffer; `size` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_get_size(
    buffer: *const TfliteArenaResizableAlignedBuffer,
    size: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(buffer, |buffer| {
            Out::new(size, c"size")?.set(buffer.size());
            Ok(())
        })
    }
}

/// Gives what the buffer's address is a multiple of, in bytes. Mirrors `tflite::ResizableAlignedBuffer::GetAlignment`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `buffer` or `alignment` is NULL
///
/// # Safety
/// `buffer` is NULL or a live buffer; `alignment` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_get_alignment(
    buffer: *const TfliteArenaResizableAlignedBuffer,
    alignment: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(buffer, |buffer| {
            Out::new(alignment, c"alignment")?.set(buffer.alignment());
            Ok(())
        })
    }
}

/// The text of the last error of a buffer, empty when its last call succeeded. It is the buffer's, and valid until the
/// next call on it. Never NULL.
///
/// # Safety
/// `buffer` is NULL or a live buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_resizable_aligned_buffer_last_error(
    buffer: *const TfliteArenaResizableAlignedBuffer,
) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { last_error_text(buffer) }
}
