//! Arithmetic that gives the same bits on every platform: basic IEEE operations only.

/// e^x for x <= 0, relative error below 1e-15. The platforms' own `exp` differ in the last bit, which would let the
/// same seed choose another token in the browser than natively.
pub(crate) fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    if x < -708.0 {
        return 0.0;
    }
    // x = k ln 2 + r with |r| <= ln 2 / 2; e^r by its Taylor series, whose 14th term is below 1e-17.
    let k = (x * std::f64::consts::LOG2_E - 0.5).ceil();
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let mut sum = 1.0;
    for divisor in (1..=13).rev() {
        sum = 1.0 + r / f64::from(divisor) * sum;
    }
    sum * f64::from_bits(((1023 + k as i64) as u64) << 52)
}

/// xoshiro256** by Blackman and Vigna (public domain), seeded through SplitMix64: small, fast, of known quality, and
/// nothing in it depends on the platform.
#[derive(Debug, Clone)]
pub(crate) struct Random([u64; 4]);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut state = seed;
        Self([0; 4].map(|_: u64| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1), 53 bits.
    pub(crate) fn next_unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_exact_enough() {
        for i in 0..100_000 {
            let x = -f64::from(i) * 0.007;
            let error = (exp(x) - x.exp()).abs() / x.exp();
            assert!(error < 1e-15, "{x}: {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e30), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
    }

    #[test]
    fn the_random_numbers_are_those_of_the_published_algorithm() {
        // From state 1, 2, 3, 4: the first outputs of the authors' C code.
        let mut random = Random([1, 2, 3, 4]);
        assert_eq!([0; 4].map(|_: u64| random.next()), [11520, 0, 1_509_978_240, 1_215_971_899_390_074_240]);
        // SplitMix64 from seed 1234567.
        let seeded = Random::new(1_234_567);
        assert_eq!(
            seeded.0[..3],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn units_are_uniform() {
        let mut random = Random::new(7);
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[(random.next_unit() * 10.0) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
