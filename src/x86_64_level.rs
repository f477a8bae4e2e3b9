//! The level of x86-64 of this machine: the start of the binary asks for it, and the build script.

#![allow(unsafe_code)]

use std::arch::naked_asm;
use std::ffi::c_int;

/// Returns the level of x86-64 that processor and operating system support, as far as builds differ:
/// 4 for x86-64-v4 (AVX-512), 3 for x86-64-v3 (AVX2, BMI1, BMI2, FMA, LZCNT and what came before),
/// else 1. In assembly, so that it runs on every x86-64.
#[unsafe(naked)]
pub extern "C" fn supported() -> c_int {
    naked_asm!(
        "push rbx",
        "push r12",
        "mov r12d, 1",
        // CPUID 1: SSE3, SSSE3, FMA, CX16, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
        "mov eax, 1",
        "cpuid",
        "and ecx, 0x38d83201",
        "cmp ecx, 0x38d83201",
        "jne 2f",
        // XCR0: the operating system saves the registers of SSE and AVX.
        "xor ecx, ecx",
        "xgetbv",
        "mov r8d, eax",
        "and eax, 6",
        "cmp eax, 6",
        "jne 2f",
        "xor eax, eax",
        "cpuid",
        "cmp eax, 7",
        "jb 2f",
        // CPUID 0x80000001: LZCNT.
        "mov eax, 0x80000001",
        "cpuid",
        "test ecx, 0x20",
        "jz 2f",
        // CPUID 7: BMI1, AVX2, BMI2.
        "mov eax, 7",
        "xor ecx, ecx",
        "cpuid",
        "mov eax, ebx",
        "and eax, 0x128",
        "cmp eax, 0x128",
        "jne 2f",
        "mov r12d, 3",
        // AVX-512 F, DQ, CD, BW and VL; the operating system saves its registers too.
        "and ebx, 0xd0030000",
        "cmp ebx, 0xd0030000",
        "jne 2f",
        "and r8d, 0xe6",
        "cmp r8d, 0xe6",
        "jne 2f",
        "mov r12d, 4",
        "2:",
        "mov eax, r12d",
        "pop r12",
        "pop rbx",
        "ret",
    )
}
