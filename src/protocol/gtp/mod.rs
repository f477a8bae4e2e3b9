//! GTP, version 2, as Othello programs use it.

mod error;
mod handler;
mod reply;
mod request;

pub(super) use handler::Handler;
