//! Every chat case of the reference set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::reference_dir;
use pith_engine::chat::{ChatError, ChatTemplate, Message, Moment, RenderOptions};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The time that the renderings were made at.
const NOW: Moment = Moment { year: 2025, month: 1, day: 15, hour: 12, minute: 0, second: 0 };

/// The folder with the cases, where this reference set has one.
fn chat_dir() -> Option<PathBuf> {
    let dir = reference_dir().join("chat");
    if !dir.is_dir() {
        println!("not in this set: chat/");
        return None;
    }
    Some(dir)
}

fn cases(file: PathBuf) -> Vec<Value> {
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let Value::Array(cases) = file["cases"].take() else { panic!("no cases") };
    cases
}

fn render(template: &str, variables: &Map<String, Value>) -> Result<String, ChatError> {
    Ok(ChatTemplate::new(template, "", "")?.render_json(variables, Some(NOW))?.text())
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn jinja_cases() {
    let Some(dir) = chat_dir() else { return };
    // Three cases change the list that they are given, and their variables were written down after the rendering: what
    // the template was given is restored here.
    let before = |name: &str| match name {
        "array.pop() last" | "array.pop() with index" | "array.append()" => {
            Some(json!({ "arr": ["a", "b", "c"] }))
        }
        _ => None,
    };
    let cases = cases(dir.join("jinja_cases.json"));
    let mut failures = Vec::new();
    for case in &cases {
        let variables = before(case["name"].as_str().unwrap()).unwrap_or_else(|| case["vars"].clone());
        let (template, expected) = (case["template"].as_str().unwrap(), case["expect"].as_str().unwrap());
        let found = render(template, object(&variables));
        if found.as_deref() != Ok(expected) {
            failures.push(format!(
                "{}: {template:?} with {variables}\n  got      {found:?}\n  expected {expected:?}",
                case["name"]
            ));
        }
    }
    println!("jinja_cases: {} of {} equal", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn renderings_of_real_templates() {
    let Some(dir) = chat_dir() else { return };
    let cases = cases(dir.join("rendered.json"));
    let mut failures = Vec::new();
    for case in &cases {
        let name = case["template"].as_str().unwrap();
        let template = std::fs::read_to_string(dir.join("templates").join(format!("{name}.jinja"))).unwrap();
        let found = render(&template, object(&case["vars"]));
        let equal = match (&found, case["expect"].as_str()) {
            (Ok(found), Some(expected)) => found == expected,
            (Err(_), None) => true,
            _ => false,
        };
        if !equal {
            failures.push(format!(
                "{name} {}\n  got      {found:?}\n  expected {} {}",
                case["conversation"], case["expect"], case["error"]
            ));
        }
    }
    println!("rendered: {} of {} equal", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn llama_cpp_cases() {
    let Some(dir) = chat_dir() else { return };
    let cases = cases(dir.join("llama_cpp_cases.json"));
    let (mut equal, mut failures) = (0, Vec::new());
    for case in &cases {
        if case["jinja"] == false {
            // Its expectation is that of a hard-coded format, with tokens that the template is not given.
            println!("not a case for templates: {}", case["name"]);
            continue;
        }
        let messages: Vec<Message> = case["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                Message::new(message["role"].as_str().unwrap(), message["content"].as_str().unwrap())
            })
            .collect();
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let template = ChatTemplate::new(text("template"), text("bos_token"), text("eos_token")).unwrap();
        let options = RenderOptions { add_generation_prompt: true, ..RenderOptions::default() };
        let found = template.render(&messages, &options).map(|rendered| rendered.text());
        if found.as_deref() == Ok(text("expected_jinja")) {
            equal += 1;
        } else {
            failures.push(format!(
                "{} agrees {}\n  got      {found:?}\n  expected {}",
                case["name"], case["python_jinja2_agrees"], case["expected_jinja"]
            ));
        }
    }
    println!("llama_cpp_cases: {equal} of {} equal", cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
