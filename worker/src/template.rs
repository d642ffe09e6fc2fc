//! Chat templates as text, for callers that want to see or change what a model is given.

use pith_engine::chat::{ChatTemplate, Message, Moment, RenderOptions};
use serde_json::{Map, Value};

use crate::browser::local_time;
use crate::error::WorkerError;
use crate::protocol::{LocalTime, Template};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// The text that a template makes, as `Request::ApplyTemplate` says.
///
/// # Errors
/// `ModelNotLoaded`, `NoChatTemplate`, `BadTemplate`.
pub async fn apply(
    residency: &mut Residency,
    template: &Template,
    messages: Option<Vec<Map<String, Value>>>,
    variables: Map<String, Value>,
    now: Option<LocalTime>,
    ticket: &Ticket,
) -> Result<String, WorkerError> {
    let given;
    let template = match template {
        Template::Model { model } => {
            let resident = residency.model(model, None, ticket).await?;
            let missing = || WorkerError::NoChatTemplate { name: model.clone() };
            resident.chat.as_ref().ok_or_else(missing)?.as_ref().map_err(Clone::clone)?
        }
        Template::Text { text, bos_token, eos_token } => {
            given = ChatTemplate::new(text, bos_token, eos_token)?;
            &given
        }
    };
    let now = Some(now.map_or_else(local_time, moment));
    let Some(messages) = messages else { return Ok(template.render_json(&variables, now)?.text()) };
    let mut options = RenderOptions { add_generation_prompt: true, now, variables };
    if let Some(Value::Bool(add)) = options.variables.remove("add_generation_prompt") {
        options.add_generation_prompt = add;
    }
    let messages: Vec<Message> = messages.into_iter().map(message).collect();
    Ok(template.render(&messages, &options)?.text())
}

fn message(mut fields: Map<String, Value>) -> Message {
    let role = match fields.remove("role") {
        Some(Value::String(role)) => role,
        _ => String::new(),
    };
    let content = fields.remove("content").unwrap_or_default();
    Message { role, content, fields }
}

fn moment(LocalTime { year, month, day, hour, minute, second }: LocalTime) -> Moment {
    Moment { year, month, day, hour, minute, second }
}
