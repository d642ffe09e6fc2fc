//! Limits on how many parts a format has. What is compiled grows faster than its text does, and nothing in `llguidance` counts these.

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::references::{NAMED, NESTED};

/// Most names in `properties` and `patternProperties` of a schema, names in `required`, and values in `enum`.
const NAMES_MAX: usize = 5_000;
/// Most characters that patterns stand for, repetitions counted as often as they may occur.
const STATES_MAX: u64 = 20_000;
/// The same for a grammar, which has words beside its patterns.
const GRAMMAR_STATES_MAX: u64 = 1 << 18;
/// Most patterns that have to hold together, times the characters that they stand for.
const TOGETHER_MAX: u64 = 10_000;
/// Most rules of a grammar.
const RULES_MAX: usize = 1_500;

/// What a schema has.
#[derive(Debug, Default)]
struct Counts {
    properties: usize,
    required: usize,
    values: usize,
    states: u64,
}

/// Refuses a schema with too many parts.
///
/// # Errors
/// `TooComplex`, with the part and the figure.
pub(crate) fn check_schema(schema: &Value) -> Result<(), Fault> {
    let mut counts = Counts::default();
    counts.add(schema)?;
    let Counts { properties, required, values, states } = counts;
    bounded("names in \"properties\"", properties as u64, NAMES_MAX as u64)?;
    bounded("names in \"required\"", required as u64, NAMES_MAX as u64)?;
    bounded("values in \"enum\"", values as u64, NAMES_MAX as u64)?;
    bounded("characters in patterns, repetitions counted", states, STATES_MAX)
}

/// The same for a regular expression.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), Fault> {
    bounded("characters, repetitions counted", states(pattern), STATES_MAX)
}

/// The same for a grammar.
pub(crate) fn check_grammar(grammar: &str) -> Result<(), Fault> {
    let is_rule = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic() || "_?!".contains(c));
    bounded("rules", grammar.lines().map(str::trim_start).filter(is_rule).count() as u64, RULES_MAX as u64)?;
    bounded("characters, repetitions counted", states(grammar), GRAMMAR_STATES_MAX)
}

fn bounded(what: &str, count: u64, most: u64) -> Result<(), Fault> {
    if count <= most {
        return Ok(());
    }
    Err(Fault::TooComplex(format!("the format has {count} {what}; at most {most} are allowed")))
}

impl Counts {
    fn add(&mut self, schema: &Value) -> Result<(), Fault> {
        let Value::Object(schema) = schema else { return Ok(()) };
        let (mut patterns, mut states_together) = (0, 0);
        together(schema, &mut patterns, &mut states_together);
        if patterns > 1 {
            let what = "patterns that hold together, times their characters";
            bounded(what, patterns * states_together, TOGETHER_MAX)?;
        }
        for (key, part) in schema {
            match (key.as_str(), part) {
                ("pattern", Value::String(pattern)) => self.add_states(pattern),
                ("required", Value::Array(names)) => self.required += names.len(),
                ("enum", Value::Array(values)) => self.values += values.len(),
                (key, Value::Object(parts)) if NAMED.contains(&key) => {
                    if matches!(key, "properties" | "patternProperties") {
                        self.properties += parts.len();
                    }
                    for (name, part) in parts {
                        if key == "patternProperties" {
                            self.add_states(name);
                        }
                        self.add(part)?;
                    }
                }
                (key, Value::Array(parts)) if NESTED.contains(&key) => {
                    parts.iter().try_for_each(|part| self.add(part))?;
                }
                (key, part) if NESTED.contains(&key) => self.add(part)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn add_states(&mut self, pattern: &str) {
        self.states = self.states.saturating_add(states(pattern));
    }
}

/// Counts the patterns of a schema and of all in its `allOf`, which hold for one text.
fn together(schema: &Map<String, Value>, patterns: &mut u64, states_together: &mut u64) {
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        *patterns += 1;
        *states_together = states_together.saturating_add(states(pattern)).min(u64::from(u32::MAX));
    }
    let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    for part in all.filter_map(Value::as_object) {
        together(part, patterns, states_together);
    }
}

/// The characters that a pattern stands for, at most.
fn states(pattern: &str) -> u64 {
    let mut chars = pattern.chars().peekable();
    // Of the groups that are open: what they have so far. Then the last part alone, which a repetition repeats.
    let (mut open, mut total, mut last) = (Vec::new(), 0_u64, 0_u64);
    while let Some(c) = chars.next() {
        match c {
            '(' => open.push(std::mem::take(&mut total)),
            ')' => {
                last = total;
                total = open.pop().unwrap_or(0_u64).saturating_add(last);
            }
            '{' => {
                let mut numbers = [String::new(), String::new()];
                let mut at = 0;
                while let Some(c) = chars.next_if(|c| c.is_ascii_digit() || *c == ',') {
                    if c == ',' { at = 1 } else { numbers[at].push(c) }
                }
                let number = |text: &String| text.parse::<u64>().ok();
                if let Some(times) = number(&numbers[1]).or_else(|| number(&numbers[0])) {
                    let repeated = last.saturating_mul(times.max(1));
                    total = total.saturating_add(repeated - last);
                    last = repeated;
                }
            }
            '[' => {
                let mut is_escaped = false;
                for c in chars.by_ref() {
                    if c == ']' && !is_escaped {
                        break;
                    }
                    is_escaped = c == '\\' && !is_escaped;
                }
                (total, last) = (total.saturating_add(1), 1);
            }
            '*' | '+' | '?' | '|' | '}' => {}
            _ => {
                if c == '\\' {
                    chars.next();
                }
                (total, last) = (total.saturating_add(1), 1);
            }
        }
    }
    open.into_iter().fold(total, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn repetitions_are_counted() {
        let rows = [
            ("abc", 3),
            ("[a-z]{3}", 3),
            ("a{2,5}b", 6),
            ("(ab){10}", 20),
            ("((a{10}){10}){10}", 1_000),
            (r"\{a{,}", 2),
            (r"[\]}]{4,}", 4),
            ("a{99999999999999999999}", 1),
            ("(a{4000000000}){4000000000}{4000000000}", u64::MAX),
        ];
        for (pattern, want) in rows {
            assert_eq!(states(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn each_limit_names_itself_and_the_figure() {
        let names = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
        let object = |count: usize| Value::from_iter(names(count).into_iter().map(|name| (name, json!({}))));
        let patterns = |count: usize| vec![json!({ "pattern": "^.*abc.*$" }); count];
        let rows = [
            (json!({ "properties": object(5_001) }), Some("5001 names in \"properties\"")),
            (json!({ "properties": object(5_000) }), None),
            (json!({ "required": names(60_000) }), Some("60000 names in \"required\"")),
            (json!({ "anyOf": [{ "enum": names(3_000) }, { "enum": names(2_001) }] }), Some("5001 values")),
            (json!({ "items": { "pattern": "(a{200}){200}" } }), Some("40000 characters in patterns")),
            (json!({ "patternProperties": { "(a{200}){200}": {} } }), Some("40000 characters in patterns")),
            (json!({ "allOf": patterns(60) }), Some("patterns that hold together")),
            (json!({ "allOf": [{ "allOf": patterns(60) }] }), Some("patterns that hold together")),
            (json!({ "allOf": patterns(6) }), None),
            (json!({ "pattern": "[a-z]{1,15000}" }), None),
        ];
        for (schema, want) in rows {
            let found = check_schema(&schema).err().map(|fault| fault.to_string());
            match (&found, want) {
                (Some(found), Some(want)) => assert!(found.contains(want), "{found}"),
                (found, want) => assert_eq!(found.as_deref(), want),
            }
        }
        let rules: String = (0..9_000).map(|at| format!("r{at}: \"a\"\n")).collect();
        assert!(check_grammar(&rules).unwrap_err().to_string().contains("9000 rules"));
        assert!(check_grammar("start: a+\na: \"x\"\n").is_ok());
        assert!(check_pattern("((a{99}){99}){99}").unwrap_err().to_string().contains("970299"));
    }
}
