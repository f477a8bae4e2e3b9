//! Pipes whose reader has gone, as in `umigame ... | head`.

use std::io::{self, ErrorKind};

/// Windows' ERROR_PIPE_NOT_CONNECTED, which the standard library has no kind for.
const PIPE_NOT_CONNECTED: i32 = 233;

/// Returns whether writing failed since the reader has closed the pipe.
pub fn is_closed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}
