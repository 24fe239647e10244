//! Empty: the package is there for its dependency alone.
