//! Where things lie in the repository.

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Downloads and stamps that survive `cargo clean`.
pub fn cache() -> PathBuf {
    root().join(".cache")
}

/// The embedded default model.
pub fn minilm() -> PathBuf {
    cache().join("models/minilm-q8_0.gguf")
}

/// What wasm-bindgen and wasm-opt leave for the client to bundle.
pub fn wasm_out() -> PathBuf {
    root().join("web/src/wasm")
}

/// What `cargo xtask package` leaves.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The reference set: PITH_REFERENCE, else beside the repository, else the core set inside it.
pub fn reference() -> Option<PathBuf> {
    let named = std::env::var_os("PITH_REFERENCE").map(PathBuf::from);
    let places = [root().join("../shared/reference"), root().join("engine/tests/reference")];
    named.into_iter().chain(places).find(|dir| dir.join("manifest.json").is_file())
}
