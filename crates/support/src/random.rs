//! Random numbers that depend on a seed and a number: any part of a work can be done again alone.

use fastrand::Rng;

/// Returns the random numbers of a numbered piece of work: two rounds of splitmix64 (S. Vigna) over
/// the seed and the number, so that neighbouring numbers have unrelated ones.
pub fn numbered(seed: u64, number: u64) -> Rng {
    let mix = |mut word: u64| {
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let of_seed = mix(seed.wrapping_add(STEP));
    Rng::with_seed(mix(of_seed.wrapping_add(number.wrapping_add(1).wrapping_mul(STEP))))
}
