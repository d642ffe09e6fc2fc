//! Conversations to text, by the template in the model's file.
//!
//! What the template itself writes is trusted, what stands in messages is not: the rendered text comes in parts of
//! either kind, and a tokenizer finds control tokens in trusted parts only. So a page that contains `<|im_start|>` stays
//! a page. The parts joined are exactly what Hugging Face's `transformers` would render.

mod error;
mod jinja;
mod output;

pub use error::ChatError;
pub use jinja::Moment;
pub use output::{CallRules, OutputEvent, OutputFormat, OutputParser, Tool};

use jinja::{Dict, Fault, Fuel, Interpreter, Named, Statement, Text, Value, Values, parse};
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::OnceLock;

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// `system`, `user`, `assistant`, `tool`, or what else the template knows. Trusted: the application chooses it.
    pub role: String,
    /// A string, or what the template takes besides (a list of parts, null beside tool calls). Not trusted.
    pub content: Json,
    /// Further fields, such as `tool_calls` or `reasoning_content`. Their strings are not trusted.
    pub fields: serde_json::Map<String, Json>,
}

impl Message {
    /// A turn of text.
    pub fn new(role: &str, content: &str) -> Self {
        Self { role: role.to_owned(), content: Json::from(content), fields: serde_json::Map::new() }
    }
}

/// What a template is given beside the messages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RenderOptions {
    /// Ends the text with the beginning of the assistant's answer.
    pub add_generation_prompt: bool,
    /// The time now. Without it templates write the date that they carry.
    pub now: Option<Moment>,
    /// Further variables: `tools`, `documents`, `enable_thinking`. Their strings are not trusted.
    pub variables: serde_json::Map<String, Json>,
}

/// A part of a prompt, all of one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPart {
    /// What it says.
    pub text: String,
    /// Written by the template. Text that is not trusted becomes plain tokens only: what looks like a control token in it
    /// stays text.
    pub trusted: bool,
}

/// A rendered conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// In order; joined they are the text. Neighbours differ in trust, and none is empty.
    pub parts: Vec<TextPart>,
}

impl Rendered {
    /// The whole text.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// ChatML, for a vocabulary that has its tokens.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + \
    '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/// A plain form that needs no control tokens, for models without a template.
const PLAIN: &str = "{{ bos_token }}{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n\\n' }}\
    {% endfor %}{% if add_generation_prompt %}{{ 'assistant:' }}{% endif %}";

/// Where a template came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateSource {
    /// The model's file.
    File,
    /// The file has none, but its vocabulary has ChatML's tokens.
    ChatMl,
    /// The file has none: `role: content`, one after another. The model was hardly trained to chat.
    Plain,
}

/// A template that was read, and the texts of the model's special tokens.
#[derive(Debug)]
pub struct ChatTemplate {
    body: Vec<Statement>,
    template: String,
    bos_token: String,
    eos_token: String,
    source: TemplateSource,
    /// Derived when it is asked for.
    format: OnceLock<OutputFormat>,
}

impl ChatTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// [`ChatError::Syntax`].
    pub fn new(template: &str, bos_token: &str, eos_token: &str) -> Result<Self, ChatError> {
        let (bos_token, eos_token) = (bos_token.to_owned(), eos_token.to_owned());
        let (body, template) = (parse(template)?, template.to_owned());
        Ok(Self {
            body,
            template,
            bos_token,
            eos_token,
            source: TemplateSource::File,
            format: OnceLock::new(),
        })
    }

    /// What a model without a template of its own is asked with: ChatML where its vocabulary has `<|im_start|>` and
    /// `<|im_end|>`, else a plain form, see [`TemplateSource`].
    ///
    /// # Errors
    /// None of them: both are known to be read.
    pub fn standard(has_chat_ml: bool, bos_token: &str, eos_token: &str) -> Result<Self, ChatError> {
        let (template, source) =
            if has_chat_ml { (CHATML, TemplateSource::ChatMl) } else { (PLAIN, TemplateSource::Plain) };
        Ok(Self { source, ..Self::new(template, bos_token, eos_token)? })
    }

    /// How the model writes reasoning and tool calls: derived, once, by rendering the template about ten times.
    pub fn output_format(&self) -> &OutputFormat {
        let now = Some(Moment { year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5 });
        let render = |turn: Option<output::Turn>, variables, add_generation_prompt| {
            let turn = turn.map(|output::Turn { content, fields }| Message {
                fields,
                ..Message::new("assistant", content)
            });
            let messages: Vec<Message> = [Message::new("user", "hello")].into_iter().chain(turn).collect();
            Some(
                self.render(&messages, &RenderOptions { add_generation_prompt, now, variables }).ok()?.text(),
            )
        };
        self.format.get_or_init(|| output::derive(&self.template, &render))
    }

    /// Where the template came from.
    pub fn source(&self) -> TemplateSource {
        self.source
    }

    /// Renders a conversation.
    ///
    /// Some templates refuse a system message, or leave it out without a word. What it says is then put before the
    /// first user message, a line break between them, as llama.cpp does: instructions must not be lost. Everything
    /// else is as `transformers` renders it.
    ///
    /// # Errors
    /// [`ChatError::Refused`] where the template does not take such a conversation; otherwise what went wrong.
    pub fn render(&self, messages: &[Message], options: &RenderOptions) -> Result<Rendered, ChatError> {
        let merged = match messages {
            [system, rest @ ..] if system.role == "system" && !self.takes_system_message(options)? => {
                merge_system(system, rest)
            }
            _ => None,
        };
        self.render_messages(merged.as_deref().unwrap_or(messages), options)
    }

    fn render_messages(&self, messages: &[Message], options: &RenderOptions) -> Result<Rendered, ChatError> {
        self.render_values(options.now, |fuel| {
            let messages =
                Values::collect(fuel, messages.iter().map(|message| message_value(fuel, message)))?;
            let mut variables = variables(fuel, &options.variables)?;
            variables.insert(0, ("messages".into(), Value::list(messages)))?;
            let prompt = Value::Bool(options.add_generation_prompt);
            variables.insert(1, ("add_generation_prompt".into(), prompt))?;
            Ok(variables)
        })
    }

    /// Whether a system message appears in what the template makes of a shortest conversation.
    fn takes_system_message(&self, options: &RenderOptions) -> Result<bool, ChatError> {
        const PROBE: &str = "system-message-probe";
        let messages = [Message::new("system", PROBE), Message::new("user", "hello")];
        match self.render_messages(&messages, options) {
            // It would not end with the conversation either.
            Err(limit @ ChatError::Limit { .. }) => Err(limit),
            rendered => Ok(rendered.is_ok_and(|rendered| rendered.text().contains(PROBE))),
        }
    }

    /// Renders with every variable as given, `messages` among them. For templates that are not chat templates.
    ///
    /// # Errors
    /// As [`ChatTemplate::render`].
    pub fn render_json(
        &self,
        variables: &serde_json::Map<String, Json>,
        now: Option<Moment>,
    ) -> Result<Rendered, ChatError> {
        self.render_values(now, |fuel| self::variables(fuel, variables))
    }

    fn render_values(
        &self,
        now: Option<Moment>,
        variables: impl FnOnce(&Rc<Fuel>) -> Result<Named, Fault>,
    ) -> Result<Rendered, ChatError> {
        let mut interpreter = Interpreter::new(now);
        let fuel = Rc::clone(&interpreter.fuel);
        let result = variables(&fuel).and_then(|mut variables| {
            for (name, text) in [("bos_token", &self.bos_token), ("eos_token", &self.eos_token)] {
                if !variables.iter().any(|(given, _)| **given == *name) {
                    variables.push((name.into(), Value::str(&fuel, text)?))?;
                }
            }
            interpreter.render(&self.body, variables)?.parts()
        });
        let parts = result.map_err(|fault| match fault {
            Fault::Error(message) => ChatError::Failed { line: interpreter.line, message },
            Fault::Raised(message) => ChatError::Refused { message },
            Fault::Limit(message) => ChatError::Limit { message },
        })?;
        Ok(Rendered { parts })
    }
}

/// The conversation with the system message's text at the beginning of the first user message. None where either is
/// not plain text: the template then has its say.
fn merge_system(system: &Message, rest: &[Message]) -> Option<Vec<Message>> {
    let at = rest.iter().position(|message| message.role == "user")?;
    let merged = format!("{}\n{}", system.content.as_str()?, rest[at].content.as_str()?);
    let mut messages = rest.to_vec();
    messages[at].content = Json::from(merged);
    Some(messages)
}

fn message_value(fuel: &Rc<Fuel>, message: &Message) -> Result<Value, Fault> {
    let mut dict = Dict::new(fuel);
    dict.set(Value::str(fuel, "role")?, Value::str(fuel, &message.role)?)?;
    dict.set(Value::str(fuel, "content")?, json_value(fuel, &message.content, 0)?)?;
    for (name, value) in &message.fields {
        dict.set(Value::str(fuel, name)?, json_value(fuel, value, 0)?)?;
    }
    Ok(Value::dict(dict))
}

fn variables(fuel: &Rc<Fuel>, variables: &serde_json::Map<String, Json>) -> Result<Named, Fault> {
    let variable = |(name, value): (&String, &Json)| Ok((name.as_str().into(), json_value(fuel, value, 0)?));
    Named::collect(fuel, variables.iter().map(variable))
}

/// Nesting of what a template is given: that of `serde_json`'s reader.
const JSON_DEPTH_MAX: usize = 128;

/// A value that the template did not write.
fn json_value(fuel: &Rc<Fuel>, value: &Json, depth: usize) -> Result<Value, Fault> {
    if depth > JSON_DEPTH_MAX {
        return Err(Fault::Limit("a value is nested too deeply"));
    }
    Ok(match value {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(number) => match number.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Str(Text::new(fuel, text, false)?),
        Json::Array(items) => {
            Value::list(Values::collect(fuel, items.iter().map(|item| json_value(fuel, item, depth + 1)))?)
        }
        Json::Object(entries) => {
            let mut dict = Dict::new(fuel);
            for (key, value) in entries {
                // Keys of an object differ from each other.
                let key = Value::Str(Text::new(fuel, key, false)?);
                dict.0.push((key, json_value(fuel, value, depth + 1)?))?;
            }
            Value::dict(dict)
        }
    })
}
