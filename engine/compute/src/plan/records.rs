//! Records that kernels read as they are: the run's state, its tokens, and how ids are drawn.

use std::ops::Range;

use super::uniform;

uniform! {
    State state at 1;
    /// What changes from run to run. The kernels see exactly this.
    pub struct State {
        /// Tokens in the slice.
        tokens: u32,
        /// First row of the slice that has an output.
        out_first: u32,
        /// Number of output rows; of an encoder, of sequences.
        out_rows: u32,
        /// Where the states of the sequences lie in the buffers of recurrent mixers: four bits each, the first one's the lowest.
        slots: u32,
        /// Factor of what the run's adapter adds.
        factor: f32,
        /// A bit for each sequence, 1 where the slice begins it: what lies in its slot is of another.
        fresh: u32,
        /// 1 where what is chosen for output row `i` becomes token `i`, at the position behind.
        feed: u32,
        /// Sequences whose tokens these are: one, or as many as tokens.
        sequences: u32,
    }
}

/// A sequence of a slice, as recurrent mixers see it.
#[derive(Debug, Clone)]
pub struct Span {
    /// Where its state lies.
    pub slot: usize,
    /// Whether what lies there is of another.
    pub starts: bool,
    /// Its tokens.
    pub tokens: Range<usize>,
}

impl State {
    /// The slot and the beginning of one more sequence, from the first on.
    pub fn push(&mut self, slot: u32, starts: bool) {
        self.slots |= slot << (4 * self.sequences);
        self.fresh |= u32::from(starts) << self.sequences;
        self.sequences += 1;
    }

    /// The sequences of the slice.
    pub fn spans(self) -> impl Iterator<Item = Span> {
        let each = self.sequences > 1;
        (0..self.sequences).map(move |i| Span {
            slot: (self.slots >> (4 * i) & 15) as usize,
            starts: self.fresh >> i & 1 == 1,
            tokens: if each { i as usize..i as usize + 1 } else { 0..self.tokens as usize },
        })
    }
}

/// A token of a slice. The kernels see exactly this. Tokens of several sequences may share a slice; those of one stand
/// side by side, in order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Token {
    /// Its id.
    pub id: u32,
    /// Its position in its sequence.
    pub position: u32,
    /// Where the page table of its sequence begins in the plan's `pages`.
    pub pages_first: u32,
    /// Positions of its sequence that are cached once the slice has run.
    pub end: u32,
}

/// 4-byte words of a [`Token`].
pub const TOKEN_WORDS: usize = size_of::<Token>() / 4;

/// Most steps of one run.
pub const STEPS_MAX: usize = 32;

/// Ids of a chunk of the vocabulary that a workgroup looks through.
pub const CHUNK: usize = 2048;

/// Most ids that a draw can choose from, and longest history that is penalised.
pub const SHORTLIST: usize = 64;

/// Options, random numbers and history of one row. The kernels see exactly this.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Sampling {
    /// How many ids are chosen from, 1 to [`SHORTLIST`].
    pub top_k: u32,
    /// Ids at the end of the history that are penalised.
    pub window: u32,
    /// As in [`crate::sampler::SamplerOptions`].
    pub temperature: f32,
    /// Likewise.
    pub top_p: f32,
    /// Likewise.
    pub min_p: f32,
    /// The repetition penalty; 1 for none.
    pub penalty: f32,
    /// Ids that have ever gone into the history.
    pub count: u32,
    /// Which draw is next.
    pub step: u32,
    /// In [0, 1), one a step.
    pub draws: [f32; STEPS_MAX],
    /// The last ids: id `i` of all lies at `i % SHORTLIST`.
    pub history: [u32; SHORTLIST],
}

/// 4-byte words of a [`Sampling`].
pub const SAMPLING_WORDS: usize = size_of::<Sampling>() / 4;
