//! The processor that the binary was built for, beside the one that it runs on.

/// Returns the instruction sets that the binary was built for and the processor lacks, separated by
/// commas; `None` if it lacks none. Call it before any kernel runs.
#[cfg(target_arch = "x86_64")]
pub fn unsupported() -> Option<String> {
    // The check itself is built for the newer processor, and may fault on a much older one.
    #[cfg(unix)]
    let previous = signal::catch();
    let missing = x86::missing();
    if missing.is_empty() {
        #[cfg(unix)]
        signal::restore(previous);
        return None;
    }
    Some(missing.join(", "))
}

/// Returns `None`: on this architecture the kernels need no optional instructions.
#[cfg(not(target_arch = "x86_64"))]
pub fn unsupported() -> Option<String> {
    None
}

/// The least processor that this build runs on, as compilers call it.
pub const BUILT_FOR: &str = match () {
    _ if cfg!(not(target_arch = "x86_64")) => std::env::consts::ARCH,
    _ if cfg!(target_feature = "avx512vl") => "x86-64-v4",
    _ if cfg!(target_feature = "avx2") => "x86-64-v3",
    _ => "x86-64",
};

/// Returns the level of x86-64 whose build would run here and be faster than this one: x86-64-v3 has
/// AVX2 and BMI2, x86-64-v4 has AVX-512.
pub fn faster_build() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    return x86::level().filter(|level| *level > BUILT_FOR);
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use std::arch::x86_64::_xgetbv;

    use raw_cpuid::CpuId;

    /// State components that the operating system must save for AVX: SSE and AVX registers.
    const AVX_STATE: u64 = 0x06;
    /// The same for AVX-512: also the mask registers and both halves of the wide ones.
    const AVX512_STATE: u64 = 0xE6;

    /// An instruction set.
    struct InstructionSet {
        name: &'static str,
        /// Whether this build uses it.
        is_used: bool,
        /// The first level of x86-64 that includes it.
        level: &'static str,
        /// Whether the processor has it.
        is_present: bool,
    }

    /// Returns the names of the instruction sets that this build uses and the processor lacks.
    pub(super) fn missing() -> Vec<&'static str> {
        let lacks = |set: &InstructionSet| set.is_used && !set.is_present;
        instruction_sets().into_iter().filter(lacks).map(|set| set.name).collect()
    }

    /// Returns the highest level whose instruction sets the processor has, as far as kernels and
    /// compilers use them; `None` for the least.
    pub(super) fn level() -> Option<&'static str> {
        let sets = instruction_sets();
        let has = |level| sets.iter().filter(|set| set.level <= level).all(|set| set.is_present);
        ["x86-64-v4", "x86-64-v3"].into_iter().find(|level| has(*level))
    }

    /// Returns the instruction sets that builds differ by.
    ///
    /// `std::is_x86_feature_detected!` answers yes to every instruction set of the build, so CPUID
    /// is read directly.
    fn instruction_sets() -> [InstructionSet; 15] {
        let cpuid = CpuId::new();
        let base = cpuid.get_feature_info();
        let base = base.as_ref();
        let structured = cpuid.get_extended_feature_info();
        let structured = structured.as_ref();
        let extended = cpuid.get_extended_processor_and_feature_identifiers();
        let state = match base {
            Some(base) if base.has_oxsave() => saved_state(),
            _ => 0,
        };
        let avx = state & AVX_STATE == AVX_STATE;
        let avx512 = state & AVX512_STATE == AVX512_STATE;
        macro_rules! sets {
            ($($feature:literal, $name:literal, $present:expr;)*) => {
                [$(InstructionSet {
                    name: $name,
                    is_used: cfg!(target_feature = $feature),
                    level: if $name.starts_with("AVX-512") { "x86-64-v4" } else { "x86-64-v3" },
                    is_present: $present,
                }),*]
            };
        }
        sets! {
            "sse4.2", "SSE4.2", base.is_some_and(|found| found.has_sse42());
            "movbe", "MOVBE", base.is_some_and(|found| found.has_movbe());
            "popcnt", "POPCNT", base.is_some_and(|found| found.has_popcnt());
            "f16c", "F16C", avx && base.is_some_and(|found| found.has_f16c());
            "fma", "FMA", avx && base.is_some_and(|found| found.has_fma());
            "avx", "AVX", avx && base.is_some_and(|found| found.has_avx());
            "bmi1", "BMI1", structured.is_some_and(|found| found.has_bmi1());
            "bmi2", "BMI2", structured.is_some_and(|found| found.has_bmi2());
            "avx2", "AVX2", avx && structured.is_some_and(|found| found.has_avx2());
            "lzcnt", "LZCNT", extended.as_ref().is_some_and(|found| found.has_lzcnt());
            "avx512f", "AVX-512F", avx512 && structured.is_some_and(|found| found.has_avx512f());
            "avx512cd", "AVX-512CD", avx512 && structured.is_some_and(|found| found.has_avx512cd());
            "avx512bw", "AVX-512BW", avx512 && structured.is_some_and(|found| found.has_avx512bw());
            "avx512dq", "AVX-512DQ", avx512 && structured.is_some_and(|found| found.has_avx512dq());
            "avx512vl", "AVX-512VL", avx512 && structured.is_some_and(|found| found.has_avx512vl());
        }
    }

    /// Returns the register states that the operating system saves (XCR0). Requires OSXSAVE.
    fn saved_state() -> u64 {
        #[target_feature(enable = "xsave")]
        fn xcr0() -> u64 {
            // SAFETY: register 0 exists where OSXSAVE is set.
            unsafe { _xgetbv(0) }
        }
        // SAFETY: OSXSAVE, which the caller has checked, implies XSAVE.
        unsafe { xcr0() }
    }
}

/// Turns an illegal instruction into a sentence and exit code 1. The handler only passes constants
/// to the C library, so that it holds no newer instruction itself.
#[cfg(all(target_arch = "x86_64", unix))]
mod signal {
    #![allow(unsafe_code)]
    use std::ffi::c_int;

    /// The same number on every Unix.
    const SIGILL: c_int = 4;
    const SENTENCE: &[u8] = b"umigame: this binary was built for a newer processor: this one \
lacks an instruction that it begins with. Build it on this machine, or build the portable one: \
RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n";

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn write(file: c_int, bytes: *const u8, count: usize) -> isize;
        fn _exit(code: c_int) -> !;
    }

    extern "C" fn explain(_: c_int) {
        // SAFETY: both are safe to call from a signal handler, and the pointer and length are those
        // of a constant.
        unsafe {
            write(2, SENTENCE.as_ptr(), SENTENCE.len());
            _exit(1);
        }
    }

    /// What the process does on a signal, as the C library says it.
    pub(super) struct Disposition(usize);

    pub(super) fn catch() -> Disposition {
        let handler: extern "C" fn(c_int) = explain;
        // SAFETY: the handler has the signature that C expects.
        Disposition(unsafe { signal(SIGILL, handler as usize) })
    }

    pub(super) fn restore(previous: Disposition) {
        // SAFETY: the disposition is one that the C library gave.
        unsafe { signal(SIGILL, previous.0) };
    }
}
