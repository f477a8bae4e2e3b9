//! Learning: training data and what is made of it.
//!
//! [`data`] is the file that everything here reads or writes.

pub mod data;
