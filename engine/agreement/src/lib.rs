//! The engine's GGUF reader under the engine's name, for the comparison in `tests/`.

/// As in the engine, which takes the comments out. Nothing compiles the text here.
macro_rules! bare {
    ($path:literal) => {
        include_str!(concat!("../", $path))
    };
}
pub(crate) use bare;

#[path = "../../compute/src/formats/mod.rs"]
pub mod formats;
#[path = "../../src/gguf/mod.rs"]
pub mod gguf;
// Less is used of it here than in the engine.
#[allow(dead_code)]
#[path = "../../compute/src/simd.rs"]
mod simd;
