//! The NBoard protocol, versions 1 and 2.

mod handler;
mod reply;
mod request;

pub(super) use handler::Handler;
pub(super) use request::begins_with;
