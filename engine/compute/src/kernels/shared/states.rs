//! How the rows of a recurrent mixer's state are shared among threads of a GPU, and what their kernels share on the CPU.

use crate::plan::STATE_LEN_MAX;
use crate::shaders::{WG, consts};

/// Values of a row that a thread holds at most.
const CELLS_MAX: usize = 16;

/// Threads that share a row of so many values.
fn lanes(len: usize) -> u32 {
    len.div_ceil(CELLS_MAX).next_power_of_two().max(8) as u32
}

/// Rows of a workgroup.
pub(crate) fn rows_each(len: usize) -> u32 {
    WG / lanes(len)
}

/// The constants of a kernel whose threads share rows of so many values.
pub(crate) fn sharing(len: usize) -> Vec<(&'static str, String)> {
    let lanes = lanes(len) as usize;
    consts([
        ("LANES", format!("{lanes}u")),
        ("FOURS", format!("{}u", len.div_ceil(4 * lanes))),
        ("WHOLE", len.is_multiple_of(4 * lanes).to_string()),
    ])
}

/// Lengths that stand for all: every other one has the constants of one of them.
pub(crate) fn state_lens() -> impl Iterator<Item = usize> {
    let is_last = |len: usize| len.is_multiple_of(4 * lanes(len) as usize);
    (1..=STATE_LEN_MAX).filter(move |&len| is_last(len) || is_last(len + 1))
}

/// Rows that a CPU takes through time together: they stay in its first cache.
pub(crate) const ROWS_AT_ONCE: usize = 32;

/// Values four by four, and the rest.
pub(crate) fn in_fours(values: &[f32]) -> (&[[f32; 4]], &[f32]) {
    values.as_chunks::<4>()
}
