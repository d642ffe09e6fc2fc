//! Prompts as token ids.

use pith_engine::chat::{CallRules, ChatTemplate, Message, OutputParser, RenderOptions};
use pith_engine::tokenizer::EncodeOptions;

use crate::browser::local_time;
use crate::encode::{encode, encode_parts};
use crate::error::WorkerError;
use crate::protocol::{ChatMessage, Prompt, ToolSpec};
use crate::residency::Resident;
use crate::ticket::Ticket;
use crate::tools;

/// A prompt, ready to be continued.
pub struct Prepared {
    /// Its tokens.
    pub ids: Vec<u32>,
    /// Takes the answer apart, where that was asked for.
    pub parser: Option<OutputParser>,
    /// What a grammar of its calls has to know, where there is to be one.
    pub calls: Option<String>,
}

/// Token ids of a prompt.
///
/// # Errors
/// `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `BadMessage` for no tokens, bad tools or a call of one that is not there,
/// `ContextFull` for more than fit, `Cancelled`.
pub async fn prepare(resident: &Resident, prompt: &Prompt, ticket: &Ticket) -> Result<Prepared, WorkerError> {
    let (mut parser, mut calls) = (None, None);
    let ids = match prompt {
        Prompt::Ids { ids } => ids.clone(),
        Prompt::Text { text } => {
            let tokenizer = resident.tokenizer()?;
            let options = EncodeOptions { add_special: true, parse_special: false };
            let mut ids = encode(tokenizer, text, options, ticket).await?;
            // A model that ends texts with a token of its own would see this one as finished.
            if tokenizer.adds_eos() && ids.last().copied() == tokenizer.eos() {
                ids.pop();
            }
            ids
        }
        Prompt::Chat {
            messages,
            continue_last,
            tools: specs,
            must_call,
            single_tool_call,
            parse,
            thinking,
        } => {
            let (last, before) = match messages.split_last() {
                Some((last, before)) if *continue_last && last.role == "assistant" => (Some(last), before),
                _ if *continue_last => {
                    let why = "continueLast needs a last message of the assistant".into();
                    return Err(WorkerError::BadMessage { why });
                }
                _ => (None, &messages[..]),
            };
            let tools = tools::read(specs)?;
            let has_rules = tools::has_rules(specs, must_call.as_deref(), *continue_last)?;
            let (mut ids, text) = chat_ids(resident, before, specs, (*thinking, true), ticket).await?;
            if *parse || !tools.is_empty() {
                let format = template(resident)?.output_format();
                if !tools.is_empty() && !format.has_calls() {
                    let needed = "a model whose chat template writes tool calls";
                    return Err(WorkerError::WrongModel { name: resident.info.name.clone(), needed });
                }
                // Of a named tool one call is meant.
                let single = *single_tool_call || matches!(must_call.as_deref(), Some([_]));
                let own = OutputParser::new(format, &text, tools, !single);
                if has_rules {
                    let (begun, thinks) = (own.is_reasoning(), *thinking != Some(false));
                    let strict: Vec<&str> =
                        specs.iter().filter(|spec| spec.strict).map(|spec| &*spec.name).collect();
                    let must = must_call.as_deref();
                    let rules =
                        CallRules { tools: own.tools(), strict: &strict, must, single, begun, thinks };
                    let tokenizer = resident.tokenizer()?;
                    let id_of = |text: &str| tokenizer.token_id(text);
                    calls = Some(format.constraint(&rules, &mut tokenizer.special_texts(), &id_of));
                }
                parser = Some(own);
            }
            if let Some(last) = last {
                let options = EncodeOptions::default();
                let begun = encode(resident.tokenizer()?, &last.content, options, ticket).await?;
                ids.extend_from_slice(&begun);
                if let Some(parser) = &mut parser {
                    parser.push(&last.content);
                }
            }
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
    Ok(Prepared { ids, parser, calls })
}

/// Tokens at the beginning of `ids` that say how to answer: the system message of a conversation, else the model's own
/// leading token.
pub async fn system_tokens(resident: &Resident, prompt: &Prompt, ids: &[u32], ticket: &Ticket) -> usize {
    if let Prompt::Chat { messages, tools, thinking, .. } = prompt
        && let Some(system) = messages.first().filter(|message| message.role == "system")
        // A template that wants more than a system message is as good as none.
        && let Ok((alone, _)) = chat_ids(resident, std::slice::from_ref(system), tools, (*thinking, false), ticket).await
    {
        return alone.iter().zip(ids).take_while(|(a, b)| a == b).count();
    }
    let bos = resident.tokenizer.as_ref().and_then(|tokenizer| tokenizer.bos());
    usize::from(bos.is_some() && ids.first().copied() == bos)
}

fn template(resident: &Resident) -> Result<&ChatTemplate, WorkerError> {
    let no_template = || WorkerError::NoChatTemplate { name: resident.info.name.clone() };
    Ok(resident.chat.as_ref().ok_or_else(no_template)?.as_ref().map_err(Clone::clone)?)
}

/// A conversation as tokens and as text.
async fn chat_ids(
    resident: &Resident,
    messages: &[ChatMessage],
    specs: &[ToolSpec],
    (thinking, add_generation_prompt): (Option<bool>, bool),
    ticket: &Ticket,
) -> Result<(Vec<u32>, String), WorkerError> {
    let tokenizer = resident.tokenizer()?;
    let template = template(resident)?;
    let messages = messages.iter().map(|message| tools::message(message, template));
    let messages: Vec<Message> = messages.collect::<Result<_, _>>()?;
    let variables = tools::variables(specs, thinking);
    let options = RenderOptions { add_generation_prompt, now: Some(local_time()), variables };
    let rendered = template.render(&messages, &options)?;
    Ok((encode_parts(tokenizer, &rendered.parts, ticket).await?, rendered.text()))
}
