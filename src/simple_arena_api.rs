//! `tflite::SimpleMemoryArena`.

use core::ffi::{CStr, c_char, c_void};

use arena_planner::arena::OffsetArena;
use arena_planner::occupancy::Allocation;
use arena_planner::text::TextSink;
use arena_planner::{Alignment, Bytes, Error};

use crate::aligned_buffer::TfliteArenaResizableAlignedBuffer;
use crate::boundary::{Object, Out, change, create, destroy, inspect, last_error_text, optional, slice};
use crate::last_error::LastError;
use crate::status::{Failure, TfliteArenaStatus};
use crate::types::{TfliteArenaAlloc, TfliteArenaAllocWithUsageInterval, TfliteArenaAllocator, TfliteArenaWrite};
use crate::writer::CallbackWriter;

/// An arena for allocations with usage intervals, without a graph.
pub struct TfliteArenaSimpleMemoryArena {
    plan: OffsetArena,
    buffer: TfliteArenaResizableAlignedBuffer,
    committed: bool,
    error: LastError,
}

impl Object for TfliteArenaSimpleMemoryArena {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaSimpleMemoryArena {
    fn resolve(&self, alloc: &TfliteArenaAllocWithUsageInterval) -> Result<*mut u8, Error> {
        if !self.committed {
            return Err(Error::NotCommitted);
        }
        let end = Bytes(alloc.offset).checked_add(Bytes(alloc.size));
        if end.is_none_or(|end| end.0 > self.buffer.size()) {
            return Err(Error::Refused("the allocation lies outside the committed arena"));
        }
        Ok(if alloc.size == 0 { core::ptr::null_mut() } else { self.buffer.at(Bytes(alloc.offset)) })
    }

    fn dump(&self, name: &CStr, execution_plan: &[i32], out: &mut impl TextSink) {
        out.bytes(name.to_bytes());
        out.text("\n");
        self.plan.dump(execution_plan, out);
    }
}

impl From<Allocation> for TfliteArenaAllocWithUsageInterval {
    fn from(allocation: Allocation) -> TfliteArenaAllocWithUsageInterval {
        let Allocation { offset, size, tensor, first_node, last_node } = allocation;
        TfliteArenaAllocWithUsageInterval { offset: offset.0, size: size.0, tensor, first_node, last_node }
    }
}

impl From<&TfliteArenaAllocWithUsageInterval> for Allocation {
    fn from(alloc: &TfliteArenaAllocWithUsageInterval) -> Allocation {
        let &TfliteArenaAllocWithUsageInterval { offset, size, tensor, first_node, last_node } = alloc;
        Allocation { offset: Bytes(offset), size: Bytes(size), tensor, first_node, last_node }
    }
}

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
            Ok(TfliteArenaSimpleMemoryArena {
                plan: OffsetArena::new(alignment),
                buffer: TfliteArenaResizableAlignedBuffer::new(alignment, optional(allocator)),
                committed: false,
                error: LastError::new(),
            })
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
            let allocs = slice(allocs, count, "allocs")?;
            Ok(arena.plan.calculate_active_allocs(allocs.iter().map(Allocation::from), node)?)
        })
    }
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
            let new_alloc = Out::new(new_alloc, "new_alloc")?;
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
            let alloc = optional(alloc).ok_or(Failure::Null("alloc"))?;
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
            let new_alloc = Out::new(new_alloc, "new_alloc")?;
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
            let alloc = optional(alloc).ok_or(Failure::Null("alloc"))?;
            Ok(arena.plan.deallocate_in_order(Bytes(alloc.offset), Bytes(alloc.size))?)
        })
    }
}

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
            let bytes = Out::new(bytes, "bytes")?;
            bytes.set(arena.plan.required_buffer_size()?.0);
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
            let reallocated = Out::new(arena_reallocated, "arena_reallocated")?;
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
            let alloc = optional(alloc).ok_or(Failure::Null("alloc"))?;
            let output_ptr = Out::new(output_ptr, "output_ptr")?;
            output_ptr.set(arena.resolve(&alloc)?.cast());
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
            Out::new(size, "size")?.set(arena.buffer.size());
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
            Out::new(bytes, "bytes")?.set(arena.plan.high_water_mark().0);
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
            Out::new(base, "base")?.set(arena.buffer.memory().expose_provenance() as isize);
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
            if name.is_null() {
                return Err(Failure::Null("name"));
            }
            let name = CStr::from_ptr(name);
            let execution_plan = slice(execution_plan, count, "execution_plan")?;
            arena.dump(name, execution_plan, &mut CallbackWriter::new(write, user)?);
            Ok(())
        })
    }
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
