//! Reasoning and tool calls in what models write: one small template for each form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod forms;

use forms::*;
use pith_chat::{ChatTemplate, OutputEvent, OutputFormat, OutputParser, Tool};
use serde_json::{Value, json};

fn compiled(body: &str) -> ChatTemplate {
    ChatTemplate::new(&template(body), "<s>", "</s>").expect("a template")
}

fn tools() -> Vec<Tool> {
    let parameters = json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "days": { "type": "integer" }, "flags": { "type": "object" } },
    });
    ["weather", "time"].map(|name| Tool { name: name.into(), parameters: parameters.clone() }).into()
}

/// Content, reasoning and calls.
#[derive(Debug, Default, PartialEq, Clone)]
struct Parsed(String, String, Vec<(String, String)>);

fn parse(format: &OutputFormat, text: &str, piece_chars: usize, prompt: &str) -> Parsed {
    let mut parser = OutputParser::new(format, prompt, tools(), true);
    let chars: Vec<char> = text.chars().collect();
    let mut events: Vec<OutputEvent> =
        chars.chunks(piece_chars).flat_map(|piece| parser.push(&piece.iter().collect::<String>())).collect();
    events.extend(parser.finish());
    let mut parsed = Parsed::default();
    let mut open = false;
    for event in events {
        match event {
            OutputEvent::Content(text) => parsed.0 += &text,
            OutputEvent::Reasoning(text) => parsed.1 += &text,
            OutputEvent::CallBegin { index, name, .. } => {
                assert!(!open && index as usize == parsed.2.len());
                open = true;
                parsed.2.push((name, String::new()));
            }
            OutputEvent::Arguments { index, delta } => {
                assert!(open && !delta.is_empty());
                parsed.2[index as usize].1 += &delta;
            }
            OutputEvent::CallEnd { .. } => open = false,
        }
    }
    assert!(!open, "{text}: a call has no end");
    for (_, arguments) in &parsed.2 {
        let arguments: Value =
            serde_json::from_str(arguments).unwrap_or_else(|e| panic!("{text}: {arguments}: {e}"));
        assert!(arguments.is_object(), "{text}");
    }
    parsed
}

/// Form, its template, an answer, and what is in it.
fn rows() -> Vec<(&'static str, &'static str, &'static str, Parsed)> {
    let parsed = |content: &str, reasoning: &str, calls: &[(&str, &str)]| {
        let calls = calls.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        Parsed(content.into(), reasoning.into(), calls)
    };
    let one = [("weather", r#"{"city": "Rome"}"#)];
    let both = [("weather", r#"{"city": "Rome"}"#), ("time", r#"{"days": 2}"#)];
    let rome = r#"{"city": "Rome"}"#;
    let call = |name: &str, arguments: &str| format!(r#"{{"name": "{name}", "arguments": {arguments}}}"#);
    let leaked = |text: String| -> &'static str { text.leak() };
    vec![
        (
            "Hermes",
            HERMES,
            leaked(format!("Let me see.\n<tool_call>\n{}\n</tool_call>", call("weather", rome))),
            parsed("Let me see.", "", &one),
        ),
        (
            "Hermes, two",
            HERMES,
            leaked(format!(
                "<tool_call>\n{}\n</tool_call>\n<tool_call>{}</tool_call>",
                call("weather", rome),
                call("time", r#"{"days": 2}"#)
            )),
            parsed("", "", &both),
        ),
        (
            "Qwen coder",
            CODER,
            "<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n\
             <function=time>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
            parsed("", "", &both),
        ),
        (
            "Qwen coder, characters in halves",
            CODER,
            "<tool_call>\n<function=weather>\n<parameter=flags>\n{\"a\": \"\\ud83d\\ude00 \\ud83d \\ud83d\\u0041 \\xe9\"}\n</parameter>\n\
             </function>\n</tool_call>",
            parsed("", "", &[("weather", "{\"flags\": {\"a\": \"\u{1f600} \u{fffd} \u{fffd}A \u{e9}\"}}")]),
        ),
        (
            "Qwen coder, lines",
            CODER,
            "<tool_call>\n<function=weather>\n<parameter=city>\n  a\n\"b\"\n\n</parameter>\n<parameter=flags>\n{\"a\": True}\n</parameter>\n\
             </function>\n</tool_call>",
            parsed("", "", &[("weather", "{\"city\": \"  a\\n\\\"b\\\"\\n\", \"flags\": {\"a\": true}}")]),
        ),
        (
            "Mistral Nemo",
            NEMO,
            leaked(format!(
                "[TOOL_CALLS][{}, {}]",
                r#"{"name": "weather", "arguments": {"city": "Rome"}, "id": "123456789"}"#,
                call("time", r#"{"days": 2}"#)
            )),
            parsed("", "", &both),
        ),
        (
            "Ministral",
            MINISTRAL,
            "[THINK]Hm.[/THINK]Wait.[TOOL_CALLS]weather[ARGS]{\"city\": \"Rome\"}[TOOL_CALLS]time[ARGS]{\"days\": 2}",
            parsed("Wait.", "Hm.", &both),
        ),
        (
            "LFM2",
            LFM,
            "<|tool_call_start|>[weather(city=\"Rome\"), time(days=2)]<|tool_call_end|>",
            parsed("", "", &both),
        ),
        (
            "Gemma",
            GEMMA,
            "<|tool_call>call:weather{city:<|\"|>Rome<|\"|>}<tool_call|><|tool_call>call:time{days:2}<tool_call|>",
            parsed("", "", &both),
        ),
        (
            "Command R",
            COMMAND,
            "<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[\n{\"tool_call_id\": \"0\", \"tool_name\": \"weather\", \
             \"parameters\": {\"city\": \"Rome\"}},\n{\"tool_call_id\": \"1\", \"tool_name\": \"time\", \"parameters\": {\"days\": 2}}\n]<|END_ACTION|>",
            parsed("", "Hm.", &both),
        ),
        (
            "Command R, text",
            COMMAND,
            "<|START_RESPONSE|>Rome is warm.<|END_RESPONSE|>",
            parsed("Rome is warm.", "", &[]),
        ),
        (
            "GLM",
            GLM,
            "<think>Hm.</think>\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call><tool_call>time\n\
             <arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
            parsed("", "Hm.", &both),
        ),
        (
            "DeepSeek",
            DEEPSEEK,
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Rome\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>time\
             <｜tool▁sep｜>{\"days\": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            parsed("", "", &both),
        ),
        (
            "Llama",
            LLAMA,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\"}}",
            parsed("", "", &one),
        ),
        (
            "harmony",
            HARMONY,
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json\
             <|message|>{\"city\": \"Rome\"}<|call|>",
            parsed("", "Hm.", &one),
        ),
        ("harmony, text", HARMONY, "<|channel|>final<|message|>Warm.<|return|>", parsed("Warm.", "", &[])),
        // What is no call stays text.
        (
            "an unknown tool",
            HERMES,
            "<tool_call>\n{\"name\": \"rain\", \"arguments\": {}}\n</tool_call>",
            parsed("<tool_call>\n{\"name\": \"rain\", \"arguments\": {}}\n</tool_call>", "", &[]),
        ),
        ("half a marker", HERMES, "1 < 2, <tool_cal", parsed("1 < 2, <tool_cal", "", &[])),
        ("an object", LLAMA, "{\"answer\": 42}", parsed("{\"answer\": 42}", "", &[])),
        // Arguments that are cut off, or are no JSON, end as JSON.
        (
            "a cut",
            HERMES,
            "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Ro",
            parsed("", "", &[("weather", r#"{"city": "Ro"}"#)]),
        ),
        (
            "a broken object",
            HERMES,
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": Rome}}",
            parsed("", "", &[("weather", r#"{"city": "Rome"}"#)]),
        ),
    ]
}

#[test]
fn each_form() {
    for (name, body, text, wanted) in rows() {
        let template = compiled(body);
        let format = template.output_format();
        for piece_chars in [1, 2, 3, 7, 1000] {
            let found = parse(format, text, piece_chars, "");
            assert_eq!(found, wanted, "{name}, {piece_chars}: {format:?}");
        }
    }
}

#[test]
fn reasoning_that_the_prompt_began() {
    let template = compiled(GLM);
    let format = template.output_format();
    let found = parse(format, "Hm.\n</think>\n\nWarm.", 1, "<|im_start|>assistant\n<think>\n");
    assert_eq!(found, Parsed("Warm.".into(), "Hm.".into(), Vec::new()));
}

/// At every cut and with every damaged character calls end and arguments are JSON, and pieces of any length say the same.
#[test]
fn cuts_and_damage() {
    for (name, body, text, _) in rows() {
        let template = compiled(body);
        let format = template.output_format();
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let cut = &text[..at];
            assert_eq!(parse(format, cut, 1, ""), parse(format, cut, 1000, ""), "{name}: {cut}");
            for damage in ["", "\"", "{", "}", "<", "]", "\\", "\u{e9}"] {
                let rest = text[at..].chars().next().map_or(0, char::len_utf8);
                let damaged = format!("{cut}{damage}{}", &text[at + rest..]);
                assert_eq!(
                    parse(format, &damaged, 1, ""),
                    parse(format, &damaged, 5, ""),
                    "{name}: {damaged}"
                );
            }
        }
    }
}

#[test]
fn one_call_only() {
    let template = compiled(HERMES);
    let mut parser = OutputParser::new(template.output_format(), "", tools(), false);
    let call = "<tool_call>{\"name\": \"time\", \"arguments\": {}}</tool_call>";
    parser.push(call);
    assert!(parser.is_complete());
    assert!(parser.push(call).is_empty() && parser.finish().is_empty());
    assert_eq!(parser.calls(), 1);
}

#[test]
fn arguments_as_the_template_wants_them() {
    assert!(!compiled(HERMES).output_format().wants_text_arguments());
    let joined = "{{ message.content }}{% for c in message.tool_calls %}<tool_call>{\"name\": \"{{ c.function.name }}\", \
        \"arguments\": {{ '' + c.function.arguments }}}</tool_call>{% endfor %}";
    assert!(compiled(joined).output_format().wants_text_arguments());
}

/// A model's file may have any template.
#[test]
fn long_markers_are_none() {
    let long = "{% for i in range(60000) %}<b>{% endfor %}";
    let call = "{\"name\": \"{{ c.function.name }}\", \"arguments\": {{ c.function.arguments | tojson }}}";
    let calls = |open: &str, close: &str| {
        format!(
            "{{{{ message.content }}}}{{% for c in message.tool_calls %}}{open}{call}{close}{{% endfor %}}"
        )
    };
    let think = |open: &str, close: &str| {
        let reasoning = "{{ message.reasoning_content }}";
        format!(
            "{{% if message.reasoning_content %}}{open}{reasoning}{close}{{% endif %}}{{{{ message.content }}}}"
        )
    };
    let mark = "<{% for i in range(99999) %}abcd{% endfor %}>";
    let bodies =
        [calls("<call>", long), calls(long, "</call>"), calls(mark, "</call>"), think(mark, "</think>")];
    for body in bodies {
        let start = std::time::Instant::now();
        let template = compiled(&body);
        let format = template.output_format();
        let text = "<".to_owned() + &"abcd".repeat(99_998);
        let parsed = parse(format, &text, 4096, "");
        assert_eq!(parsed.0, text);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}

#[test]
fn what_cannot_be_a_call_is_shown_at_once() {
    let template = compiled(HERMES);
    let mut parser = OutputParser::new(template.output_format(), "", tools(), true);
    let parts = ["<tool_call>", "\n{\"na\nme"];
    assert_eq!(parser.push(&parts.concat()), parts.map(|part| OutputEvent::Content(part.into())));
}
