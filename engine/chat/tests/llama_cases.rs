//! Compares the parser with llama.cpp's own cases (`tests/test-chat.cpp`), of which `llama_cases.py` makes a file of JSON lines.
//! `PITH_CHAT_CASES` names that file, `PITH_CHAT_TEMPLATES` the folder of llama.cpp's templates; without them nothing runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use pith_chat::{ChatTemplate, Message, OutputEvent, OutputParser, RenderOptions, Tool};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a text was taken apart to.
#[derive(Default, Debug, PartialEq)]
struct Parsed {
    content: String,
    reasoning: String,
    calls: Vec<(String, String)>,
}

impl Parsed {
    fn take(&mut self, events: Vec<OutputEvent>) {
        for event in events {
            match event {
                OutputEvent::Content(text) => self.content += &text,
                OutputEvent::Reasoning(text) => self.reasoning += &text,
                OutputEvent::CallBegin { name, .. } => self.calls.push((name, String::new())),
                OutputEvent::Arguments { delta, .. } => self.calls.last_mut().expect("a call").1 += &delta,
                OutputEvent::CallEnd { .. } => {}
            }
        }
    }
}

fn parse(case: &Value, template: &ChatTemplate, piece_chars: usize) -> (Parsed, Parsed) {
    let tools: Vec<Value> = case["tools"].as_array().unwrap().clone();
    let parsed =
        |tool: &Value| serde_json::from_str(tool["parameters"].as_str().unwrap()).unwrap_or(Value::Null);
    let specs: Vec<Tool> = tools
        .iter()
        .map(|tool| Tool { name: tool["name"].as_str().unwrap().into(), parameters: parsed(tool) })
        .collect();
    let mut variables = serde_json::Map::new();
    variables.insert("enable_thinking".into(), case["enable_thinking"].clone());
    if !tools.is_empty() {
        let described = tools.iter().map(|tool| {
            let function = json!({ "name": tool["name"], "description": tool["description"], "parameters": parsed(tool) });
            json!({ "type": "function", "function": function })
        });
        variables.insert("tools".into(), described.collect());
    }
    let messages: Vec<Message> = case["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| {
            let mut fields = message.as_object().unwrap().clone();
            let role = fields.remove("role").unwrap();
            if let (Some(Value::Array(calls)), false) =
                (fields.get_mut("tool_calls"), template.output_format().wants_text_arguments())
            {
                for call in calls {
                    let text = call["function"]["arguments"].as_str().unwrap().to_owned();
                    call["function"]["arguments"] = serde_json::from_str(&text).unwrap();
                }
            }
            Message {
                role: role.as_str().unwrap().into(),
                content: fields.remove("content").unwrap_or_default(),
                fields,
            }
        })
        .collect();
    let now = Some(pith_chat::Moment { year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5 });
    let options = RenderOptions { add_generation_prompt: true, now, variables };
    let prompt = template.render(&messages, &options).map(|rendered| rendered.text()).unwrap_or_default();
    let mut parser = OutputParser::new(template.output_format(), &prompt, specs, true);
    let mut shown = Parsed::default();
    let chars: Vec<char> = case["input"].as_str().unwrap().chars().collect();
    for piece in chars.chunks(piece_chars) {
        shown.take(parser.push(&piece.iter().collect::<String>()));
    }
    let mut whole = Parsed {
        content: shown.content.clone(),
        reasoning: shown.reasoning.clone(),
        calls: shown.calls.clone(),
    };
    whole.take(parser.finish());
    (shown, whole)
}

fn normal(arguments: &str) -> String {
    serde_json::from_str::<Value>(arguments).map_or_else(|_| arguments.to_owned(), |value| value.to_string())
}

#[test]
fn cases_of_llama_cpp() {
    let (Ok(cases), Ok(folder)) = (std::env::var("PITH_CHAT_CASES"), std::env::var("PITH_CHAT_TEMPLATES"))
    else {
        return;
    };
    let text = std::fs::read_to_string(cases).expect("the file of cases");
    let (mut equal, mut all) = (0, 0);
    let mut by_template: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut differs = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line.trim_start_matches("CASE ")).expect("a case");
        // Reasoning that stays in the text, a beginning to continue and an enforced schema are other features.
        if case["reasoning"] == 0
            && !case["expect"]["content"].as_str().unwrap().is_empty()
            && case["input"].as_str().unwrap().contains("think")
            || case["cont"] != 0
            || !case["schema"].as_str().unwrap().is_empty()
        {
            continue;
        }
        let name = case["template"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let source = std::fs::read_to_string(format!("{folder}/{name}")).expect("a template");
        let template = ChatTemplate::new(&source, "<s>", "</s>").expect("a template");
        let (by_char, by_char_whole) = parse(&case, &template, 1);
        let (_, whole) = parse(&case, &template, 1 << 20);
        let wanted = &case["expect"];
        let calls = wanted["calls"].as_array().unwrap();
        let calls: Vec<(String, String)> = calls
            .iter()
            .map(|call| (call["name"].as_str().unwrap().into(), call["arguments"].as_str().unwrap().into()))
            .collect();
        let is_partial = case["partial"] == true;
        let same_calls = if is_partial {
            by_char.calls.len() == calls.len()
                && by_char.calls.iter().zip(&calls).all(|(ours, theirs)| {
                    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
                    let (a, b) = (squeeze(&ours.1), squeeze(&theirs.1));
                    ours.0 == theirs.0 && (a.starts_with(&b) || b.starts_with(&a))
                })
        } else {
            let ours: Vec<_> =
                by_char_whole.calls.iter().map(|(name, text)| (name.clone(), normal(text))).collect();
            let theirs: Vec<_> = calls.iter().map(|(name, text)| (name.clone(), normal(text))).collect();
            ours == theirs
        };
        let same = same_calls
            && by_char_whole == whole
            && by_char_whole.content.trim() == wanted["content"].as_str().unwrap().trim()
            && by_char_whole.reasoning.trim() == wanted["reasoning"].as_str().unwrap().trim();
        all += 1;
        let entry = by_template.entry(name.clone()).or_default();
        entry.1 += 1;
        if same {
            equal += 1;
            entry.0 += 1;
        } else {
            differs.push(format!(
                "{name}\n  input    {}\n  expected {wanted}\n  found    {by_char_whole:?}{}",
                case["input"],
                if by_char_whole == whole { "" } else { "\n  DIFFERS BY PIECES" }
            ));
        }
    }
    for difference in &differs {
        println!("{difference}");
    }
    for (name, (equal, all)) in &by_template {
        println!("{equal:3} of {all:3}  {name}");
    }
    println!("{equal} of {all} cases are equal");
    if std::env::var("PITH_CHAT_FORMATS").is_ok() {
        for name in by_template.keys() {
            let source = std::fs::read_to_string(format!("{folder}/{name}")).expect("a template");
            println!(
                "{name}: {:?}",
                ChatTemplate::new(&source, "<s>", "</s>").expect("a template").output_format()
            );
        }
    }
}
