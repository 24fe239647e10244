//! What tensors are made of.

/// A tensor's element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Float32,
    Float16,
    Int32,
    UInt8,
    Int64,
    String,
    Bool,
    Int16,
    Complex64,
    Int8,
    Float64,
    Complex128,
    UInt64,
    Resource,
    Variant,
    UInt32,
    UInt16,
    Int4,
    BFloat16,
    Int2,
    UInt4,
    Float8E4M3FN,
    Float8E5M2,
}

/// By their code in a file.
const ELEMENTS: [Element; 23] = [
    Element::Float32,
    Element::Float16,
    Element::Int32,
    Element::UInt8,
    Element::Int64,
    Element::String,
    Element::Bool,
    Element::Int16,
    Element::Complex64,
    Element::Int8,
    Element::Float64,
    Element::Complex128,
    Element::UInt64,
    Element::Resource,
    Element::Variant,
    Element::UInt32,
    Element::UInt16,
    Element::Int4,
    Element::BFloat16,
    Element::Int2,
    Element::UInt4,
    Element::Float8E4M3FN,
    Element::Float8E5M2,
];

impl Element {
    /// The type of this code in a file.
    pub(super) fn new(code: i8) -> Option<Element> {
        ELEMENTS.get(usize::try_from(code).ok()?).copied()
    }

    /// Its name, as recordings have it.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_uppercase()
    }

    /// `None` where the elements differ in size; such tensors keep them outside of any arena.
    pub(super) fn bits(self) -> Option<u64> {
        match self {
            Element::String | Element::Resource | Element::Variant => None,
            Element::Int2 => Some(2),
            Element::Int4 | Element::UInt4 => Some(4),
            Element::UInt8 | Element::Bool | Element::Int8 | Element::Float8E4M3FN | Element::Float8E5M2 => Some(8),
            Element::Float16 | Element::Int16 | Element::UInt16 | Element::BFloat16 => Some(16),
            Element::Float32 | Element::Int32 | Element::UInt32 => Some(32),
            Element::Int64 | Element::Complex64 | Element::Float64 | Element::UInt64 => Some(64),
            Element::Complex128 => Some(128),
        }
    }

    /// The bytes of a tensor of so many elements in each dimension: 0 where they lie elsewhere, `None` where that is too many.
    pub(super) fn bytes<T: Copy + TryInto<u64>>(self, shape: &[T]) -> Option<u64> {
        let Some(bits) = self.bits() else { return Some(0) };
        let mut elements = shape.iter().map(|&size| size.try_into().ok());
        // A dimension of 0 makes no difference to one that is too large: nor does it to the runtime.
        let elements = elements.try_fold(1_u64, |product, size| product.checked_mul(size?))?;
        u64::try_from((u128::from(elements) * u128::from(bits)).div_ceil(8)).ok()
    }
}
