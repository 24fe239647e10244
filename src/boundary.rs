//! Where C meets Rust: raw pointers become references, failures become a status and a text. All of it is here.

use alloc::boxed::Box;
use core::alloc::Layout;
use core::ffi::{CStr, c_char};
use core::ptr::NonNull;

use arena_planner::Error;

use crate::last_error::LastError;
use crate::status::{Failure, TfliteArenaStatus};

/// An object that C holds by pointer.
pub(crate) trait Object {
    /// Where its errors are told.
    fn last_error(&self) -> &LastError;
}

/// Calls `body` on an object that it may change, and tells the object of a failure.
///
/// # Safety
/// `object` is NULL, or a live object that nobody else uses during the call.
pub(crate) unsafe fn change<T: Object>(
    object: *mut T,
    body: impl FnOnce(&mut T) -> Result<(), Failure>,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    match unsafe { object.as_mut() } {
        Some(object) => {
            let done = body(object);
            conclude(object, done)
        }
        None => TfliteArenaStatus::NullPointer,
    }
}

/// Calls `body` on an object that it only reads, and tells the object of a failure.
///
/// # Safety
/// `object` is NULL, or a live object that no other thread uses during the call.
pub(crate) unsafe fn inspect<T: Object>(
    object: *const T,
    body: impl FnOnce(&T) -> Result<(), Failure>,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    match unsafe { object.as_ref() } {
        Some(object) => conclude(object, body(object)),
        None => TfliteArenaStatus::NullPointer,
    }
}

fn conclude(object: &impl Object, done: Result<(), Failure>) -> TfliteArenaStatus {
    match done {
        Ok(()) => {
            object.last_error().clear();
            TfliteArenaStatus::Ok
        }
        Err(failure) => {
            object.last_error().record(&failure);
            failure.status()
        }
    }
}

/// Makes a new object and hands it to C; `out` is written only on success.
///
/// # Safety
/// `out` is NULL or writable.
pub(crate) unsafe fn create<T>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Failure>) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    let made = unsafe { Out::new(out, c"the place for the new object") }.and_then(|out| {
        out.set(into_raw(make()?)?);
        Ok(())
    });
    made.map_or_else(|failure| failure.status(), |()| TfliteArenaStatus::Ok)
}

/// Moves a value to the heap, or says that memory was refused; `Box::new` would abort.
fn into_raw<T>(value: T) -> Result<*mut T, Error> {
    let layout = Layout::new::<T>();
    // SAFETY: objects have fields, so the layout is not empty.
    let memory = unsafe { alloc::alloc::alloc(layout) }.cast::<T>();
    if memory.is_null() {
        return Err(Error::OutOfMemory { asked: layout.size() });
    }
    // SAFETY: freshly allocated with T's layout.
    unsafe { memory.write(value) };
    Ok(memory)
}

/// Drops an object and frees its memory; NULL is fine.
///
/// # Safety
/// `object` is NULL, or came from [`create`] and has not been destroyed.
pub(crate) unsafe fn destroy<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: it was allocated with T's layout by the allocator that Box uses.
        drop(unsafe { Box::from_raw(object) });
    }
}

/// The text of an object's last error; a text of its own for NULL.
///
/// # Safety
/// `object` is NULL, or a live object.
pub(crate) unsafe fn last_error_text<T: Object>(object: *const T) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { object.as_ref() }.map_or(c"the object is NULL".as_ptr(), |object| object.last_error().as_ptr())
}

/// What an optional pointer points at.
///
/// # Safety
/// `place` is NULL or readable.
pub(crate) unsafe fn optional<T: Copy>(place: *const T) -> Option<T> {
    // SAFETY: by this function's contract.
    unsafe { place.as_ref() }.copied()
}

/// A place that C wants a result written to. Nothing is read from it.
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// # Safety
    /// `place` is NULL or writable until the call ends.
    pub(crate) unsafe fn new(place: *mut T, name: &'static CStr) -> Result<Out<T>, Failure> {
        NonNull::new(place).map(Out).ok_or(Failure::null(name))
    }

    pub(crate) fn set(self, value: T) {
        // SAFETY: writable by `new`'s contract.
        unsafe { self.0.write(value) }
    }

    /// Writes if C gave a place at all.
    ///
    /// # Safety
    /// `place` is NULL or writable.
    pub(crate) unsafe fn set_optional(place: *mut T, value: T) {
        if let Some(place) = NonNull::new(place) {
            Out(place).set(value);
        }
    }
}

/// The elements of a C array; NULL is fine when there are none.
///
/// # Safety
/// `data` is NULL, or points at `size` elements that nobody changes for as long as the slice is used.
pub(crate) unsafe fn slice<'a, T>(data: *const T, size: usize, name: &'static CStr) -> Result<&'a [T], Failure> {
    if size == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Failure::null(name));
    }
    // More would not even fit an index or the address space, whatever is behind the pointer.
    if size > (i32::MAX as usize).min(isize::MAX as usize / size_of::<T>()) {
        return Err(Error::TooMany { count: size }.into());
    }
    // SAFETY: not NULL, and by this function's contract.
    Ok(unsafe { core::slice::from_raw_parts(data, size) })
}

/// A copy of a struct whose first member is its size, which C may have filled by an older or newer header.
///
/// # Safety
/// `place` is NULL, or points at a `T` or at least at its first member.
pub(crate) unsafe fn sized<T: Copy>(place: *const T, name: &'static CStr) -> Result<T, Failure> {
    if place.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: the first member of every such struct is its size.
    let size = unsafe { place.cast::<usize>().read() };
    if size != size_of::<T>() {
        return Err(Error::Refused("struct_size is not the size of the struct that this library knows").into());
    }
    // SAFETY: the caller vouches for that many bytes.
    Ok(unsafe { place.read() })
}
