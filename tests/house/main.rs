//! What CONTRIBUTING.md says of the sources, and the signature.

mod signature;
