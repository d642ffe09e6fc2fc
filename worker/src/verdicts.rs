//! What models may write about pages, as their tests have found: kept with the store, so that a model is tested once.

use crate::hash::Hash;
use crate::protocol::{ModelInfo, WriterTier};
use crate::store::{read_note, write_note};

const NOTE: &str = "pith-writers.json";
/// Models that are remembered.
const KNOWN_MAX: usize = 64;

/// What a result belongs to: the model, by its hash where its file is stored, and the test of this version.
pub fn key(info: &ModelInfo, sha256: Option<Hash>) -> String {
    let model = match sha256 {
        Some(hash) => hash.to_string(),
        None => format!("{} {} {}", info.title, info.vocab, info.weights_bytes),
    };
    format!("{} {model}", env!("CARGO_PKG_VERSION"))
}

/// What is known of a model; nothing of those that do not write.
pub async fn recall(info: &ModelInfo, sha256: Option<Hash>) -> Option<WriterTier> {
    if info.encoder {
        return None;
    }
    let key = key(info, sha256);
    read().await.into_iter().find(|(known, _)| *known == key).map(|(_, tier)| tier)
}

async fn read() -> Vec<(String, WriterTier)> {
    read_note(NOTE).await.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Keeps the result of a test.
pub async fn remember(info: &ModelInfo, sha256: Option<Hash>, tier: WriterTier) {
    let key = key(info, sha256);
    let mut known = read().await;
    known.retain(|(other, _)| *other != key);
    known.insert(0, (key, tier));
    known.truncate(KNOWN_MAX);
    if let Ok(text) = serde_json::to_string(&known) {
        // Where it cannot be kept, the model is tested again.
        let _ = write_note(NOTE, &text).await;
    }
}
