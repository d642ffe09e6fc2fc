//! A model's raw outputs, for scoring and conformance.

use crate::error::WorkerError;
use crate::protocol::{Floats, Outcome};
use crate::residency::Resident;

/// Rows as `Request::Evaluate` says.
///
/// # Errors
/// `BadMessage` for ids outside the vocabulary or no ids, `ContextFull`, what the device reports.
pub async fn evaluate(
    resident: &mut Resident,
    ids: &[u32],
    first: u32,
    decode: &[u32],
) -> Result<Outcome, WorkerError> {
    let vocab = resident.info.vocab;
    if ids.is_empty() || first as usize >= ids.len() {
        let why = format!("row {first} of {} ids was asked for", ids.len());
        return Err(WorkerError::BadMessage { why });
    }
    if let Some(id) = ids.iter().chain(decode).find(|id| **id >= vocab) {
        return Err(WorkerError::BadMessage { why: format!("{id} is not one of {vocab} token ids") });
    }
    let context_tokens = resident.info.context_tokens as usize;
    let len_tokens = ids.len() + decode.len();
    if len_tokens > context_tokens {
        return Err(WorkerError::ContextFull { len_tokens, context_tokens });
    }
    let rows = resident.model.evaluate(ids, first as usize, decode).await?;
    let cols = rows.first().map_or(0, Vec::len);
    Ok(Outcome::Logits { rows: rows.len() as u32, cols: cols as u32, values: Floats(rows.concat()) })
}
