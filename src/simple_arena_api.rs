//! `tflite::SimpleMemoryArena`: what is allocated where.

use core::ffi::c_char;

use arena_planner::occupancy::Allocation;
use arena_planner::{Alignment, Bytes};

use crate::boundary::{Out, change, create, destroy, inspect, last_error_text, optional, slice};
use crate::simple_arena::TfliteArenaSimpleMemoryArena;
use crate::status::{Failure, TfliteArenaStatus};
use crate::types::{TfliteArenaAlloc, TfliteArenaAllocWithUsageInterval, TfliteArenaAllocator};

/// Makes an empty arena whose buffer will start at a multiple of `alignment` bytes, a power of two.
/// Mirrors the constructor of `tflite::SimpleMemoryArena`.
///
/// `subgraph_index` is upstream's, for profilers; it changes nothing here.
/// `allocator` may be NULL: the memory then comes from the C library. On success `*arena` is the caller's, to be given to
/// `tflite_simple_memory_arena_destroy`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
/// * `BAD_ALIGNMENT` — `alignment` is not a power of two
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `allocator` is NULL or valid; `arena` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_create(
    alignment: usize,
    subgraph_index: i32,
    allocator: *const TfliteArenaAllocator,
    arena: *mut *mut TfliteArenaSimpleMemoryArena,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        create(arena, || {
            let _ = subgraph_index;
            let alignment = Alignment::new(alignment)?;
            Ok(TfliteArenaSimpleMemoryArena::new(alignment, optional(allocator)))
        })
    }
}

/// Frees an arena and its buffer; NULL is fine.
///
/// # Safety
/// `arena` is NULL or a live arena; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_destroy(arena: *mut TfliteArenaSimpleMemoryArena) {
    // SAFETY: by this function's contract.
    unsafe { destroy(arena) }
}

/// Places `size` bytes that `tensor` needs from `first_node` to `last_node`, at an offset that is a multiple of
/// `alignment`, in the best-fitting gap among the active allocations. Zero bytes take no room.
/// Mirrors `tflite::SimpleMemoryArena::Allocate`.
///
/// # Returns
/// * `OK` — `*new_alloc` says where
/// * `NULL_POINTER` — `arena` or `new_alloc` is NULL
/// * `BAD_ALIGNMENT` — `alignment` is not a power of two, or above the arena's
/// * `OVERFLOW` — the allocation would end beyond the address space
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `arena` is NULL or a live arena; `new_alloc` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_allocate(
    arena: *mut TfliteArenaSimpleMemoryArena,
    alignment: usize,
    size: usize,
    tensor: i32,
    first_node: i32,
    last_node: i32,
    new_alloc: *mut TfliteArenaAllocWithUsageInterval,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let new_alloc = Out::new(new_alloc, c"new_alloc")?;
            let alignment = Alignment::new(alignment)?;
            let allocation = arena.plan.allocate(alignment, Bytes(size), tensor, first_node, last_node)?;
            new_alloc.set(allocation.into());
            Ok(())
        })
    }
}

/// Gives the bytes of a tensor free. It is no error if it has none.
/// Mirrors `tflite::SimpleMemoryArena::Deallocate` of 2.2 to 2.10.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `alloc` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena; `alloc` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_deallocate(
    arena: *mut TfliteArenaSimpleMemoryArena,
    alloc: *const TfliteArenaAllocWithUsageInterval,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let alloc = optional(alloc).ok_or(Failure::null(c"alloc"))?;
            if alloc.size > 0 {
                arena.plan.deallocate(alloc.tensor);
            }
            Ok(())
        })
    }
}

/// Places `size` bytes at an offset that is a multiple of `alignment`, in the best-fitting gap of what is allocated at this
/// moment. Zero bytes take no room. Mirrors `tflite::SimpleMemoryArena::Allocate` up to 2.1.
///
/// # Returns
/// * `OK` — `*new_alloc` says where
/// * `NULL_POINTER` — `arena` or `new_alloc` is NULL
/// * `BAD_ALIGNMENT` — `alignment` is not a power of two, or above the arena's
/// * `OVERFLOW` — the allocation would end beyond the address space
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `arena` is NULL or a live arena; `new_alloc` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_allocate_in_order(
    arena: *mut TfliteArenaSimpleMemoryArena,
    alignment: usize,
    size: usize,
    new_alloc: *mut TfliteArenaAlloc,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let new_alloc = Out::new(new_alloc, c"new_alloc")?;
            let allocation = arena.plan.allocate_in_order(Alignment::new(alignment)?, Bytes(size))?;
            new_alloc.set(TfliteArenaAlloc { offset: allocation.offset.0, size: allocation.size.0 });
            Ok(())
        })
    }
}

/// Gives free what `tflite_simple_memory_arena_allocate_in_order` has placed.
/// Mirrors `tflite::SimpleMemoryArena::Deallocate` up to 2.1.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `alloc` is NULL
/// * `INVALID_ARGUMENT` — no such allocation
///
/// # Safety
/// `arena` is NULL or a live arena; `alloc` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_deallocate_in_order(
    arena: *mut TfliteArenaSimpleMemoryArena,
    alloc: *const TfliteArenaAlloc,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let alloc = optional(alloc).ok_or(Failure::null(c"alloc"))?;
            Ok(arena.plan.deallocate_in_order(Bytes(alloc.offset), Bytes(alloc.size))?)
        })
    }
}

/// Forgets all allocations that new ones are placed around; the high-water mark stays.
/// Mirrors `tflite::SimpleMemoryArena::ResetAllocs`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_reset_allocs(
    arena: *mut TfliteArenaSimpleMemoryArena,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            arena.plan.reset_allocs();
            Ok(())
        })
    }
}

/// Forgets allocations whose last node is before `node`. Mirrors `tflite::SimpleMemoryArena::PurgeActiveAllocs`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_purge_active_allocs(
    arena: *mut TfliteArenaSimpleMemoryArena,
    node: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            arena.plan.purge_active_allocs(node);
            Ok(())
        })
    }
}

/// Forgets allocations whose first node is after `node`. Mirrors `tflite::SimpleMemoryArena::PurgeAfter`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_purge_after(
    arena: *mut TfliteArenaSimpleMemoryArena,
    node: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            arena.plan.purge_after(node);
            Ok(())
        })
    }
}

/// Takes those of `count` allocations that are alive at `node` for the ones that new allocations are placed around; all
/// others are forgotten. Mirrors `tflite::SimpleMemoryArena::CalculateActiveAllocs`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL, or `allocs` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY` — no allocation is active afterwards
///
/// # Safety
/// `arena` is NULL or a live arena; `allocs` points at `count` allocations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_calculate_active_allocs(
    arena: *mut TfliteArenaSimpleMemoryArena,
    allocs: *const TfliteArenaAllocWithUsageInterval,
    count: usize,
    node: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            let allocs = slice(allocs, count, c"allocs")?;
            Ok(arena.plan.calculate_active_allocs(allocs.iter().map(Allocation::from), node)?)
        })
    }
}

/// Gives the active allocation with `index` in the order of their offsets: those that new ones are placed around. So a
/// program that counts `index` up from 0 until it is refused sees all of them.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` or `alloc` is NULL
/// * `INVALID_ARGUMENT` — there are not that many
///
/// # Safety
/// `arena` is NULL or a live arena; `alloc` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_get_active_alloc(
    arena: *const TfliteArenaSimpleMemoryArena,
    index: usize,
    alloc: *mut TfliteArenaAllocWithUsageInterval,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(arena, |arena| {
            let alloc = Out::new(alloc, c"alloc")?;
            alloc.set(arena.active_alloc(index)?);
            Ok(())
        })
    }
}

/// Forgets all allocations and the high-water mark; the buffer stays. Mirrors `tflite::SimpleMemoryArena::ClearPlan`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_clear_plan(
    arena: *mut TfliteArenaSimpleMemoryArena,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(arena, |arena| {
            arena.plan.clear_plan();
            arena.committed = false;
            Ok(())
        })
    }
}

/// Forgets all allocations and the high-water mark; the buffer stays. Mirrors `tflite::SimpleMemoryArena::Clear` of 1.14 to
/// 2.0, which `tflite_simple_memory_arena_clear_plan` is the later name of.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `arena` is NULL
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_clear(
    arena: *mut TfliteArenaSimpleMemoryArena,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { tflite_simple_memory_arena_clear_plan(arena) }
}

/// The text of the last error of an arena, empty when its last call succeeded. It is the arena's, and valid until the
/// next call on it. Never NULL.
///
/// # Safety
/// `arena` is NULL or a live arena.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_simple_memory_arena_last_error(
    arena: *const TfliteArenaSimpleMemoryArena,
) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { last_error_text(arena) }
}
