//! The engine's GGUF reader under the engine's name, for the comparison in `tests/`.

#[path = "../../src/formats/mod.rs"]
pub mod formats;
#[path = "../../src/gguf/mod.rs"]
pub mod gguf;
