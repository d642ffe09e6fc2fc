//! How long to look for a word before sleeping. Where all threads have a core, what is waited for comes while they look; where other
//! programs need the cores, whoever looks takes the time of the one that is waited for.

/// Some two milliseconds. With fewer looks only, systems may keep two threads on one core, each asleep while the other one works.
const LOOKS_MAX: u32 = 100_000;
const LOOKS_MIN: u32 = 1_000;
/// So often it looks for as long as it may, whatever came of it before.
const FULLY_EVERY: u32 = 256;

/// How long it pays to look, as it has turned out.
#[derive(Debug)]
pub struct Patience {
    looks: u32,
    waits: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { looks: LOOKS_MAX, waits: 0 }
    }
}

impl Patience {
    /// Looks until there is something to see, or for as long as it pays; true where there was.
    pub fn look(&mut self, mut is_there: impl FnMut() -> bool) -> bool {
        self.waits = self.waits.wrapping_add(1);
        let looks = if self.waits.is_multiple_of(FULLY_EVERY) { LOOKS_MAX } else { self.looks };
        let came = (0..looks).any(|_| is_there());
        self.looks = if came { (2 * self.looks).min(LOOKS_MAX) } else { (self.looks / 4).max(LOOKS_MIN) };
        came
    }
}

#[cfg(test)]
mod tests {
    use super::{LOOKS_MAX, LOOKS_MIN, Patience};

    #[test]
    fn it_gets_shorter_where_nothing_comes_and_longer_where_something_does() {
        let mut patience = Patience::default();
        let looked = |patience: &mut Patience, comes: bool| {
            let mut looks = 0;
            let came = patience.look(|| {
                looks += 1;
                comes && looks == 5
            });
            assert_eq!(came, comes);
            looks
        };
        assert_eq!(looked(&mut patience, false), LOOKS_MAX);
        let all: Vec<u32> = (0..300).map(|_| looked(&mut patience, false)).collect();
        assert_eq!(all[10], LOOKS_MIN);
        assert_eq!(all.iter().filter(|looks| **looks == LOOKS_MAX).count(), 1, "now and then");
        (0..10).for_each(|_| assert_eq!(looked(&mut patience, true), 5));
        assert_eq!(looked(&mut patience, false), LOOKS_MAX);
    }
}
