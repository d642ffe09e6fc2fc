//! Work in slices. A digest charges what it does, and its host gets a turn every [`SLICE_UNITS`]: it looks at its clock,
//! answers others, or says that the result is no longer wanted.

use super::page::DigestError;

/// Work between two turns of the host. A unit is about a byte of text that is split, or ten steps of a comparison. A slice
/// takes 2 ms at most on a desktop, so that the slowest phone stays within 50 ms.
const SLICE_UNITS: usize = 1 << 12;

/// Counts work and gives the host its turns.
pub(crate) struct Slices<'a, T> {
    turn: &'a T,
    left_units: usize,
}

impl<'a, T: AsyncFn() -> bool> Slices<'a, T> {
    pub(crate) fn new(turn: &'a T) -> Self {
        Self { turn, left_units: SLICE_UNITS }
    }

    /// Charges work that was done. No single piece of it exceeds a few slices.
    pub(crate) async fn charge(&mut self, units: usize) -> Result<(), DigestError> {
        if let Some(left_units) = self.left_units.checked_sub(units) {
            self.left_units = left_units;
            return Ok(());
        }
        self.left_units = SLICE_UNITS;
        if (self.turn)().await { Ok(()) } else { Err(DigestError::Stopped) }
    }
}
