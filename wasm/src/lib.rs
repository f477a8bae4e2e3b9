//! The engine as a WebAssembly module for pages.
//!
//! One instance of the module holds one engine. A request is a line of JSON, and so is its reply;
//! [`abi`] moves them in and out of the module's memory, [`requests`] and [`replies`] give their
//! shapes. `package/` has the JavaScript that pages use.

pub mod abi;
mod check;
mod host;
mod replies;
mod requests;
mod service;
