//! The planes of a matrix in memory.

/// Values decoded at a time: it divides every block length, and no scale changes inside 16 aligned values.
pub const UNIT: usize = 16;

/// Most planes that a format may have: their bases and strides travel in two `vec4<u32>`.
pub const PLANES_MAX: usize = 4;

/// The planes of a matrix; row `i` of plane `p` begins at `i * strides_bytes[p]`.
#[derive(Debug, Default)]
pub struct Planes<'a> {
    /// Empty where the format has fewer.
    pub bytes: [&'a [u8]; PLANES_MAX],
    /// From row to row.
    pub strides_bytes: [usize; PLANES_MAX],
}

impl<'a> Planes<'a> {
    /// One row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> [&'a [u8]; PLANES_MAX] {
        std::array::from_fn(|p| &self.bytes[p][row * self.strides_bytes[p]..][..self.strides_bytes[p]])
    }
}
