//! How much of what is uploaded to a GPU is still on its way.

use std::collections::VecDeque;

/// Most bytes of uploads in flight: browsers keep a copy of each until the device has it.
const IN_FLIGHT_BYTES_MAX: u64 = 16 << 20;

/// Bytes between two fences.
const FENCE_BYTES: u64 = 4 << 20;

/// Uploads in flight, and the fences behind them, by which their arrival is known.
#[derive(Debug)]
pub struct InFlight<F> {
    unfenced_bytes: u64,
    fences: VecDeque<(u64, F)>,
}

impl<F> Default for InFlight<F> {
    fn default() -> Self {
        InFlight { unfenced_bytes: 0, fences: VecDeque::new() }
    }
}

impl<F> InFlight<F> {
    /// Counts an upload. Whether a fence is due behind it.
    pub fn add(&mut self, bytes: u64) -> bool {
        self.unfenced_bytes += bytes;
        self.unfenced_bytes >= FENCE_BYTES
    }

    /// Takes the fence behind all uploads so far.
    pub fn fenced(&mut self, fence: F) {
        self.fences.push_back((std::mem::take(&mut self.unfenced_bytes), fence));
    }

    /// The fence to wait for, the oldest, where too much is in flight; what is before it counts as arrived.
    pub fn excess(&mut self) -> Option<F> {
        let bytes: u64 = self.fences.iter().map(|(bytes, _)| bytes).sum();
        if bytes <= IN_FLIGHT_BYTES_MAX {
            return None;
        }
        self.fences.pop_front().map(|(_, fence)| fence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_a_few_uploads_are_in_flight() {
        let mut in_flight = InFlight::default();
        let mut waited = Vec::new();
        for upload in 0..64 {
            if in_flight.add(1 << 20) {
                in_flight.fenced(upload);
            }
            waited.extend(std::iter::from_fn(|| in_flight.excess()));
            let oldest = waited.last().map_or(-1, |fence: &i32| *fence);
            assert!(upload - oldest <= 20, "{upload} behind {oldest}");
        }
        // The oldest first, and not all: the last ones are still on their way.
        assert_eq!(waited, [3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47]);
    }
}
