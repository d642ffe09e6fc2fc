//! How much work goes into one piece, so that a piece takes about as long as somebody can wait: for a `cancel` to be
//! heard, for the screen to be drawn, for the next words.

use crate::backend::Device;

/// Sizes of pieces of work, from the time that earlier ones took.
#[derive(Debug, Clone, Copy)]
pub struct Pacing {
    target_ms: f64,
    least: usize,
    most: usize,
    next: usize,
    /// The largest size that is known to be in time.
    in_time: usize,
    /// Pieces in time until the next larger size is tried again.
    until_larger: usize,
    ms_each: Option<f64>,
}

impl Pacing {
    /// How much the last observation counts.
    const NEWEST: f64 = 0.5;

    /// Pieces in time after a larger one that was late, before a larger size is tried again.
    const UNTIL_LARGER: usize = 32;

    /// Up to which part of the wanted time a piece is followed by one of twice its size.
    const DOUBLED: f64 = 2.0 / 3.0;

    /// Pieces of `least` to `most` units that take about `target_ms`, beginning with `first` units.
    pub fn new(target_ms: f64, least: usize, first: usize, most: usize) -> Self {
        Pacing {
            target_ms,
            least: least.min(most),
            most,
            next: first.clamp(least.min(most), most),
            in_time: 0,
            until_larger: 0,
            ms_each: None,
        }
    }

    /// Units of the next piece: whole multiples of the least size.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Takes the time of a piece. A size at most doubles from one to the next: the first ones may be of another kind.
    /// Large GPUs take nearly as long for a small piece as for a large one, so that the time of a unit says too little:
    /// sizes that were in time stay allowed, and a piece that is in time is followed by a larger one. One of the least size that is
    /// late, as the first one often is, says nothing about larger ones.
    pub fn measured(&mut self, units: usize, time_ms: f64) {
        if units == 0 || !time_ms.is_finite() {
            return;
        }
        let ms_each = time_ms.max(0.0) / units as f64;
        let ms_each = self.ms_each.map_or(ms_each, |old| old + Self::NEWEST * (ms_each - old));
        self.ms_each = Some(ms_each);
        let fit = if ms_each > 0.0 { self.target_ms / ms_each } else { f64::INFINITY };
        let step = self.least.max(1);
        let fit = (fit as usize).min(2 * self.next) / step * step;
        let mut larger = 0;
        if time_ms > self.target_ms && units > self.in_time.max(step) {
            self.until_larger = Self::UNTIL_LARGER;
        } else if time_ms > self.target_ms {
            self.in_time = 0;
        } else {
            self.in_time = self.in_time.max(units);
            self.until_larger = self.until_larger.saturating_sub(1);
            let more = if time_ms <= self.target_ms * Self::DOUBLED { units } else { step };
            larger = if self.until_larger == 0 { (units + more) / step * step } else { 0 };
        }
        let least = self.least.max(self.in_time / step * step);
        self.next = fit.max(larger).max(least).min(self.most);
    }
}

/// How long a slice may take. On the CPU nobody else waits for the device, and larger slices are faster.
const SLICE_GPU_MS: f64 = 60.0;
const SLICE_CPU_MS: f64 = 200.0;

/// Tokens of the first slice, if that is a whole tile.
const FIRST_SLICE_TOKENS: usize = 32;

/// How long a frame may take.
const FRAME_MS: f64 = 40.0;

/// What a model's work is cut into. It is remembered from one generation to the next.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Tokens of slices of prompts and of texts to embed.
    pub slices: Pacing,
    /// Steps of frames.
    pub frames: Pacing,
    /// Steps of frames of several sequences.
    pub together: Pacing,
}

impl Pace {
    /// For a device, with slices of at most so many tokens and frames of at most so many steps.
    pub fn new(device: &Device, slice_tokens: usize, steps: usize) -> Self {
        let slice_ms = if device.works_by_itself() { SLICE_GPU_MS } else { SLICE_CPU_MS };
        let least = device.tile_tokens();
        Pace {
            slices: Pacing::new(slice_ms, least, FIRST_SLICE_TOKENS.max(least), slice_tokens),
            frames: Pacing::new(FRAME_MS, 1, 2, steps),
            together: Pacing::new(FRAME_MS, 1, 2, steps),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn pieces_come_to_take_the_time_that_they_should() {
        // Milliseconds per unit, and the size that it comes to.
        let rows = [(0.1, 128), (0.5, 112), (1.0, 48), (3.0, 16), (100.0, 16), (0.0, 128)];
        for (ms_each, want) in rows {
            let mut pacing = Pacing::new(60.0, 16, 32, 128);
            assert_eq!(pacing.next(), 32);
            for _ in 0..8 {
                let before = pacing.next();
                pacing.measured(before, ms_each * before as f64);
                assert!(pacing.next() <= 2 * before);
            }
            assert_eq!(pacing.next(), want, "{ms_each} ms each");
        }
    }

    #[test]
    fn sizes_grow_where_small_pieces_take_as_long_as_large_ones() {
        // Milliseconds of every piece and per unit, and the size that it comes to, of at most 512 in steps of 64.
        let rows =
            [(34.0, 0.04, 512), (50.0, 0.005, 512), (30.0, 0.1, 256), (0.0, 0.57, 64), (70.0, 0.0, 64)];
        for (ms_piece, ms_each, want) in rows {
            let mut pacing = Pacing::new(60.0, 64, 64, 512);
            let (mut late, mut tokens) = (0, 0);
            for _ in 0..24 {
                tokens += pacing.next();
                let ms = ms_piece + ms_each * pacing.next() as f64;
                late += usize::from(ms > 60.0 && pacing.next() > 64);
                pacing.measured(pacing.next(), ms);
            }
            assert_eq!(pacing.next(), want, "{ms_piece} ms and {ms_each} ms each");
            assert!(want < 512 || tokens > 20 * 512, "{tokens} tokens in 24 pieces");
            assert!(late <= 3, "{late} pieces above the least size took too long");
        }
    }

    #[test]
    fn sizes_grow_after_a_first_piece_that_was_late() {
        let mut pacing = Pacing::new(60.0, 64, 64, 512);
        pacing.measured(pacing.next(), 180.0);
        assert_eq!(pacing.next(), 64);
        let pieces = (0..).take_while(|_| {
            pacing.measured(pacing.next(), 34.0 + 0.04 * pacing.next() as f64);
            pacing.next() < 512
        });
        assert!(pieces.take(8).count() < 8, "sizes did not grow");
    }

    #[test]
    fn a_change_of_speed_is_followed_and_nonsense_is_not() {
        let mut pacing = Pacing::new(40.0, 1, 2, 32);
        (0..6).for_each(|_| pacing.measured(pacing.next(), 0.5 * pacing.next() as f64));
        assert_eq!(pacing.next(), 32);
        (0..6).for_each(|_| pacing.measured(pacing.next(), 20.0 * pacing.next() as f64));
        assert_eq!(pacing.next(), 1.max(pacing.next().min(2)));
        for (units, time_ms) in [(0, 5.0), (3, f64::NAN), (3, f64::INFINITY), (3, -4.0)] {
            pacing.measured(units, time_ms);
            assert!((1..=32).contains(&pacing.next()));
        }
        assert_eq!(Pacing::new(40.0, 16, 32, 8).next(), 8);
    }
}
