//! Whether this machine has the instructions that the binary was built for.

/// The instruction sets that the binary was built for and this machine
/// lacks, or `None` where all is well. To be asked before any kernel runs.
#[cfg(target_arch = "x86_64")]
pub fn unsupported() -> Option<String> {
    // The check is itself built for the newer processor, and may not get far
    // on a much older one.
    #[cfg(unix)]
    signal::catch();
    let missing = x86::missing();
    if missing.is_empty() {
        #[cfg(unix)]
        signal::release();
        return None;
    }
    Some(missing.join(", "))
}

/// The instruction sets that the binary was built for and this machine
/// lacks; on this architecture there is nothing to lack.
#[cfg(not(target_arch = "x86_64"))]
pub fn unsupported() -> Option<String> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use std::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max, _xgetbv};

    /// Where CPUID says that an instruction set exists.
    #[derive(Clone, Copy)]
    enum Register {
        /// Leaf 1, ECX.
        Leaf1C,
        /// Leaf 7, EBX.
        Leaf7B,
        /// Leaf 0x8000_0001, ECX.
        ExtendedC,
    }

    /// Each instruction set that a build may use: whether this build does,
    /// its name, and its CPUID bit. `std::is_x86_feature_detected!` will not
    /// do, since it answers yes to whatever the build assumes.
    const NEEDS: [(bool, &str, Register, u32); 12] = [
        (cfg!(target_feature = "sse4.2"), "SSE4.2", Register::Leaf1C, 20),
        (cfg!(target_feature = "popcnt"), "POPCNT", Register::Leaf1C, 23),
        (cfg!(target_feature = "fma"), "FMA", Register::Leaf1C, 12),
        (cfg!(target_feature = "avx"), "AVX", Register::Leaf1C, 28),
        (cfg!(target_feature = "bmi1"), "BMI1", Register::Leaf7B, 3),
        (cfg!(target_feature = "bmi2"), "BMI2", Register::Leaf7B, 8),
        (cfg!(target_feature = "avx2"), "AVX2", Register::Leaf7B, 5),
        (cfg!(target_feature = "lzcnt"), "LZCNT", Register::ExtendedC, 5),
        (cfg!(target_feature = "avx512f"), "AVX-512F", Register::Leaf7B, 16),
        (cfg!(target_feature = "avx512cd"), "AVX-512CD", Register::Leaf7B, 28),
        (cfg!(target_feature = "avx512bw"), "AVX-512BW", Register::Leaf7B, 30),
        (cfg!(target_feature = "avx512vl"), "AVX-512VL", Register::Leaf7B, 31),
    ];

    pub(super) fn missing() -> Vec<&'static str> {
        NEEDS
            .iter()
            .filter(|&&(needed, name, register, bit)| {
                needed && !(read(register) >> bit & 1 == 1 && saves_registers(name))
            })
            .map(|&(_, name, _, _)| name)
            .collect()
    }

    #[allow(unused_unsafe)]
    fn read(register: Register) -> u32 {
        // SAFETY: every x86-64 processor has CPUID; a leaf is read only
        // below the maximum that the processor states.
        unsafe {
            match register {
                Register::Leaf1C => __cpuid(1).ecx,
                Register::Leaf7B if __get_cpuid_max(0).0 >= 7 => __cpuid_count(7, 0).ebx,
                Register::Leaf7B => 0,
                Register::ExtendedC => __cpuid(0x8000_0001).ecx,
            }
        }
    }

    /// Whether the operating system saves the registers that an instruction
    /// set uses.
    fn saves_registers(name: &str) -> bool {
        let wanted = match name {
            "AVX" | "AVX2" | "FMA" => 0x06,
            name if name.starts_with("AVX-512") => 0xE6,
            _ => return true,
        };
        let osxsave = read(Register::Leaf1C) >> 27 & 1 == 1;
        osxsave && extended_state() & wanted == wanted
    }

    #[target_feature(enable = "xsave")]
    fn read_extended_state() -> u64 {
        // SAFETY: register 0 always exists where OSXSAVE is set, which the
        // caller has checked.
        unsafe { _xgetbv(0) }
    }

    fn extended_state() -> u64 {
        // SAFETY: OSXSAVE, which the caller has checked, implies XSAVE.
        unsafe { read_extended_state() }
    }
}

/// Turns an illegal instruction into a sentence and exit code 1. The code
/// that does so must hold no such instruction itself: it only passes
/// constants to the C library.
#[cfg(all(target_arch = "x86_64", unix))]
mod signal {
    #![allow(unsafe_code)]
    use std::ffi::c_int;

    /// The same number on every Unix.
    const SIGILL: c_int = 4;
    /// `SIG_DFL` of the C library.
    const DEFAULT: usize = 0;
    const SENTENCE: &[u8] = b"umigame: this binary was built for a newer processor: this one \
lacks an instruction that it begins with. Build it on this machine, or build the portable one: \
RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n";

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn write(file: c_int, bytes: *const u8, count: usize) -> isize;
        fn _exit(code: c_int) -> !;
    }

    extern "C" fn explain(_: c_int) {
        // SAFETY: both are safe to call from a signal handler, and the
        // pointer and length are those of a constant.
        unsafe {
            write(2, SENTENCE.as_ptr(), SENTENCE.len());
            _exit(1);
        }
    }

    pub(super) fn catch() {
        let handler: extern "C" fn(c_int) = explain;
        // SAFETY: the handler has the signature that C expects.
        unsafe { signal(SIGILL, handler as usize) };
    }

    pub(super) fn release() {
        // SAFETY: puts back what was there when the process began.
        unsafe { signal(SIGILL, DEFAULT) };
    }
}
