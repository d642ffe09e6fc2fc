//! Buffers, and rows inside them.

/// Index into [`super::Layout::buffers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub usize);

/// A buffer of 4-byte values.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// For messages and traces.
    pub name: String,
    /// Values (f32 or u32).
    pub len: usize,
}

/// Rows inside a buffer: row `i` begins at `offset + i * stride`. All in values, multiples of 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Which buffer.
    pub buffer: BufferId,
    /// First value of row 0.
    pub offset: usize,
    /// Values from row to row.
    pub stride: usize,
    /// Values in use in each row.
    pub cols: usize,
}

/// Which rows a step runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// One per token of the slice.
    Tokens,
    /// The output rows of the slice: input row `out_first + i`, output row `i`.
    Outputs,
}

impl View {
    /// The `cols` values from `first` on of every row.
    pub fn part(&self, first: usize, cols: usize) -> View {
        View { offset: self.offset + first, cols, ..*self }
    }
}
