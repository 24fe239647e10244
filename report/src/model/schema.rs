//! The tables of a .tflite file that tell about memory, with the fields that are needed, by their slots in the public schema.
//!
//! A file is checked as a whole before its first field is read, and the check of a table is made from the same list as
//! the functions that read it.

use flatbuffers::{
    Follow, ForwardsUOffset, InvalidFlatbuffer, Table, TableVerifier, Vector, Verifiable, Verifier, VerifierOptions,
};

use crate::input::Refusal;

/// Bytes 4 to 7 of a file.
const IDENTIFIER: &[u8] = b"TFL3";

/// A vector of numbers. A string is one of bytes: nobody promises that it is UTF-8.
type Numbers<'a, T> = ForwardsUOffset<Vector<'a, T>>;
type Tables<'a, T> = ForwardsUOffset<Vector<'a, ForwardsUOffset<T>>>;

/// Defines tables: of each field its name, slot and type. A function reads it, `None` where the file leaves it out.
///
/// `when KIND is CODE` is about a union: the field is of this type where slot KIND holds CODE, and `None` elsewhere.
macro_rules! tables {
    ($($name:ident { $($field:ident: $slot:literal $type:ty $(, when $kind:literal is $code:literal)?;)* })*) => {$(
        #[derive(Clone, Copy)]
        pub(super) struct $name<'a>(Table<'a>);

        impl<'a> Follow<'a> for $name<'a> {
            type Inner = Self;

            unsafe fn follow(buffer: &'a [u8], place: usize) -> Self {
                // SAFETY: the caller promises that a table lies there.
                Self(unsafe { Table::new(buffer, place) })
            }
        }

        impl<'a> Verifiable for $name<'a> {
            fn run_verifier(verifier: &mut Verifier<'_, '_>, place: usize) -> Result<(), InvalidFlatbuffer> {
                let mut table = verifier.visit_table(place)?;
                $(if true $(&& kind_of_union(&mut table, $kind)? == $code)? {
                    table = table.visit_field::<$type>(stringify!($field), vtable_place($slot), false)?;
                })*
                table.finish();
                Ok(())
            }
        }

        impl<'a> $name<'a> {
            $(pub(super) fn $field(self) -> Option<<$type as Follow<'a>>::Inner> {
                // SAFETY: these tables are only made by `root` and by what was read from one of them, and the check that
                // `root` makes has found that this slot, if it is there, holds a value of this type.
                unsafe {
                    $(if self.0.get::<u8>(vtable_place($kind), None) != Some($code) {
                        return None;
                    })?
                    self.0.get::<$type>(vtable_place($slot), None)
                }
            })*
        }
    )*};
}

tables! {
    Model {
        operator_codes: 1 Tables<'a, OperatorCode<'a>>;
        subgraphs: 2 Tables<'a, SubGraph<'a>>;
        buffers: 4 Tables<'a, Buffer<'a>>;
    }
    OperatorCode {
        deprecated_builtin_code: 0 i8;
        custom_code: 1 Numbers<'a, u8>;
        builtin_code: 3 i32;
    }
    SubGraph {
        tensors: 0 Tables<'a, Tensor<'a>>;
        inputs: 1 Numbers<'a, i32>;
        outputs: 2 Numbers<'a, i32>;
        operators: 3 Tables<'a, Operator<'a>>;
        name: 4 Numbers<'a, u8>;
    }
    Tensor {
        shape: 0 Numbers<'a, i32>;
        element: 1 i8;
        buffer: 2 u32;
        name: 3 Numbers<'a, u8>;
        quantization: 4 ForwardsUOffset<Quantization<'a>>;
        is_variable: 5 bool;
        sparsity: 6 ForwardsUOffset<Sparsity<'a>>;
        shape_signature: 7 Numbers<'a, i32>;
    }
    Quantization {
        scale: 2 Numbers<'a, f32>;
    }
    Sparsity {
        traversal_order: 0 Numbers<'a, i32>;
    }
    Operator {
        opcode_index: 0 u32;
        inputs: 1 Numbers<'a, i32>;
        outputs: 2 Numbers<'a, i32>;
        conv_2d: 4 ForwardsUOffset<Conv2dOptions<'a>>, when 3 is 1;
    }
    Conv2dOptions {
        stride_width: 1 i32;
        stride_height: 2 i32;
        dilation_width: 4 i32;
        dilation_height: 5 i32;
    }
    Buffer {
        data: 0 Numbers<'a, u8>;
        offset: 1 u64;
        size: 2 u64;
    }
}

/// The byte of a table's vtable at which a slot lies.
const fn vtable_place(slot: u16) -> u16 {
    4 + 2 * slot
}

/// The code of what a union holds; 0 is nothing.
fn kind_of_union(table: &mut TableVerifier<'_, '_, '_>, slot: u16) -> Result<u8, InvalidFlatbuffer> {
    match table.deref(vtable_place(slot))? {
        Some(place) => table.verifier().get_u8(place),
        None => Ok(0),
    }
}

/// True if the file says that it is a model.
pub(crate) fn is_model(file: &[u8]) -> bool {
    file.get(4..8) == Some(IDENTIFIER)
}

/// Checks a file as a whole and gives its root.
pub(super) fn root(file: &[u8]) -> Result<Model<'_>, Refusal> {
    if !is_model(file) {
        return Err(Refusal::new("not a TensorFlow Lite model: TFL3 is missing at byte 4"));
    }
    // Limits in proportion to the file keep time and memory so. No table that shares its bytes with no other takes less
    // than eight, its place in a vector counted in; layouts, which tables do share, are counted with each.
    let max_tables = file.len() / 8;
    let max_apparent_size = file.len().saturating_mul(4);
    // Model, subgraph, operator or tensor, and what belongs to that.
    let options = VerifierOptions { max_depth: 4, max_tables, max_apparent_size, ..VerifierOptions::default() };
    Ok(flatbuffers::root_with_opts::<Model<'_>>(&options, file)?)
}
