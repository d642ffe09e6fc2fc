//! Texts to unit vectors.

use pith_engine::digest;
use pith_engine::models;
use pith_engine::tokenizer::EncodeOptions;

use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::Stage;
use crate::residency::Resident;
use crate::ticket::Ticket;

/// One vector of length 1 per text, which is taken as it is. A text that is too long is cut, as the models' own tools do.
///
/// # Errors
/// `WrongModel`, `NoTokenizer`, `Cancelled`, what the device reports.
pub async fn embed(
    resident: &mut Resident,
    texts: &[&str],
    ticket: &Ticket,
) -> Result<Vec<Vec<f32>>, WorkerError> {
    let mut vectors = Vec::with_capacity(texts.len());
    embed_each(resident, "", texts, ticket, |_, vector| {
        vectors.push(vector);
        Ok(())
    })
    .await?;
    Ok(vectors)
}

/// The vector of a question to a page, marked as one where the model wants that.
///
/// # Errors
/// As [`embed`].
pub async fn embed_question(
    resident: &mut Resident,
    question: &str,
    ticket: &Ticket,
) -> Result<Vec<f32>, WorkerError> {
    let text = [digest::prefixes(&resident.info.title).question, question].concat();
    Ok(embed(resident, &[&text], ticket).await?.concat())
}

/// Embeds the sentences of a page that have no vector yet. What is done stays done when it is cancelled.
///
/// # Errors
/// As [`embed`].
pub async fn embed_page(
    resident: &mut Resident,
    page: &mut PageMemory,
    sentences: &[usize],
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let PageMemory { digest, vectors, .. } = page;
    let missing: Vec<(usize, &str)> = sentences
        .iter()
        .filter(|at| vectors.get(**at).is_none())
        .filter_map(|&at| Some((at, digest.sentences().get(at)?.meaning())))
        .collect();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| *text).collect();
    let mark = digest::prefixes(&resident.info.title).passage;
    embed_each(resident, mark, &texts, ticket, |nth, vector| Ok(vectors.insert(missing[nth].0, vector)?))
        .await
}

/// Embeds whole blocks of a page.
///
/// # Errors
/// As [`embed`].
pub async fn embed_blocks(
    resident: &mut Resident,
    page: &mut PageMemory,
    blocks: &[usize],
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let PageMemory { digest, vectors, .. } = page;
    let texts: Vec<String> = blocks.iter().map(|&block| digest.block_text(block)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mark = digest::prefixes(&resident.info.title).passage;
    embed_each(resident, mark, &texts, ticket, |nth, vector| Ok(vectors.insert_block(blocks[nth], vector)?))
        .await
}

/// Gives `take` the number and the vector of each text, several texts at a time; `mark` stands before each.
async fn embed_each(
    resident: &mut Resident,
    mark: &str,
    texts: &[&str],
    ticket: &Ticket,
    mut take: impl FnMut(usize, Vec<f32>) -> Result<(), WorkerError>,
) -> Result<(), WorkerError> {
    resident.expect_encoder(true)?;
    let mut ids: Vec<Vec<u32>> = Vec::with_capacity(texts.len());
    for text in texts {
        ticket.checkpoint().await?;
        ids.push(if mark.is_empty() {
            encode(resident, text, ticket).await?
        } else {
            encode(resident, &[mark, text].concat(), ticket).await?
        });
    }
    let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
    let mut done = 0;
    while done < ids.len() {
        ticket.checkpoint().await?;
        for mut vector in resident.model.embed_some(&ids[done..], &now_ms).await? {
            normalize(&mut vector);
            take(done, vector)?;
            done += 1;
        }
        ticket.progress(Stage::Embed, done as u64, ids.len() as u64);
    }
    Ok(())
}

/// Vocabularies of many languages have more entries: XLM-RoBERTa's 250,000, Qwen's 151,000; BERT's English one has 30,522.
const MULTILINGUAL_VOCAB_LEN_MIN: usize = 100_000;

/// Whether the model knows the page's language. Vectors of a language that it does not know would only mislead.
pub fn understands(resident: &Resident, page: &PageMemory) -> bool {
    let count = |text: &str| {
        let ids = resident.tokenizer().map(|own| own.encode(text, EncodeOptions::default()));
        ids.map_or(0, |ids| ids.map_or(0, |ids| ids.len()))
    };
    if is_multilingual(resident) {
        page.digest.is_spelled_by(count)
    } else {
        page.digest.is_readable_by(count)
    }
}

/// Whether the model has a vocabulary of many languages.
pub fn is_multilingual(resident: &Resident) -> bool {
    resident.tokenizer().is_ok_and(|own| own.vocab_len() >= MULTILINGUAL_VOCAB_LEN_MIN)
}

/// The text of ids.
///
/// # Errors
/// `NoTokenizer`.
pub fn detokenize(resident: &Resident, ids: &[u32], special: bool) -> Result<String, WorkerError> {
    Ok(String::from_utf8_lossy(&resident.tokenizer()?.decode(ids, special)).into_owned())
}

/// Ids with the model's own first and last token, cut to what it can take.
async fn encode(resident: &Resident, text: &str, ticket: &Ticket) -> Result<Vec<u32>, WorkerError> {
    let options = EncodeOptions { add_special: true, parse_special: false };
    let tokenizer = resident.tokenizer()?;
    let mut ids = crate::encode::encode(tokenizer, text, options, ticket).await?;
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
