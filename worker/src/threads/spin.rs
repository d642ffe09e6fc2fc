//! How long to spin before sleeping. Where each thread has a core, the other one is done while this one spins; where other
//! programs need the cores, spinning takes time from the thread that is waited for.

/// About two milliseconds. With fewer, systems may keep two threads on one core, each asleep while the other one works.
const SPINS_MAX: u32 = 100_000;
const SPINS_MIN: u32 = 1_000;
/// Every so many waits it spins for as long as it may, whatever happened before.
const FULLY_EVERY: u32 = 256;

/// For how long spinning pays, learned from the waits before.
#[derive(Debug)]
pub struct SpinLimit {
    spins: u32,
    waits: u32,
}

impl Default for SpinLimit {
    fn default() -> Self {
        SpinLimit { spins: SPINS_MAX, waits: 0 }
    }
}

impl SpinLimit {
    /// Spins until `is_done`, or for as long as it pays; true where it was done.
    pub fn spin(&mut self, mut is_done: impl FnMut() -> bool) -> bool {
        self.waits = self.waits.wrapping_add(1);
        let spins = if self.waits.is_multiple_of(FULLY_EVERY) { SPINS_MAX } else { self.spins };
        let came = (0..spins).any(|_| is_done());
        self.spins = if came { (2 * self.spins).min(SPINS_MAX) } else { (self.spins / 4).max(SPINS_MIN) };
        came
    }
}

#[cfg(test)]
mod tests {
    use super::{SPINS_MAX, SPINS_MIN, SpinLimit};

    #[test]
    fn it_gets_shorter_where_nothing_comes_and_longer_where_something_does() {
        let mut spin = SpinLimit::default();
        let spun = |spin: &mut SpinLimit, comes: bool| {
            let mut spins = 0;
            let came = spin.spin(|| {
                spins += 1;
                comes && spins == 5
            });
            assert_eq!(came, comes);
            spins
        };
        assert_eq!(spun(&mut spin, false), SPINS_MAX);
        let all: Vec<u32> = (0..300).map(|_| spun(&mut spin, false)).collect();
        assert_eq!(all[10], SPINS_MIN);
        assert_eq!(all.iter().filter(|spins| **spins == SPINS_MAX).count(), 1, "now and then");
        (0..10).for_each(|_| assert_eq!(spun(&mut spin, true), 5));
        assert_eq!(spun(&mut spin, false), SPINS_MAX);
    }
}
