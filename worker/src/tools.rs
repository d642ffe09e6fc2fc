//! Tools and their calls, between the protocol and chat templates.

use pith_engine::chat::{ChatTemplate, Message, OutputEvent, Tool};
use serde_json::{Map, Value, json};

use crate::error::WorkerError;
use crate::protocol::{ChatMessage, MessageDelta, ParsedMessage, ToolCall, ToolSpec};

/// Most tools of a request.
const TOOLS_MAX: usize = 128;
/// Longest name of a tool.
const NAME_BYTES_MAX: usize = 128;
/// Most text of all tools.
const TOOLS_BYTES_MAX: usize = 256 << 10;
/// Most calls of a message.
const CALLS_MAX: usize = 128;

/// Tools as the parser knows them. Their schemas are JSON text, so that depth is limited where it is read.
///
/// # Errors
/// `BadMessage` for too many or too large ones, bad names and schemas.
pub fn read(specs: &[ToolSpec]) -> Result<Vec<Tool>, WorkerError> {
    let bad = |why: String| WorkerError::BadMessage { why };
    let bytes: usize = specs.iter().map(|spec| spec.description.len() + spec.parameters.len()).sum();
    if specs.len() > TOOLS_MAX || bytes > TOOLS_BYTES_MAX {
        return Err(bad(format!("at most {TOOLS_MAX} tools with {TOOLS_BYTES_MAX} bytes of text")));
    }
    let tool = |spec: &ToolSpec| {
        let name = &spec.name;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
        if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.chars().all(is_name) {
            let shown: String = name.chars().take(40).collect();
            return Err(bad(format!("{shown:?} cannot be the name of a tool")));
        }
        match serde_json::from_str(&spec.parameters) {
            Ok(parameters @ Value::Object(_)) => Ok(Tool { name: name.clone(), parameters }),
            _ => Err(bad(format!("the parameters of {name} are no JSON schema"))),
        }
    };
    specs.iter().map(tool).collect()
}

/// Whether the answer needs a grammar of calls: one has to be made, or a tool is strict.
///
/// # Errors
/// `BadMessage` for names of no tool, and for an answer that has begun.
pub fn has_rules(
    specs: &[ToolSpec],
    must_call: Option<&[String]>,
    has_begun: bool,
) -> Result<bool, WorkerError> {
    let bad = |why: String| Err(WorkerError::BadMessage { why });
    let is_tool = |name: &String| specs.iter().any(|spec| spec.name == *name);
    match must_call {
        Some([]) => return bad("mustCall names no tool".into()),
        Some(names) => {
            if let Some(name) = names.iter().find(|name| !is_tool(name)) {
                let shown: String = name.chars().take(40).collect();
                return bad(format!("mustCall: there is no tool {shown:?}"));
            }
        }
        None if !specs.iter().any(|spec| spec.strict) => return Ok(false),
        None => {}
    }
    if has_begun {
        return bad("continueLast excludes mustCall and strict tools".into());
    }
    Ok(true)
}

/// What the template is given beside the messages.
pub fn variables(specs: &[ToolSpec], thinking: Option<bool>) -> Map<String, Value> {
    let mut variables = Map::new();
    let tool = |spec: &ToolSpec| {
        let parameters: Value = serde_json::from_str(&spec.parameters).unwrap_or_default();
        let (name, description) = (&spec.name, &spec.description);
        let function = json!({ "name": name, "description": description, "parameters": parameters });
        json!({ "type": "function", "function": function })
    };
    if !specs.is_empty() {
        variables.insert("tools".into(), specs.iter().map(tool).collect());
    }
    // Two names are in use.
    for name in ["enable_thinking", "thinking"].into_iter().filter(|_| thinking.is_some()) {
        variables.insert(name.into(), thinking.into());
    }
    variables
}

/// A message as the template wants it.
///
/// # Errors
/// `BadMessage` for too many calls.
pub fn message(given: &ChatMessage, template: &ChatTemplate) -> Result<Message, WorkerError> {
    let mut message = Message::new(&given.role, &given.content);
    if given.tool_calls.len() > CALLS_MAX {
        let why = format!("at most {CALLS_MAX} tool calls in a message");
        return Err(WorkerError::BadMessage { why });
    }
    if given.reasoning.is_some() || !given.tool_calls.is_empty() {
        let calls = given.tool_calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments));
        let calls: Vec<_> = calls.collect();
        message.fields = template.output_format().fields(given.reasoning.as_deref(), &calls);
    }
    for (field, value) in [("tool_call_id", &given.tool_call_id), ("name", &given.name)] {
        if let Some(value) = value {
            message.fields.insert(field.into(), Value::from(&**value));
        }
    }
    Ok(message)
}

/// Adds what the parser found to the message, and gives it as deltas. `new_id` makes up an id.
pub fn add(
    message: &mut ParsedMessage,
    events: Vec<OutputEvent>,
    new_id: impl Fn() -> String,
) -> Vec<MessageDelta> {
    let delta = |event| match event {
        OutputEvent::Content(text) => {
            message.content.push_str(&text);
            MessageDelta::Content { text }
        }
        OutputEvent::Reasoning(text) => {
            message.reasoning.push_str(&text);
            MessageDelta::Reasoning { text }
        }
        OutputEvent::CallBegin { index, id, name } => {
            let id = id.unwrap_or_else(&new_id);
            let call = ToolCall { id: id.clone(), name: name.clone(), arguments: String::new() };
            message.tool_calls.push(call);
            MessageDelta::ToolCall { index, id, name }
        }
        OutputEvent::Arguments { index, delta: text } => {
            if let Some(call) = message.tool_calls.last_mut() {
                call.arguments.push_str(&text);
            }
            MessageDelta::Arguments { index, text }
        }
        OutputEvent::CallEnd { index } => MessageDelta::ToolCallEnd { index },
    };
    events.into_iter().map(delta).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn spec(name: &str, parameters: &str) -> ToolSpec {
        ToolSpec { name: name.into(), parameters: parameters.into(), ..ToolSpec::default() }
    }

    #[test]
    fn tools_are_limited() {
        assert_eq!(read(&[spec("a.b-c:1", "{\"type\": \"object\"}")]).unwrap()[0].name, "a.b-c:1");
        let deep = format!("{}{}", "{\"a\":".repeat(200), "1".to_owned() + &"}".repeat(200));
        let long = format!("{{\"a\": \"{}\"}}", "x".repeat(TOOLS_BYTES_MAX));
        let many = vec![spec("a", "{}"); TOOLS_MAX + 1];
        for specs in [
            vec![spec("", "{}")],
            vec![spec("a b", "{}")],
            vec![spec(&"a".repeat(129), "{}")],
            vec![spec("a", "[]")],
            vec![spec("a", "{")],
            vec![spec("a", &deep)],
            vec![spec("a", &long)],
            many,
        ] {
            assert!(matches!(read(&specs), Err(WorkerError::BadMessage { .. })));
        }
    }

    #[test]
    fn a_call_that_must_be_made_is_one_of_a_tool() {
        let loose = [spec("a", "{}"), spec("b", "{}")];
        let strict = [ToolSpec { strict: true, ..spec("a", "{}") }];
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(!has_rules(&loose, None, true).unwrap());
        assert!(has_rules(&strict, None, false).unwrap());
        assert!(has_rules(&loose, Some(&names(&["b", "a"])), false).unwrap());
        for (specs, must, has_begun) in [
            (&loose[..], Some(names(&[])), false),
            (&loose, Some(names(&["a", "c"])), false),
            (&[], Some(names(&["a"])), false),
            (&loose, Some(names(&["a"])), true),
            (&strict, None, true),
        ] {
            let result = has_rules(specs, must.as_deref(), has_begun);
            assert!(matches!(result, Err(WorkerError::BadMessage { .. })), "{must:?}");
        }
    }

    #[test]
    fn templates_see_tools_as_functions() {
        let given = variables(&[spec("a", "{\"type\": \"object\"}")], Some(false));
        assert_eq!(given["tools"][0]["function"]["parameters"]["type"], "object");
        assert_eq!((&given["enable_thinking"], &given["thinking"]), (&json!(false), &json!(false)));
        assert!(variables(&[], None).is_empty());
    }

    #[test]
    fn messages_and_deltas() {
        let template = ChatTemplate::standard(true, "", "").unwrap();
        let call = ToolCall { id: "1".into(), name: "a".into(), arguments: "{\"b\": 2}".into() };
        let given =
            ChatMessage { role: "assistant".into(), tool_calls: vec![call], ..ChatMessage::default() };
        let fields = message(&given, &template).unwrap().fields;
        assert_eq!(fields["tool_calls"][0]["function"]["arguments"]["b"], 2);
        let result =
            ChatMessage { role: "tool".into(), tool_call_id: Some("1".into()), ..ChatMessage::default() };
        assert_eq!(message(&result, &template).unwrap().fields["tool_call_id"], "1");

        let mut parsed = ParsedMessage::default();
        let name = || "a".to_owned();
        let events = vec![
            OutputEvent::Content("x".into()),
            OutputEvent::CallBegin { index: 0, id: None, name: name() },
            OutputEvent::Arguments { index: 0, delta: "{}".into() },
            OutputEvent::CallEnd { index: 0 },
        ];
        assert_eq!(add(&mut parsed, events, || "made up".into()).len(), 4);
        assert_eq!((parsed.content.as_str(), parsed.tool_calls[0].id.as_str()), ("x", "made up"));
        assert_eq!(parsed.tool_calls[0].arguments, "{}");
    }
}
