//! Calls in reasoning, and arguments that are nearly JSON: made whole or not made, never shortened.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod forms;

use forms::*;
use pith_chat::{ChatTemplate, OutputEvent, OutputParser, Tool};
use serde_json::{Value, json};

/// Content, reasoning and calls, in pieces of several lengths.
fn parse(body: &str, text: &str) -> (String, String, Vec<Value>) {
    let template = ChatTemplate::new(&template(body), "<s>", "</s>").expect("a template");
    let tool = |name: &str| Tool { name: name.into(), parameters: json!({ "type": "object" }) };
    let mut all = Vec::new();
    for piece_chars in [1, 3, 10_000] {
        let tools = vec![tool("note"), tool("run")];
        let mut parser = OutputParser::new(template.output_format(), "", tools, true);
        let chars: Vec<char> = text.chars().collect();
        let pieces = chars.chunks(piece_chars).map(|piece| piece.iter().collect::<String>());
        let mut events: Vec<OutputEvent> = pieces.flat_map(|piece| parser.push(&piece)).collect();
        events.extend(parser.finish());
        let mut found = (String::new(), String::new(), Vec::new());
        let mut calls: Vec<String> = Vec::new();
        for event in events {
            match event {
                OutputEvent::Content(text) => found.0 += &text,
                OutputEvent::Reasoning(text) => found.1 += &text,
                OutputEvent::CallBegin { .. } => calls.push(String::new()),
                OutputEvent::Arguments { delta, .. } => calls.last_mut().unwrap().push_str(&delta),
                OutputEvent::CallEnd { .. } => {}
            }
        }
        let read = |text: &String| serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        found.2 = calls.iter().map(read).collect();
        all.push(found);
    }
    assert!(all.iter().all(|found| *found == all[0]), "{text}: {all:?}");
    all.remove(0)
}

#[test]
fn calls_in_reasoning_are_reasoning() {
    let glm = "<tool_call>run\n<arg_key>cmd</arg_key>\n<arg_value>sail</arg_value>\n</tool_call>";
    let mistral = "[TOOL_CALLS]run[ARGS]{\"cmd\": \"sail\"}";
    let command =
        "<|START_ACTION|>[{\"tool_name\": \"run\", \"parameters\": {\"cmd\": \"sail\"}}]<|END_ACTION|>";
    for (body, [open, close], call) in [
        (GLM, ["<think>", "</think>"], glm),
        (MINISTRAL, ["[THINK]", "[/THINK]"], mistral),
        (COMMAND, ["<|START_THINKING|>", "<|END_THINKING|>"], command),
    ] {
        let thought = format!("I could {call} but no.");
        let none = (String::new(), thought.clone(), vec![]);
        assert_eq!(parse(body, &format!("{open}{thought}{close}")), none);
        let (content, reasoning, calls) = parse(body, &format!("{open}{thought}{close}{call}"));
        assert_eq!((&*content, reasoning, calls), ("", thought.clone(), vec![json!({ "cmd": "sail" })]));
        // Reasoning without an end: a call is one only at the end of the answer, and whole.
        assert_eq!(parse(body, &format!("{open}{thought}")), none);
        let (_, reasoning, calls) = parse(body, &format!("{open}I could {call}"));
        assert_eq!((&*reasoning, calls), ("I could", vec![json!({ "cmd": "sail" })]));
        let cut = &call[..call.find("sail").unwrap() + 2];
        assert_eq!(parse(body, &format!("{open}I could {cut}")).2, Vec::<Value>::new());
    }
}

#[test]
fn arguments_that_are_nearly_json_are_mended() {
    let rows = [
        // Raw line breaks and tabs.
        (r#"{"text": "one/two"}"#, "/", "\n", json!({ "text": "one\ntwo" })),
        (r#"{"text": "one/two", "n": 1}"#, "/", "\r\n", json!({ "text": "one\r\ntwo", "n": 1 })),
        (r#"{"text": ["a/b", "/"]}"#, "/", "\t", json!({ "text": ["a\tb", "\t"] })),
        // Escapes that JSON does not have.
        (r#"{"text": "C:\docs\new"}"#, "", "", json!({ "text": "C:\\docs\new" })),
        (r#"{"text": "it\'s \d+"}"#, "", "", json!({ "text": "it's \\d+" })),
        (r#"{"text": "\u00e9 \u12 \x41"}"#, "", "", json!({ "text": "é \\u12 \\x41" })),
        // Quotation marks in a text.
        (r#"{"text": "he said "go" twice"}"#, "", "", json!({ "text": "he said \"go\" twice" })),
        (r#"{"text": "print("a", b)", "n": 2}"#, "", "", json!({ "text": "print(\"a\", b)", "n": 2 })),
        (r#"{"text": "a "b"", "n": 2}"#, "", "", json!({ "text": "a \"b\"", "n": 2 })),
        // Commas and names.
        (r#"{"text": "a",}"#, "", "", json!({ "text": "a" })),
        (r#"{"list": [1, 2, ], "n": 3 , }"#, "", "", json!({ "list": [1, 2], "n": 3 })),
        (r#"{"a": {"b": "c",},}"#, "", "", json!({ "a": { "b": "c" } })),
        (r#"{"a": True, "b": None, "c": [False]}"#, "", "", json!({ "a": true, "b": null, "c": [false] })),
        (r#"{text: "a", n: 1}"#, "", "", json!({ "text": "a", "n": 1 })),
        (r#"{'text': 'it is', 'n': 1}"#, "", "", json!({ "text": "it is", "n": 1 })),
        (r#"{"text": Rome, "n": 007}"#, "", "", json!({ "text": "Rome", "n": "007" })),
        // What cannot be read is kept.
        (r#"{"n": 1, 2}"#, "", "", json!({ "n": 1, "": ", 2}}" })),
        (r#"{"n": {"a": 1} x}"#, "", "", json!({ "n": { "a": 1 }, "": "x}}" })),
        (r#"{"n" 1}"#, "", "", json!({ "n": "1}}" })),
    ];
    for (arguments, from, to, wanted) in rows {
        let arguments = if from.is_empty() { arguments.to_owned() } else { arguments.replace(from, to) };
        let call = format!("<tool_call>\n{{\"name\": \"note\", \"arguments\": {arguments}}}\n</tool_call>");
        let (content, _, calls) = parse(HERMES, &format!("{call}\nDone."));
        assert_eq!((content.trim(), calls), ("Done.", vec![wanted]), "{arguments}");
    }
}

#[test]
fn brackets_too_many_or_too_few_are_no_content() {
    let object = r#"{"name": "note", "arguments": {"text": "a"}"#;
    let text = vec![json!({ "text": "a" })];
    for end in ["}}", "},}", ",}", "}}}", "", "} ,"] {
        let found = parse(HERMES, &format!("<tool_call>\n{object}{end}\n</tool_call>\nDone."));
        assert_eq!((found.0.trim(), &found.2), ("Done.", &text), "{end}");
    }
    for extra in ["}", "}}", ",", "} ]"] {
        let found = parse(MINISTRAL, &format!("[TOOL_CALLS]note[ARGS]{{\"text\": \"a\"}}{extra}"));
        assert_eq!((&*found.0, &found.2), ("", &text), "{extra}");
        let deep = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>note<｜tool▁sep｜>{\"text\": \"a\"}";
        let ends = "<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
        let found = parse(DEEPSEEK, &format!("{deep}{extra}{ends}"));
        assert_eq!((&*found.0, &found.2), ("", &text), "{extra}");
    }
}

#[test]
fn arguments_between_markers_are_never_shortened() {
    for (body, text, wanted) in [
        (
            CODER,
            "<tool_call>\n<function=note>\n<parameter=text>\na\n</parameter>\nb\n</function>\n</tool_call>",
            json!({ "": "<parameter=text>\na\n</parameter>\nb" }),
        ),
        (
            CODER,
            "<tool_call>\n<function=note>\n<parameter=text>\na\n</function>\n</tool_call>",
            json!({ "": "<parameter=text>\na" }),
        ),
        (
            LFM,
            "<|tool_call_start|>[note(text=\"a\", n=)]<|tool_call_end|>",
            json!({ "text": "a", "": ", n=)]" }),
        ),
    ] {
        let found = parse(body, text);
        assert_eq!((&*found.0, found.2), ("", vec![wanted]), "{text}");
    }
}

#[test]
fn keys_may_be_tags_and_values_be_written_in_them() {
    let call = |inside: &str| {
        let mark = |text: &str| text.replace('<', "]<]minimax[>[<");
        mark(&format!("<tool_call>\n<invoke name=\"note\">{inside}</invoke>\n</tool_call>"))
    };
    for (inside, wanted) in [
        ("<n>-4</n><text>a b</text>", json!({ "n": -4, "text": "a b" })),
        ("<at><x>1.5</x><y>true</y></at>", json!({ "at": { "x": 1.5, "y": true } })),
        ("<all><item>a</item><item><id>1</id></item></all>", json!({ "all": ["a", { "id": 1 }] })),
        ("<all><item><item>1</item></item></all>", json!({ "all": [[1]] })),
        ("", json!({})),
    ] {
        let found = parse(MINIMAX, &format!("<mm:think>Hm.</mm:think>{}", call(inside)));
        assert_eq!((&*found.0, &*found.1, found.2), ("", "Hm.", vec![wanted]), "{inside}");
    }
    let text = "<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>So.<|close|>response<|sep|><|open|>tools<|sep|>\
        <|open|>call tool=\"note\" index=\"1\"<|sep|><|open|>argument key=\"n\" type=\"number\"<|sep|>1<|close|>argument<|sep|>\
        <|close|>call<|sep|><|open|>call tool=\"run\" index=\"2\"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>";
    let found = parse(KIMI, text);
    assert_eq!((&*found.0, &*found.1, found.2), ("So.", "Hm.", vec![json!({ "n": 1 }), json!({})]));
    let data = "<tool_call>\n<function=note>\n<parameter=text>\n<![CDATA[a </parameter> b]]>\n</parameter>\n</function>\n</tool_call>";
    assert_eq!(parse(CODER, data).2, [json!({ "text": "a </parameter> b" })]);
}

#[test]
fn control_tokens_around_an_answer_are_no_content() {
    for (body, text) in [
        (GLM, "</think>\nWarm."),
        (COMMAND, "<|END_THINKING|><|START_RESPONSE|>Warm.<|END_RESPONSE|>"),
        (HERMES, "Warm.<|im_end|>"),
        (COMMAND, "Warm.<|START_THINKING|><|END_THINKING|>"),
        (MINIMAX, "</mm:think>Warm."),
        (
            HARMONY,
            "<|start|>assistant to=python<|channel|>commentary<|message|>print(1)<|end|><|channel|>final<|message|>Warm.",
        ),
    ] {
        let found = parse(body, text);
        assert_eq!((found.0.trim(), &*found.1, found.2.len()), ("Warm.", "", 0), "{text}");
    }
    // In the middle of a text they are quoted.
    assert_eq!(parse(HERMES, "<|im_end|> ends a turn.").0, "<|im_end|> ends a turn.");
}

#[test]
fn the_marker_of_all_calls_may_be_missing() {
    let text = "<｜tool▁call▁begin｜>note<｜tool▁sep｜>{\"n\": 1}<｜tool▁call▁end｜>";
    assert_eq!(parse(DEEPSEEK, text), (String::new(), String::new(), vec![json!({ "n": 1 })]));
    let text = "<tool_call>note<arg_key>n</arg_key><arg_value>1</arg_value></tool_call>";
    assert_eq!(parse(GLM, text), (String::new(), String::new(), vec![json!({ "n": 1 })]));
}
