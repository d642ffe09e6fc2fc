//! Texts to unit vectors.

use pith_engine::models;
use pith_engine::tokenizer::EncodeOptions;

use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::Stage;
use crate::residency::Resident;
use crate::ticket::Ticket;

/// One vector of length 1 per text. A text that is too long is cut, as the models' own tools do.
///
/// # Errors
/// `WrongModel`, `NoTokenizer`, `Cancelled`, what the device reports.
pub async fn embed(
    resident: &mut Resident,
    texts: &[&str],
    ticket: &Ticket,
) -> Result<Vec<Vec<f32>>, WorkerError> {
    let total = texts.len() as u64;
    let mut vectors = Vec::with_capacity(texts.len());
    for text in texts {
        vectors.push(embed_text(resident, text, ticket).await?);
        ticket.progress(Stage::Embed, vectors.len() as u64, total);
    }
    Ok(vectors)
}

/// Embeds the sentences of a page that have no vector yet, and its title. What is done stays done when it is cancelled.
///
/// # Errors
/// As [`embed`].
pub async fn embed_page(
    resident: &mut Resident,
    page: &mut PageMemory,
    sentences: &[usize],
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let missing: Vec<usize> =
        sentences.iter().copied().filter(|at| page.vectors.get(*at).is_none()).collect();
    if !page.has_title && !page.digest.title().is_empty() {
        page.vectors.set_title(embed_text(resident, page.digest.title(), ticket).await?)?;
        page.has_title = true;
    }
    let total = missing.len() as u64;
    for (done, at) in missing.into_iter().enumerate() {
        let Some(sentence) = page.digest.sentences().get(at) else { continue };
        let vector = embed_text(resident, &sentence.text, ticket).await?;
        page.vectors.insert(at, vector)?;
        ticket.progress(Stage::Embed, done as u64 + 1, total);
    }
    Ok(())
}

/// Whether the model knows the page's language. Vectors of a language that it does not know would only mislead.
pub fn understands(resident: &Resident, page: &PageMemory) -> bool {
    page.digest
        .is_readable_by(|text| tokenize(resident, text, EncodeOptions::default()).map_or(0, |ids| ids.len()))
}

/// The vector of one text.
///
/// # Errors
/// As [`embed`].
pub async fn embed_text(
    resident: &mut Resident,
    text: &str,
    ticket: &Ticket,
) -> Result<Vec<f32>, WorkerError> {
    resident.expect_encoder(true)?;
    ticket.checkpoint().await?;
    let ids = encode(resident, text)?;
    let mut vector = resident.model.embed(&ids).await?;
    normalize(&mut vector);
    Ok(vector)
}

/// Ids of a text as it is, nothing added.
///
/// # Errors
/// `NoTokenizer`, what the tokenizer reports.
pub fn tokenize(resident: &Resident, text: &str, options: EncodeOptions) -> Result<Vec<u32>, WorkerError> {
    Ok(resident.tokenizer()?.encode(text, options)?)
}

/// The text of ids.
///
/// # Errors
/// `NoTokenizer`.
pub fn detokenize(resident: &Resident, ids: &[u32], special: bool) -> Result<String, WorkerError> {
    Ok(String::from_utf8_lossy(&resident.tokenizer()?.decode(ids, special)).into_owned())
}

/// Ids with the model's own first and last token, cut to what it can take.
fn encode(resident: &Resident, text: &str) -> Result<Vec<u32>, WorkerError> {
    let options = EncodeOptions { add_special: true, parse_special: false };
    let tokenizer = resident.tokenizer()?;
    let mut ids = tokenizer.encode(text, options)?;
    let context_tokens = resident.info.context_tokens as usize;
    let trained_on = models::arch(&resident.info.architecture).and_then(|arch| arch.text_tokens);
    tokenizer.truncate(&mut ids, context_tokens.min(trained_on.unwrap_or(usize::MAX)));
    Ok(ids)
}

fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt() as f32;
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}
