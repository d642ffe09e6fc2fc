//! Texts to token ids, in slices: a `cancel` is heard between two of them.

use pith_engine::chat::TextPart;
use pith_engine::tokenizer::{EncodeOptions, Encoding, Tokenizer};

use crate::error::WorkerError;
use crate::ticket::Ticket;

/// The ids of a text.
///
/// # Errors
/// `Cancelled`, what the tokenizer reports.
pub async fn encode(
    tokenizer: &Tokenizer,
    text: &str,
    options: EncodeOptions,
    ticket: &Ticket,
) -> Result<Vec<u32>, WorkerError> {
    finish(tokenizer.encoding(text, options), ticket).await
}

/// The ids of a conversation.
///
/// # Errors
/// As [`encode`].
pub async fn encode_parts(
    tokenizer: &Tokenizer,
    parts: &[TextPart],
    ticket: &Ticket,
) -> Result<Vec<u32>, WorkerError> {
    finish(tokenizer.encoding_of_parts(parts), ticket).await
}

async fn finish(mut encoding: Encoding<'_>, ticket: &Ticket) -> Result<Vec<u32>, WorkerError> {
    loop {
        if let Some(ids) = encoding.step() {
            return Ok(ids?);
        }
        ticket.checkpoint().await?;
    }
}
