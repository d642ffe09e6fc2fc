//! Conversations to tokens: the template in a model's file, see [`pith_chat`].

pub use pith_chat::*;

use crate::gguf::Metadata;
use crate::tokenizer::Tokenizer;

/// The chat template in a model's file. Where there is none: ChatML if the vocabulary has `<|im_start|>` and `<|im_end|>`,
/// else a plain form, see [`TemplateSource`].
///
/// # Errors
/// [`ChatError::Syntax`]: a template that is there but cannot be read is never silently replaced.
pub fn template_of(metadata: &Metadata, tokenizer: &Tokenizer) -> Result<ChatTemplate, ChatError> {
    let text = |id: Option<u32>| id.and_then(|id| tokenizer.token_text(id)).unwrap_or_default();
    let (bos_token, eos_token) = (text(tokenizer.bos()), text(tokenizer.eos()));
    let has = |text: &str| tokenizer.token_id(text).is_some();
    match metadata.str("tokenizer.chat_template") {
        Some(template) => ChatTemplate::new(template, bos_token, eos_token),
        None => ChatTemplate::standard(has("<|im_start|>") && has("<|im_end|>"), bos_token, eos_token),
    }
}
