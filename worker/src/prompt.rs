//! Prompts as token ids.

use pith_engine::chat::{Message, RenderOptions};
use pith_engine::tokenizer::EncodeOptions;

use crate::browser::local_time;
use crate::error::WorkerError;
use crate::protocol::{ChatMessage, Prompt};
use crate::residency::Resident;

/// Token ids of a prompt.
///
/// # Errors
/// `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `BadMessage` for no tokens, `ContextFull` for more than fit.
pub fn prompt_ids(resident: &Resident, prompt: &Prompt) -> Result<Vec<u32>, WorkerError> {
    let ids = match prompt {
        Prompt::Ids { ids } => ids.clone(),
        Prompt::Text { text } => {
            let tokenizer = resident.tokenizer()?;
            let mut ids =
                tokenizer.encode(text, EncodeOptions { add_special: true, parse_special: false })?;
            // A model that ends texts with a token of its own would see this one as finished.
            if tokenizer.adds_eos() && ids.last().copied() == tokenizer.eos() {
                ids.pop();
            }
            ids
        }
        Prompt::Chat { messages, continue_last: false } => chat_ids(resident, messages, true)?,
        Prompt::Chat { messages, continue_last: true } => {
            let Some((last, before)) = messages.split_last().filter(|(last, _)| last.role == "assistant")
            else {
                let why = "continueLast needs a last message of the assistant".into();
                return Err(WorkerError::BadMessage { why });
            };
            let mut ids = chat_ids(resident, before, true)?;
            let begun = resident.tokenizer()?.encode(&last.content, EncodeOptions::default())?;
            ids.extend_from_slice(&begun);
            ids
        }
    };
    if ids.is_empty() {
        return Err(WorkerError::BadMessage { why: "the prompt is empty".into() });
    }
    let (len_tokens, context_tokens) = (ids.len(), resident.info.context_tokens as usize);
    if len_tokens > context_tokens {
        return Err(WorkerError::ContextFull { len_tokens, context_tokens });
    }
    Ok(ids)
}

/// Tokens at the beginning of `ids` that say how to answer: the system message of a conversation, else the model's own
/// leading token.
pub fn system_tokens(resident: &Resident, prompt: &Prompt, ids: &[u32]) -> usize {
    if let Prompt::Chat { messages, .. } = prompt
        && let Some(system) = messages.first().filter(|message| message.role == "system")
        // A template that wants more than a system message is as good as none.
        && let Ok(alone) = chat_ids(resident, std::slice::from_ref(system), false)
    {
        return alone.iter().zip(ids).take_while(|(a, b)| a == b).count();
    }
    let bos = resident.tokenizer.as_ref().and_then(|tokenizer| tokenizer.bos());
    usize::from(bos.is_some() && ids.first().copied() == bos)
}

fn chat_ids(
    resident: &Resident,
    messages: &[ChatMessage],
    add_generation_prompt: bool,
) -> Result<Vec<u32>, WorkerError> {
    let tokenizer = resident.tokenizer()?;
    let no_template = || WorkerError::NoChatTemplate { name: resident.info.name.clone() };
    let template = resident.chat.as_ref().ok_or_else(no_template)?.as_ref().map_err(Clone::clone)?;
    let messages: Vec<_> = messages.iter().map(|m| Message::new(&m.role, &m.content)).collect();
    let options =
        RenderOptions { add_generation_prompt, now: Some(local_time()), ..RenderOptions::default() };
    Ok(tokenizer.encode_parts(&template.render(&messages, &options)?.parts)?)
}
