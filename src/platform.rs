//! The C library below: memory for Rust's collections, memory for arenas, and the end of the process.

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_int, c_void};
use core::panic::PanicInfo;
use core::ptr;

#[link(name = "c")]
unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(memory: *mut c_void, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn posix_memalign(memory: *mut *mut c_void, alignment: usize, size: usize) -> c_int;
    fn abort() -> !;
}

/// What malloc aligns to on every supported platform.
const MALLOC_ALIGNMENT: usize = 2 * size_of::<usize>();

/// `size` bytes at a multiple of `alignment`, a power of two; NULL when refused. Freed by [`free_aligned`].
pub(crate) fn allocate_aligned(size: usize, alignment: usize) -> *mut u8 {
    let mut memory = ptr::null_mut();
    // SAFETY: `memory` is writable; posix_memalign wants a power of two that is a multiple of the pointer size.
    let refused = unsafe { posix_memalign(&mut memory, alignment.max(size_of::<usize>()), size) } != 0;
    if refused { ptr::null_mut() } else { memory.cast() }
}

/// Frees what [`allocate_aligned`] gave; NULL is fine.
///
/// # Safety
/// `memory` is NULL, or came from [`allocate_aligned`] and has not been freed.
pub(crate) unsafe fn free_aligned(memory: *mut u8) {
    // SAFETY: by this function's contract.
    unsafe { free(memory.cast()) }
}

struct Malloc;

#[global_allocator]
static MALLOC: Malloc = Malloc;

// SAFETY: malloc, realloc, free and posix_memalign keep GlobalAlloc's promises for the alignments they are asked for.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= MALLOC_ALIGNMENT {
            // SAFETY: malloc takes any size.
            unsafe { malloc(layout.size()) }.cast()
        } else {
            allocate_aligned(layout.size(), layout.align())
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: `memory` came from `alloc` or `realloc`, and free takes back what either gave.
        unsafe { free(memory.cast()) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if layout.align() <= MALLOC_ALIGNMENT {
            // SAFETY: `memory` came from malloc or realloc, as its alignment says.
            return unsafe { realloc(memory.cast(), new_size) }.cast();
        }
        let moved = allocate_aligned(new_size, layout.align());
        if !moved.is_null() {
            // SAFETY: both blocks hold that many bytes and are distinct; `memory` is given up.
            unsafe {
                ptr::copy_nonoverlapping(memory, moved, layout.size().min(new_size));
                free(memory.cast());
            }
        }
        moved
    }
}

/// Says nothing: formatting the message would cost more than the rest of the library. That nothing gets here is checked
/// on the linked binary.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: abort takes no argument and does not return.
    unsafe { abort() }
}
