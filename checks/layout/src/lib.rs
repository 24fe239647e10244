//! What a C++ compiler makes of `cpp/tflite_abi.h`, compared with what it makes of TFLite's own header.

mod compare;
mod facts;
mod reference;

pub use compare::differences;
pub use facts::Facts;
pub use reference::reference_package;
