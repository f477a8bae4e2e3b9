//! What CONTRIBUTING.md says of the sources, and the signature.

mod circles;
mod claims;
mod figures;
mod signature;
mod source;
