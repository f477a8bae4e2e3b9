//! Opens pages in the user's browser.

use std::ffi::OsStr;

/// Opens an address or a file in the browser, and goes on at once; a warning where that fails.
pub(super) fn open(target: impl AsRef<OsStr>) {
    if let Err(error) = open::that_detached(target) {
        log::warn!("no browser was opened: {error}");
    }
}
