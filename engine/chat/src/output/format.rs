//! How answers are written, as data.

use serde_json::{Map, Value as Json, json};

/// Fields under which templates look for reasoning.
pub(crate) const REASONING_FIELDS: [&str; 3] = ["reasoning_content", "thinking", "reasoning"];

/// An opening and a closing marker. Either may be empty.
pub(crate) type Pair = [String; 2];
pub(crate) static NONE: Pair = [String::new(), String::new()];

/// How a model writes reasoning, content and tool calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputFormat {
    /// Around reasoning. The prompt may end with the first.
    pub(crate) reasoning: Option<Pair>,
    /// Around content.
    pub(crate) content: Option<Pair>,
    /// None where the template writes no tool calls.
    pub(crate) calls: Option<Calls>,
    /// What may stand at the end of an answer and is no part of it; often empty.
    pub(crate) end: String,
    /// The template wants a call's arguments as JSON text, not as an object.
    pub(crate) text_arguments: bool,
}

impl OutputFormat {
    /// Whether the model can be given tools.
    pub fn has_calls(&self) -> bool {
        self.calls.is_some()
    }

    /// Whether a call's arguments are given to the template as JSON text instead of an object.
    pub fn wants_text_arguments(&self) -> bool {
        self.text_arguments
    }

    /// The fields of an assistant's message that hold its reasoning and its calls (id, name, JSON text of the arguments),
    /// as the template reads them.
    pub fn fields(&self, reasoning: Option<&str>, calls: &[(&str, &str, &str)]) -> Map<String, Json> {
        let reasoning =
            reasoning.into_iter().flat_map(|text| REASONING_FIELDS.map(|field| (field.into(), text.into())));
        let mut fields: Map<String, Json> = reasoning.collect();
        let call = |&(id, name, text): &(&str, &str, &str)| {
            let object = serde_json::from_str(text).ok().filter(|_| !self.text_arguments);
            let arguments = object.unwrap_or_else(|| Json::from(text));
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        };
        if !calls.is_empty() {
            fields.insert("tool_calls".into(), calls.iter().map(call).collect());
        }
        fields
    }
}

/// How tool calls are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    /// Around all calls of an answer.
    pub(crate) section: Pair,
    /// Around each call.
    pub(crate) call: Pair,
    pub(crate) shape: Shape,
}

/// How one call is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `{"name": .., "arguments": ..}`, by the names of its keys. Without a key for the name, the name is the key of the
    /// arguments.
    Object { name: String, arguments: String, id: String },
    /// A name, a marker, a JSON object. Between name and marker there may be an id behind a marker of its own.
    Named { id: String, name_end: String },
    /// A name, a marker, then arguments, each between markers: before its key, between key and value, after the value. `{}` in the last
    /// stands for the key; values may then be written in the same way.
    Tagged { name_end: String, key: Pair, value_end: String },
    /// `name(key=value, ..)` or `name{key:value, ..}`: the bracket.
    Literal { bracket: char },
    /// Messages with a channel each.
    Harmony,
}

impl Default for Shape {
    fn default() -> Self {
        let [name, arguments, id] = ["name", "arguments", "id"].map(str::to_owned);
        Self::Object { name, arguments, id }
    }
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// How the model calls it.
    pub name: String,
    /// JSON schema of its arguments.
    pub parameters: Json,
}

impl Tool {
    /// Whether the schema lets an argument be a string only.
    pub(crate) fn is_text(&self, key: &str) -> bool {
        let schema = &self.parameters["properties"][key];
        match &schema["type"] {
            Json::String(kind) => kind == "string",
            _ => schema["enum"].as_array().is_some_and(|all| all.iter().all(Json::is_string)),
        }
    }
}

/// What can be said of the beginning of a text.
#[derive(Debug, PartialEq)]
pub(crate) enum Scan<T> {
    /// What follows decides.
    More,
    /// It is not of this form.
    Fail,
    /// It is, and takes so many bytes.
    Took(T, usize),
}

/// Whether a text begins with a marker. Blanks may differ. An empty marker is always there.
pub(crate) fn marker(text: &str, marker: &str) -> Scan<()> {
    let mut rest = text;
    for part in marker.split_whitespace() {
        rest = rest.trim_start();
        match rest.strip_prefix(part) {
            Some(behind) => rest = behind,
            None if part.starts_with(rest) => return Scan::More,
            None => return Scan::Fail,
        }
    }
    Scan::Took((), text.len() - rest.len())
}

/// Length of the longest end of a text that begins a marker.
pub(super) fn undecided_bytes<'a>(text: &str, marks: impl Iterator<Item = &'a str>) -> usize {
    let begins = |mark: &str| {
        let longest = (1..mark.len()).rev().filter(|&bytes| mark.is_char_boundary(bytes));
        longest.into_iter().find(|&bytes| text.ends_with(&mark[..bytes])).unwrap_or(0)
    };
    marks.map(begins).max().unwrap_or(0)
}

/// What a marker says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// Calls begin.
    Call,
    /// Reasoning ends.
    Thought,
    /// Reasoning begins again.
    Think,
    /// It stands around content, and is none.
    Around,
    /// The answer ends, if nothing follows.
    End,
    /// A message of harmony begins or ends.
    Channel,
}

/// What a part of the parser did.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// It waits for more text.
    More,
    /// The text is not of this form.
    Fail,
    /// It took something or changed the state.
    Go,
}
