//! A submission, and what is known of a device and of its work.

use crate::plan::{State, Token};

/// What the device says about itself.
#[derive(Debug, Clone)]
pub struct DeviceInfo {
    /// "webgpu", "webgl2" or "cpu".
    pub kind: &'static str,
    /// The GPU adapter's name, or the instruction set.
    pub name: String,
    /// True for a GPU that is emulated on the CPU.
    pub software: bool,
}

/// The name of a GPU adapter that has none.
pub const UNNAMED_GPU: &str = "a GPU that does not say its name";

/// Whether a GPU adapter's name is that of one that is emulated on the CPU.
#[cfg(any(feature = "webgpu", feature = "webgl2"))]
pub fn is_emulated(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["swiftshader", "llvmpipe", "lavapipe", "softpipe", "basic render"]
        .iter()
        .any(|emulator| lower.contains(emulator))
}

/// Whether products of bytes are known to be faster than those of floats on a GPU: 1.6 times on Mesa's llvmpipe, .6 times on
/// SwiftShader. Of others it is found out ([`crate::runtime::Tuner`]).
#[cfg(feature = "webgpu")]
pub fn multiplies_bytes_fast(name: &str) -> bool {
    name.to_lowercase().contains("llvmpipe")
}

/// What executors of a device have done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Buffers, pipelines, bind groups, textures made.
    pub objects_created: u64,
    /// The pipelines or programs among them.
    pub pipelines_created: u64,
    /// Compute dispatches.
    pub dispatches: u64,
    /// Queue submissions.
    pub submits: u64,
    /// Writes to buffers through the queue.
    pub queue_writes: u64,
    /// Bytes copied back.
    pub readback_bytes: u64,
}

/// One dispatch on the GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTime {
    /// The variant: kernel, parts and constants.
    pub kernel: String,
    /// From its beginning to its end.
    pub time_ns: f64,
    /// Of the weights that it reads; 0 for kernels that read none, or only the rows that are asked for.
    pub weight_bytes: u64,
}

/// Runs whose choices can be read later, while others run: the ring of read-back buffers.
pub(crate) const RING: usize = 3;

/// One submission.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    /// What the kernels see.
    pub state: State,
    /// The slice; empty where the device has made the records itself, see [`State::feed`].
    pub tokens: &'a [Token],
    /// The plan's own steps (0) or those with a LoRA adapter.
    pub which: usize,
    /// What runs before the head.
    pub body: Body,
    /// Whether the head runs.
    pub head: bool,
    /// What comes of its logits.
    pub choose: Choose,
    /// How many times, 1 to [`crate::plan::STEPS_MAX`]; more than once needs `feed`.
    pub steps: usize,
}

/// How the id behind an output row is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choose {
    /// Not at all.
    None,
    /// The largest logit.
    Greedy,
    /// By a draw, as [`crate::plan::Sampling`] says.
    Sampled,
}

/// Which steps run before the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Many tokens.
    Prefill,
    /// One token.
    Decode,
    /// Only the head, on the rows of the last slice.
    Nothing,
}
