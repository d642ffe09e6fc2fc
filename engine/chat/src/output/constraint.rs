//! What a grammar has to know to hold an answer to calls of tools.

use super::format::{NONE, OutputFormat, Shape, Tool};
use super::parser::OutputParser;
use serde_json::Value as Json;

/// Control tokens of forms whose markers are no data.
const HARMONY: [&str; 5] = ["<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|constrain|>"];
const QUOTE: &str = "<|\"|>";

/// What is asked of an answer.
#[derive(Debug, Clone, Copy)]
pub struct CallRules<'a> {
    /// What may be called.
    pub tools: &'a [Tool],
    /// Whose arguments meet their schema whenever they are called.
    pub strict: &'a [&'a str],
    /// The answer is a call of one of these tools; it may be text where absent.
    pub must: Option<&'a [String]>,
    /// One call at most.
    pub single: bool,
    /// The prompt ends inside of reasoning.
    pub begun: bool,
    /// The model may reason before it calls.
    pub thinks: bool,
}

impl OutputParser {
    /// What may be called.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Whether what comes next is reasoning.
    pub fn is_reasoning(&self) -> bool {
        self.is_reasoning
    }
}

impl OutputFormat {
    /// The markers and the shape of calls, as a list of texts.
    fn parts(&self) -> Vec<&str> {
        let calls = self.calls.as_ref();
        let pairs = [
            self.reasoning.as_ref().unwrap_or(&NONE),
            self.content.as_ref().unwrap_or(&NONE),
            calls.map_or(&NONE, |calls| &calls.section),
            calls.map_or(&NONE, |calls| &calls.call),
        ];
        let mut parts: Vec<&str> = pairs.into_iter().flatten().map(String::as_str).collect();
        match calls.map(|calls| &calls.shape) {
            None => {}
            Some(Shape::Object { name, arguments, id }) => parts.extend(["object", name, arguments, id]),
            Some(Shape::Named { id, name_end }) => parts.extend(["named", id, name_end]),
            Some(Shape::Tagged { name_end, key, value_end }) => {
                parts.extend(["tagged", name_end, &key[0], &key[1], value_end]);
            }
            Some(Shape::Literal { bracket }) => {
                parts.extend(["literal", if *bracket == '(' { "(" } else { "{" }, QUOTE]);
            }
            Some(Shape::Harmony) => {
                parts.push("harmony");
                parts.extend(HARMONY);
            }
        }
        parts
    }

    /// The rules for the crate `pith-grammar`, as a JSON list of texts: flags; the form, behind the number of its texts; special tokens
    /// that it may have, with their ids, behind the number of these texts; then of each tool its name, its schema as JSON text, and
    /// "strict" or nothing. `special_texts` are the texts of special tokens, and `id_of` gives their ids.
    pub fn constraint<'a>(
        &self,
        rules: &CallRules,
        special_texts: &mut dyn Iterator<Item = &'a str>,
        id_of: &dyn Fn(&str) -> Option<u32>,
    ) -> String {
        let form = self.parts();
        let mut specials = Vec::new();
        for text in special_texts {
            if !text.is_empty() && form.iter().any(|part| part.contains(text)) {
                specials.extend([text.to_owned(), id_of(text).unwrap_or_default().to_string()]);
            }
        }
        let flags = [
            (rules.must.is_some(), "must "),
            (rules.single, "single "),
            (rules.begun, "begun "),
            (rules.thinks, "thinks "),
        ];
        let mut list = vec![String::new(), form.len().to_string()];
        for (is_set, name) in flags {
            list[0].push_str(if is_set { name } else { "" });
        }
        list.extend(form.into_iter().map(str::to_owned));
        list.push(specials.len().to_string());
        list.append(&mut specials);
        for tool in rules.tools {
            let strict =
                rules.must.map_or(rules.strict.contains(&&*tool.name), |must| must.contains(&tool.name));
            if strict || rules.must.is_none() {
                list.extend([tool.name.clone(), tool.parameters.to_string()]);
                list.push(if strict { "strict" } else { "" }.to_owned());
            }
        }
        Json::from(list).to_string()
    }
}
