//! Where things lie in the repository.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The repository's root. Cargo says at run time where that is: work trees that share a build folder share this program.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest = manifest.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        manifest.parent().unwrap_or(&manifest).to_path_buf()
    })
}

/// Downloads and stamps that survive `cargo clean`.
pub fn cache() -> PathBuf {
    root().join(".cache")
}

/// The embedded default model.
pub fn minilm() -> PathBuf {
    cache().join("models/minilm-q8_0.gguf")
}

/// SmolLM2-135M-Instruct, where it was fetched.
pub fn smollm2() -> PathBuf {
    cache().join("models/smollm2-135m-instruct-q4_1.gguf")
}

/// What wasm-bindgen and wasm-opt leave for the client to bundle.
pub fn wasm_out() -> PathBuf {
    root().join("web/src/wasm")
}

/// What `cargo xtask package` leaves.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The reference set: the folder that PITH_REFERENCE names, else the core set in the repository.
pub fn reference() -> PathBuf {
    let named = std::env::var_os("PITH_REFERENCE").map(PathBuf::from);
    named.unwrap_or_else(|| root().join("engine/tests/reference"))
}
