//! `tflite::SimpleMemoryArena`: its buffer, and what it tells about itself.

use core::ffi::{c_char, c_void};

use crate::boundary::{Out, change, inspect, optional, slice};
use crate::simple_arena::TfliteArenaSimpleMemoryArena;
use crate::status::{Failure, Name, TfliteArenaStatus};
use crate::types::{TfliteArenaAllocWithUsageInterval, TfliteArenaWrite};
use crate::writer::CallbackWriter;

/// Gives the size of the buffer that upstream would ask for: the high-water mark and two alignments.
/// Mirrors `tflite::SimpleMemoryArena::RequiredBufferSize` up to 2.10. The buffer of this library needs the high-water mark
/// alone.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `bytes` is NULL
/// * `OVERFLOW`
///
/// # Safety
/// `arena` is NULL or a live arena; `bytes` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_required_buffer_size(
    arena: *const TfliteArenaSimpleMemoryArena,
    bytes: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            let bytes = Out::new(bytes, c"bytes")?;
            bytes.set(arena.plan.required_buffer_size()?.0);
            Ok(())
        })
    }
}

/// Makes the buffer hold all that has been allocated and keeps what it holds; it never shrinks. `*arena_reallocated`
/// says whether its address changed, and with it every resolved pointer. Mirrors `tflite::SimpleMemoryArena::Commit`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `arena_reallocated` is NULL
/// * `OUT_OF_MEMORY` — the buffer is as it was, and what could be resolved before still can
/// * `INVALID_ARGUMENT` — the caller's allocator gave memory that is not aligned
///
/// # Safety
/// `arena` is NULL or a live arena; `arena_reallocated` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_commit(
    arena: *mut TfliteArenaSimpleMemoryArena,
    arena_reallocated: *mut bool,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let reallocated = Out::new(arena_reallocated, c"arena_reallocated")?;
            let before = arena.buffer.memory();
            arena.buffer.resize(arena.plan.high_water_mark().0)?;
            arena.committed = true;
            reallocated.set(arena.buffer.memory() != before);
            Ok(())
        })
    }
}

/// Gives the address of an allocation in the committed buffer; NULL for one of zero bytes. The memory stays the arena's.
/// Mirrors `tflite::SimpleMemoryArena::ResolveAlloc`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena`, `alloc` or `output_ptr` is NULL
/// * `NOT_COMMITTED`
/// * `INVALID_ARGUMENT` — the allocation does not lie inside the buffer
///
/// # Safety
/// `arena` is NULL or a live arena; `alloc` is NULL or valid; `output_ptr` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_resolve_alloc(
    arena: *mut TfliteArenaSimpleMemoryArena,
    alloc: *const TfliteArenaAllocWithUsageInterval,
    output_ptr: *mut *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let alloc = optional(alloc).ok_or(Failure::null(c"alloc"))?;
            let output_ptr = Out::new(output_ptr, c"output_ptr")?;
            output_ptr.set(arena.resolve(&alloc)?.cast());
            Ok(())
        })
    }
}

/// Frees the buffer; the allocations stay, and can be resolved again after the next commit.
/// Mirrors `tflite::SimpleMemoryArena::ReleaseBuffer`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_release_buffer(
    arena: *mut TfliteArenaSimpleMemoryArena,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            arena.buffer.release();
            arena.committed = false;
            Ok(())
        })
    }
}

/// Gives the size of the buffer, in bytes. Mirrors `tflite::SimpleMemoryArena::GetBufferSize`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `size` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena; `size` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_get_buffer_size(
    arena: *const TfliteArenaSimpleMemoryArena,
    size: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            Out::new(size, c"size")?.set(arena.buffer.size());
            Ok(())
        })
    }
}

/// Gives the bytes that all allocations since the last `tflite_simple_memory_arena_clear_plan` need.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `bytes` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena; `bytes` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_get_high_water_mark(
    arena: *const TfliteArenaSimpleMemoryArena,
    bytes: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            Out::new(bytes, c"bytes")?.set(arena.plan.high_water_mark().0);
            Ok(())
        })
    }
}

/// Gives the address of the buffer, 0 while there is none. Mirrors `tflite::SimpleMemoryArena::BasePointer`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `base` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena; `base` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_base_pointer(
    arena: *const TfliteArenaSimpleMemoryArena,
    base: *mut isize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            Out::new(base, c"base")?.set(arena.buffer.memory().expose_provenance() as isize);
            Ok(())
        })
    }
}

/// Writes the active allocations, and the live bytes of each node of the execution plan, as text.
/// Mirrors `tflite::SimpleMemoryArena::DumpDebugInfo`.
///
/// `name` is its heading. `write` is called many times, with `user` and a piece of the text each.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena`, `name` or `write` is NULL, or `execution_plan` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
///
/// # Safety
/// `arena` is NULL or a live arena; `name` is NULL or ends with a NUL byte; `execution_plan` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_dump_debug_info(
    arena: *const TfliteArenaSimpleMemoryArena,
    name: *const c_char,
    execution_plan: *const i32,
    count: usize,
    write: TfliteArenaWrite,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            let name = Name::new(name).ok_or(Failure::null(c"name"))?;
            let execution_plan = slice(execution_plan, count, c"execution_plan")?;
            arena.dump(name, execution_plan, &mut CallbackWriter::new(write, user)?);
            Ok(())
        })
    }
}
