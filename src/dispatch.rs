//! Starts one of the builds inside this binary where the processor suits it better: each is for a
//! level of x86-64, this one too, and the highest level that the processor has is the fastest.
//!
//! This happens before `main`, since the first instructions of `main` may be some that the processor
//! lacks. The other build runs from memory, with the same process, arguments and streams; if that
//! fails, this build goes on. There are some only on Linux; build.rs puts them here.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};

use crate::x86_64_level;

/// A build of umigame for a level of x86-64: 1 for any, 3 with AVX2, 4 with AVX-512.
struct Build {
    level: c_int,
    program: &'static [u8],
}

static BUILDS: &[Build] = include!(concat!(env!("OUT_DIR"), "/builds.rs"));

/// The level that this build is for.
const OWN_LEVEL: c_int = match () {
    _ if cfg!(target_feature = "avx512vl") => 4,
    _ if cfg!(target_feature = "avx2") => 3,
    _ => 1,
};

/// `memfd_create` and `execveat` by number: old C libraries lack the names.
const MEMFD_CREATE: c_long = 319;
const EXECVEAT: c_long = 322;
const DUP3: c_long = 292;
const MFD_CLOEXEC: c_uint = 1;
const O_CLOEXEC: c_int = 0o2_000_000;
const AT_EMPTY_PATH: c_int = 0x1000;

/// A file descriptor whose path is a constant.
const NAMED_FILE: c_int = 255;
const NAME: &CStr = c"/proc/self/fd/255";

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
    fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    fn close(file: c_int) -> c_int;
    fn execve(
        path: *const c_char,
        arguments: *const *const c_char,
        variables: *const *const c_char,
    ) -> c_int;
}

/// The C library calls this before `main`, with its arguments.
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn(c_int, *const *const c_char, *const *const c_char) = start;

extern "C" fn start(_: c_int, arguments: *const *const c_char, variables: *const *const c_char) {
    if BUILDS.is_empty() {
        return;
    }
    // Only calls and comparisons from here on: nothing for which the compiler would choose an
    // instruction of a newer processor. Release checks run it on an emulated old one.
    let supported = x86_64_level::supported();
    let mut best = if OWN_LEVEL <= supported { OWN_LEVEL } else { 0 };
    let mut program = None;
    for build in BUILDS {
        if build.level <= supported && build.level > best {
            (best, program) = (build.level, Some(build.program));
        }
    }
    if let Some(program) = program {
        run(program, arguments, variables);
    }
}

/// Runs a program from memory in place of this one. Returns if that fails.
fn run(program: &[u8], arguments: *const *const c_char, variables: *const *const c_char) {
    // SAFETY: the names are strings of C, the bytes are those of the slice, and the C library has
    // handed over the arguments and variables of this process.
    unsafe {
        let file = syscall(MEMFD_CREATE, c"umigame".as_ptr(), MFD_CLOEXEC) as c_int;
        if file < 0 {
            return;
        }
        let mut written = 0;
        while written < program.len() {
            let part = write(file, program.as_ptr().add(written).cast(), program.len() - written);
            if part <= 0 {
                close(file);
                return;
            }
            written += part as usize;
        }
        syscall(EXECVEAT, file, c"".as_ptr(), arguments, variables, AT_EMPTY_PATH);
        // Linux before 3.19 and some emulators lack that call.
        if syscall(DUP3, file, NAMED_FILE, O_CLOEXEC) as c_int == NAMED_FILE {
            execve(NAME.as_ptr(), arguments, variables);
            close(NAMED_FILE);
        }
        close(file);
    }
}
