//! Prompts that are kept on the disk as what they are in the KV cache, so that a text that begins alike need not read them again,
//! after a restart of the browser either.
//!
//! A file holds the whole pages of one prompt, each with its SHA-256, for one model file on one kind of device, with one cache type,
//! one length of the context and one version of the engine. All of them together stay within a budget; those that were not used for
//! longest go first. They only save time: whatever goes wrong with one is the same as not having it. Only in the origin private file system: where there is none, as in
//! a private window, nothing is to stay either.

#[cfg(any(target_arch = "wasm32", test))]
mod record;

#[cfg(target_arch = "wasm32")]
mod folder;
#[cfg(target_arch = "wasm32")]
mod keeping;
#[cfg(target_arch = "wasm32")]
mod restore;

#[cfg(target_arch = "wasm32")]
pub use folder::{allow, forget, stable_nonce, used_bytes};
#[cfg(target_arch = "wasm32")]
pub use keeping::Keeper;
#[cfg(target_arch = "wasm32")]
pub use restore::restore;

/// Fewer pages are read again as quickly as a file is opened.
#[cfg(target_arch = "wasm32")]
const PAGES_MIN: usize = 4;

/// What kept pages fit. `None` for a model whose file has no known hash, and for one that keeps no pages.
#[cfg(target_arch = "wasm32")]
fn key_of(resident: &crate::residency::Resident) -> Option<record::Key> {
    let model = resident.sha256?;
    let has_pages = resident.model.page_bytes() > 0;
    let info = resident.chosen.device.info();
    // Some models turn keys by other angles in longer contexts.
    let made_by = format!(
        "{} {} {} {:?} {:?} {}",
        env!("CARGO_PKG_VERSION"),
        pith_engine::FINGERPRINT,
        info.kind,
        resident.recipe.wish.cache_type,
        resident.recipe.wish.precision,
        resident.info.context_tokens
    );
    has_pages.then_some(record::Key { model, made_by })
}
