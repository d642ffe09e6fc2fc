//! How fast bytes arrive, of late.

use std::collections::VecDeque;

/// Seconds that count as "of late".
const WINDOW_MS: f64 = 5000.0;

/// Between two marks.
const STEP_MS: f64 = 200.0;

/// The count of bytes at some moments.
#[derive(Debug, Default)]
pub struct Meter {
    marks: VecDeque<(f64, u64)>,
}

impl Meter {
    /// Notes that `done` bytes have arrived by now, and gives bytes a second.
    pub fn mark(&mut self, now_ms: f64, done: u64) -> Option<f64> {
        let due = self.marks.back().is_none_or(|(at, _)| now_ms - at >= STEP_MS);
        if due {
            self.marks.push_back((now_ms, done));
        }
        while self.marks.len() > 2 && self.marks.front().is_some_and(|(at, _)| now_ms - at > WINDOW_MS) {
            self.marks.pop_front();
        }
        let (since_ms, before) = *self.marks.front()?;
        let ms = now_ms - since_ms;
        (ms >= STEP_MS).then(|| done.saturating_sub(before) as f64 * 1000.0 / ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_seconds_count() {
        let mut meter = Meter::default();
        assert_eq!(meter.mark(0.0, 0), None);
        let mut done = 0;
        for second in 1..=10 {
            done += if second <= 5 { 1000 } else { 3000 };
            for part in 0..5 {
                let _ = meter.mark(f64::from(second) * 1000.0 + f64::from(part), done);
            }
        }
        let rate = meter.mark(10_000.0, done);
        assert!(rate.is_some_and(|rate| (2500.0..=3000.0).contains(&rate)), "{rate:?}");
    }
}
