//! Any template on a conversation: it is read and rendered, or there is a typed error, the same each time. Pieces alternate in
//! trust, none is empty, and what only a message holds is never in a piece of the template's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pith_engine::chat::{ChatTemplate, Message, Moment, RenderOptions};
use serde_json::json;

/// A character that only messages hold: no operation makes it of others.
const MARK: char = '\u{e000}';

fuzz_target!(|input: &[u8]| {
    let source = String::from_utf8_lossy(input).replace(MARK, "");
    let template = match ChatTemplate::new(&source, "<s>", "</s>") {
        Ok(template) => template,
        Err(error) => return assert_eq!(error.code(), "chat_template_syntax", "{error}"),
    };
    let mut call = Message::new("assistant", "");
    call.content = serde_json::Value::Null;
    call.fields.insert(
        "tool_calls".into(),
        json!([{ "function": { "name": format!("f{MARK}"), "arguments": { "a": 1.5, "b": [true, null] } } }]),
    );
    let messages = [
        Message::new("system", &format!(" Be {MARK}brief. ")),
        Message::new("user", &format!("A{MARK}, \"d\" <b>\n{MARK}\u{df}")),
        call,
        Message::new("tool", &MARK.to_string()),
    ];
    let variables = json!({
        "tools": [{ "name": format!("g{MARK}"), "parameters": { "type": "object", "required": [] } }],
        "words": ["b", "A", "c", "a", format!("{MARK}")],
        "numbers": [3, -1, 2.5, 0, 10, true],
        "d": { "b": 2, "a": MARK.to_string() },
        "none": null,
    });
    let options = RenderOptions {
        add_generation_prompt: true,
        now: Some(Moment { year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6 }),
        variables: variables.as_object().cloned().unwrap_or_default(),
    };
    let rendered = template.render(&messages, &options);
    match &rendered {
        Ok(rendered) => {
            assert!(rendered.parts.iter().all(|piece| !piece.text.is_empty()));
            assert!(rendered.parts.windows(2).all(|pair| pair[0].trusted != pair[1].trusted));
            for piece in rendered.parts.iter().filter(|piece| piece.trusted) {
                assert!(!piece.text.contains(MARK), "the template is said to have written {:?}", piece.text);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.code() != "chat_template_syntax"),
    }
    assert_eq!(rendered, template.render(&messages, &options));
});
