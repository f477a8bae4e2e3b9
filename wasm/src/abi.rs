//! The functions that the module exports and those that it imports; nothing else here is unsafe.
//!
//! The host writes bytes at [`input`], calls [`open`] or [`call`], and reads as many bytes as that
//! returns at [`output`]. It must not call an export from within an import.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::panic;

use crate::host::Host;
use crate::service::{self, Service};

/// Imports.
mod imports {
    #[link(wasm_import_module = "umigame")]
    // SAFETY: the host in `package/worker.js` has these functions with these types; the pointers are
    // valid until they return, and none of them writes to the memory.
    unsafe extern "C" {
        /// The time in milliseconds, from any fixed moment.
        pub safe fn now() -> f64;
        /// Whether the search may go on: 0 it must stop, 1 it may, 2 after a call of [`give_way`].
        pub safe fn go_on() -> u32;
        /// Lets the host do other work. May return much later.
        pub safe fn give_way();
        /// Receives the result of a finished iteration as JSON.
        pub safe fn report(text: *const u8, len: usize);
        /// Receives the message of a panic, after which the instance is lost.
        pub safe fn panicked(text: *const u8, len: usize);
    }
}

/// The page or the process that has loaded the module.
struct Embedder;

impl Host for Embedder {
    fn now(&self) -> f64 {
        imports::now()
    }

    fn go_on(&self) -> bool {
        loop {
            match imports::go_on() {
                0 => return false,
                1 => return true,
                _ => imports::give_way(),
            }
        }
    }

    fn report(&self, json: &str) {
        imports::report(json.as_ptr(), json.len());
    }
}

#[derive(Default)]
struct Buffers {
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
}

/// Takes the input, calls `answer` with it, and stores its result as the output.
fn answer(answer: impl FnOnce(Vec<u8>) -> String) -> usize {
    let input = BUFFERS.with_borrow_mut(|buffers| std::mem::take(&mut buffers.input));
    let reply = answer(input);
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.output = reply.into_bytes();
        buffers.output.len()
    })
}

/// Makes room for `len` bytes of input and returns its address.
// SAFETY: no other export has the name.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.input = vec![0; len];
        buffers.input.as_mut_ptr()
    })
}

/// Returns the address of the last reply.
// SAFETY: no other export has the name.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.output.as_ptr())
}

/// Makes the engine from the bytes of a weights file, the input, with a table of `hash_mb` MB.
/// Returns the length of the reply.
// SAFETY: no other export has the name.
#[unsafe(no_mangle)]
pub extern "C" fn open(hash_mb: usize) -> usize {
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        imports::panicked(text.as_ptr(), text.len());
    }));
    answer(|weights| match Service::new(&weights, hash_mb) {
        Ok(service) => {
            let reply = service.info();
            SERVICE.set(Some(service));
            reply
        }
        Err(error) => crate::replies::error(error),
    })
}

/// Serves a request, the input. Returns the length of the reply. What asks no engine needs no
/// [`open`].
// SAFETY: no other export has the name.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    answer(|request| {
        SERVICE.with_borrow_mut(|service| service::serve(service.as_mut(), &request, &Embedder))
    })
}
