//! How a row's next id is drawn on the device.

use crate::backend::STEPS_MAX;

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
