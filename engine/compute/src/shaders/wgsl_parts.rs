//! Parts that WGSL kernels share.

use super::part::{Part, part};
use crate::plan::{Act, CacheFormat, Epilogue, NormKind, State};

pub const STATE: Part = Part { path: "plan/state", text: State::WGSL };
pub const BYTES: Part = part!("shaders/wgsl/bytes.wgsl");
pub const WEIGHTS: Part = part!("shaders/wgsl/weights.wgsl");
pub const UNPACK: Part = part!("shaders/wgsl/unpack.wgsl");
pub const PRODUCT: Part = part!("shaders/wgsl/product.wgsl");
pub const INPUTS: Part = part!("shaders/wgsl/product.wgsl#inputs");
pub const ENCODED: Part = part!("shaders/wgsl/product.wgsl#encoded");
pub const ENCODE: Part = part!("shaders/wgsl/encode.wgsl");
pub const SUMS: Part = part!("shaders/wgsl/sums.wgsl");
pub const CODED: Part = part!("shaders/wgsl/coded.wgsl");
pub const MATMUL: Part = part!("shaders/wgsl/matmul.wgsl");
pub const MATMUL_PACKED: Part = part!("shaders/wgsl/matmul_packed.wgsl");
pub const MATMUL_STORE: Part = part!("shaders/wgsl/matmul_store.wgsl");
pub const QUAD: Part = part!("shaders/wgsl/quad.wgsl");
pub const STATISTICS: Part = part!("shaders/wgsl/statistics.wgsl");
pub const SUM: Part = part!("shaders/wgsl/sum.wgsl");
pub const TOKENS: Part = part!("shaders/wgsl/tokens.wgsl");
pub const SEQUENCES: Part = part!("shaders/wgsl/sequences.wgsl");
pub const HELD: Part = part!("shaders/wgsl/held.wgsl");
pub const ROUTES: Part = part!("shaders/wgsl/routes.wgsl");
pub const CELLS: Part = part!("shaders/wgsl/cells.wgsl");
pub const KEYS: Part = part!("shaders/wgsl/keys.wgsl");
pub const LARGEST: Part = part!("shaders/wgsl/largest.wgsl");
pub const FEED: Part = part!("shaders/wgsl/feed.wgsl");
pub const SAMPLING: Part = part!("shaders/wgsl/sampling.wgsl");

/// What a kernel multiplies by its weights: rows as they are, or with a norm.
pub fn prologue(norm: Option<(NormKind, bool)>) -> Part {
    match norm {
        None => part!("shaders/wgsl/prologue.wgsl#none"),
        Some((NormKind::Rms, false)) => part!("shaders/wgsl/prologue.wgsl#rms"),
        Some((NormKind::Rms, true)) => part!("shaders/wgsl/prologue.wgsl#rms_bias"),
        Some((NormKind::Layer, _)) => part!("shaders/wgsl/prologue.wgsl#layer"),
    }
}

/// The same where the rows are a sum that is made on the way.
pub fn sum_prologue(normed: bool) -> Part {
    if normed { part!("shaders/wgsl/prologue.wgsl#sum_rms") } else { part!("shaders/wgsl/prologue.wgsl#sum") }
}

/// Which tokens a workgroup of [`MATMUL`] multiplies, and with which rows.
pub fn matmul_rows(sorted: bool) -> Part {
    if sorted {
        part!("shaders/wgsl/matmul_rows.wgsl#sorted")
    } else {
        part!("shaders/wgsl/matmul_rows.wgsl#all")
    }
}

/// What a LoRA adapter adds to a product.
pub fn delta(is_there: bool) -> Part {
    if is_there { part!("shaders/wgsl/delta.wgsl#add") } else { part!("shaders/wgsl/delta.wgsl#none") }
}

/// An activation.
pub fn act(act: Option<Act>) -> Part {
    match act {
        None => part!("shaders/wgsl/act.wgsl#none"),
        Some(Act::Silu) => part!("shaders/wgsl/act.wgsl#silu"),
        Some(Act::Gelu) => part!("shaders/wgsl/act.wgsl#gelu"),
        Some(Act::ReluSquared) => part!("shaders/wgsl/act.wgsl#relu_squared"),
        Some(Act::BoundedSilu) => part!("shaders/wgsl/act.wgsl#bounded_silu"),
    }
}

/// The activation of an epilogue, and the epilogue.
pub fn epilogue(epilogue: Epilogue) -> [Part; 2] {
    const STORE: Part = part!("shaders/wgsl/epilogue.wgsl#store");
    let (of, part) = match epilogue {
        Epilogue::Store => (None, STORE),
        Epilogue::Add => (None, part!("shaders/wgsl/epilogue.wgsl#add")),
        Epilogue::Cap => (None, part!("shaders/wgsl/epilogue.wgsl#cap")),
        Epilogue::Act(a) | Epilogue::Gated(a) => (Some(a), STORE),
        Epilogue::Gate(a) => (Some(a), part!("shaders/wgsl/epilogue.wgsl#gate")),
    };
    [act(of), part]
}

/// What reads a cell of the KV cache.
pub fn cache_load(format: CacheFormat, head_len: usize) -> &'static [Part] {
    const BLOCKS: Part = part!("shaders/wgsl/cache_load.wgsl#blocks");
    match format {
        CacheFormat::F32 if head_len.is_multiple_of(4) => &[part!("shaders/wgsl/cache_load.wgsl#f32_vec4")],
        CacheFormat::F32 => &[part!("shaders/wgsl/cache_load.wgsl#f32")],
        CacheFormat::F16 => &[part!("shaders/wgsl/cache_load.wgsl#f16")],
        CacheFormat::Q8_0 => &[BYTES, BLOCKS, part!("shaders/wgsl/cache_load.wgsl#q8_0")],
        CacheFormat::Q4_0 => &[BLOCKS, part!("shaders/wgsl/cache_load.wgsl#q4_0")],
    }
}

/// What writes a cell of the KV cache.
pub fn cache_store(format: CacheFormat) -> &'static [Part] {
    const BLOCKS: Part = part!("shaders/wgsl/cache_store.wgsl#blocks");
    match format {
        CacheFormat::F32 => &[part!("shaders/wgsl/cache_store.wgsl#f32")],
        CacheFormat::F16 => &[part!("shaders/wgsl/cache_store.wgsl#f16")],
        CacheFormat::Q8_0 => &[BLOCKS, part!("shaders/wgsl/cache_store.wgsl#q8_0")],
        CacheFormat::Q4_0 => &[BLOCKS, part!("shaders/wgsl/cache_store.wgsl#q4_0")],
    }
}
