//! What CONTRIBUTING.md says of the sources, and the signature.

mod circles;
mod claims;
mod signature;
mod source;
