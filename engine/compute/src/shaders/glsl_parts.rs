//! Parts that GLSL kernels share, and the decodes that the build has translated.

use super::part::{Part, part};
use crate::formats::Format;
use crate::plan::{CacheFormat, State};

/// Path of a format's WGSL, and its functions in GLSL.
const DECODES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/decodes.rs"));

/// A format's `decode16`.
pub fn decode(format: &Format) -> Option<Part> {
    let (path, text) = DECODES.iter().find(|(path, _)| *path == format.wgsl_path)?;
    Some(Part { path, text })
}

pub const STATE: Part = Part { path: "plan/state", text: State::GLSL };
pub const COMMON: Part = part!("shaders/glsl/common.glsl");
pub const VERTEX: Part = part!("shaders/glsl/vertex.glsl");
pub const VERTEX_CELLS: Part = part!("shaders/glsl/vertex_cells.glsl");
pub const WEIGHTS: Part = part!("shaders/glsl/weights.glsl");
pub const OUTPUT_ROWS: Part = part!("shaders/glsl/output_rows.glsl");
pub const PRODUCT: Part = part!("shaders/glsl/product.glsl");
pub const GATHERED: Part = part!("shaders/glsl/gathered.glsl");
pub const ACT: Part = part!("shaders/glsl/act.glsl");
pub const NORMS: Part = part!("shaders/glsl/norms.glsl");
pub const NORM_ROWS: Part = part!("shaders/glsl/norm_rows.glsl");
pub const TOKENS: Part = part!("shaders/glsl/tokens.glsl");
pub const ROUTES: Part = part!("shaders/glsl/routes.glsl");
pub const CELLS: Part = part!("shaders/glsl/cells.glsl");

/// What becomes of the words beside those that a draw call makes: they stay, as they are in the texture or in its twin.
pub fn beside(twin: bool) -> Part {
    if twin { part!("shaders/glsl/beside.glsl#twin") } else { part!("shaders/glsl/beside.glsl#discard") }
}

/// What a LoRA adapter adds to a product.
pub fn delta(is_there: bool) -> Part {
    if is_there { part!("shaders/glsl/delta.glsl#add") } else { part!("shaders/glsl/delta.glsl#none") }
}

/// What reads a cell of the KV cache.
pub fn cache_load(format: CacheFormat) -> &'static [Part] {
    const BLOCKS: Part = part!("shaders/glsl/cache_load.glsl#blocks");
    match format {
        CacheFormat::F32 => &[part!("shaders/glsl/cache_load.glsl#f32")],
        CacheFormat::F16 => &[part!("shaders/glsl/cache_load.glsl#f16")],
        CacheFormat::Q8_0 => &[part!("shaders/glsl/cache_load.glsl#q8_0"), BLOCKS],
        CacheFormat::Q4_0 => &[part!("shaders/glsl/cache_load.glsl#q4_0"), BLOCKS],
    }
}

/// What writes a cell of the KV cache.
pub fn cache_store(format: CacheFormat) -> &'static [Part] {
    const BLOCKS: Part = part!("shaders/glsl/cache_store.glsl#blocks");
    match format {
        CacheFormat::F32 => &[part!("shaders/glsl/cache_store.glsl#f32")],
        CacheFormat::F16 => &[part!("shaders/glsl/cache_store.glsl#f16")],
        CacheFormat::Q8_0 => &[part!("shaders/glsl/cache_store.glsl#q8_0"), BLOCKS],
        CacheFormat::Q4_0 => &[part!("shaders/glsl/cache_store.glsl#q4_0"), BLOCKS],
    }
}
