//! Formats as requests state them.

use std::borrow::Cow;

use llguidance::api::TopLevelGrammar;
use llguidance::regex_to_lark;
use serde_json::{Map, Value, json};

use crate::calls::{self, Kind};
use crate::fault::Fault;
use crate::{counts, pattern, schema};

/// Longest JSON schema, in bytes.
pub const SCHEMA_BYTES_MAX: usize = 1 << 20;
/// Longest regular expression, in bytes.
pub const PATTERN_BYTES_MAX: usize = 1 << 16;
/// Longest grammar, in bytes.
pub const GRAMMAR_BYTES_MAX: usize = 1 << 18;
/// Deepest nesting of a schema, and of brackets in a regular expression or a grammar.
pub const DEPTH_MAX: usize = 64;

/// Most remainders of all divisors of a schema together: each is a state of the lexer, and none of its limits counts them.
const REMAINDERS_MAX: u64 = 10_000;
/// Largest divisor, without its decimal point, and most digits behind that: remainders have 32 bits.
const DIVISOR_MAX: f64 = 4e8;
const DECIMALS_MAX: u32 = 8;

/// White space between the parts of a JSON text. It is bounded: a model may otherwise write spaces without end.
pub(crate) const WHITE_SPACE: &str = r"[ ]|\r?\n[ \t]{0,40}";

/// What a text has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON object.
    Json,
    /// JSON that meets a schema.
    JsonSchema,
    /// A text that a regular expression matches as a whole.
    Regex,
    /// A text of a grammar in `llguidance`'s variant of Lark's syntax.
    Lark,
    /// Calls of tools, or text and calls. The worker alone asks for it.
    ToolCalls,
}

impl Format {
    /// By its name in the protocol.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "json" => Some(Self::Json),
            "jsonSchema" => Some(Self::JsonSchema),
            "regex" => Some(Self::Regex),
            "lark" => Some(Self::Lark),
            "toolCalls" => Some(Self::ToolCalls),
            _ => None,
        }
    }

    /// How deep it is nested.
    fn deepest(self, text: &str) -> usize {
        match self {
            Self::Json => 0,
            Self::JsonSchema => deepest_of_schema(text),
            Self::ToolCalls => {
                let list: Vec<String> = serde_json::from_str(text).unwrap_or_default();
                list.iter().map(|text| deepest_of_schema(text)).max().unwrap_or(0)
            }
            Self::Regex | Self::Lark => brackets(text),
        }
    }

    /// Its grammar. `text` is the schema, the regular expression or the grammar.
    pub(crate) fn grammar(self, text: &str, kind_of: &dyn Fn(u32) -> Kind) -> Result<TopLevelGrammar, Fault> {
        let bytes_max = match self {
            Self::Json | Self::JsonSchema | Self::ToolCalls => SCHEMA_BYTES_MAX,
            Self::Regex => PATTERN_BYTES_MAX,
            Self::Lark => GRAMMAR_BYTES_MAX,
        };
        if text.len() > bytes_max {
            let why = format!("the format has {} bytes; at most {bytes_max} are allowed", text.len());
            return Err(Fault::TooComplex(why));
        }
        if self.deepest(text) > DEPTH_MAX {
            return Err(Fault::TooComplex(format!("the format is nested more than {DEPTH_MAX} times")));
        }
        if !has_few_remainders(text) {
            return Err(Fault::TooComplex("the divisors of \"multipleOf\" are too large".into()));
        }
        match self {
            Self::Json => schema_grammar(json!({ "type": "object" })),
            Self::JsonSchema => {
                let schema = serde_json::from_str(text)
                    .map_err(|error| Fault::Invalid(format!("the schema is no JSON: {error}")))?;
                schema_grammar(schema)
            }
            // As JavaScript and JSON Schema read them: \d and \w are ASCII.
            Self::Regex => {
                counts::check_pattern(text)?;
                let pattern = regex_to_lark(&pattern::translate(unanchored(text)), "dw");
                Ok(TopLevelGrammar::from_lark(format!("start: /{pattern}/")))
            }
            Self::Lark => {
                counts::check_grammar(text)?;
                Ok(TopLevelGrammar::from_lark(text.to_owned()))
            }
            Self::ToolCalls => {
                for (name, schema) in calls::schemas(text) {
                    counts::check_schema(&schema).map_err(|fault| fault.of_tool(&name))?;
                }
                Ok(TopLevelGrammar::from_lark(calls::grammar(text, kind_of)?))
            }
        }
    }
}

pub(crate) fn schema_grammar(mut schema: Value) -> Result<TopLevelGrammar, Fault> {
    counts::check_schema(&schema)?;
    schema::prepare(&mut schema);
    let mut schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(true) => Map::new(),
        Value::Bool(false) => return Err(Fault::Invalid("no text meets the schema false".into())),
        _ => return Err(Fault::Invalid("a schema is an object or a boolean".into())),
    };
    schema.entry("x-guidance").or_insert_with(|| json!({ "whitespace_pattern": WHITE_SPACE }));
    Ok(TopLevelGrammar::from_json_schema(Value::Object(schema)))
}

/// How deep a schema is nested, or the brackets of a pattern in it.
fn deepest_of_schema(text: &str) -> usize {
    match serde_json::from_str(text) {
        Ok(schema) => depth(&schema),
        // What is no JSON is refused later.
        Err(error) if error.to_string().contains("recursion") => usize::MAX,
        Err(_) => 0,
    }
}

fn depth(value: &Value) -> usize {
    let inside = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| match value {
                Value::String(pattern) if key == "pattern" => brackets(pattern),
                // A key may be a pattern.
                value => depth(value).max(brackets(key)),
            })
            .max(),
        _ => return 0,
    };
    inside.unwrap_or(0) + 1
}

/// How deep brackets are nested, at most.
fn brackets(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Whether the divisors of a schema, also of one in a grammar, are small enough. A factor of 2 or 5 takes few states.
fn has_few_remainders(text: &str) -> bool {
    let mut all = 1;
    let mut text = Cow::Borrowed(text);
    // A key may be written with escapes.
    if text.contains("\\u00") {
        for letter in ('A'..='Z').chain('a'..='z') {
            let code = u32::from(letter);
            for escape in [format!("\\u00{code:02x}"), format!("\\u00{code:02X}")] {
                if text.contains(&escape) {
                    text = text.replace(&escape, letter.encode_utf8(&mut [0; 4])).into();
                }
            }
        }
    }
    for behind in text.split("\"multipleOf\"").skip(1) {
        let number = behind.trim_start_matches([' ', '\t', '\r', '\n', ':', '-']);
        let end = number.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c));
        // What is no number is refused later.
        let Ok(mut divisor) = number[..end.unwrap_or(number.len())].parse::<f64>() else { continue };
        let mut decimals = 0;
        while divisor.fract() != 0.0 && decimals <= DECIMALS_MAX {
            (divisor, decimals) = (divisor * 10.0, decimals + 1);
        }
        if divisor > DIVISOR_MAX || decimals > DECIMALS_MAX {
            return false;
        }
        let mut rest = (divisor as u64).max(1);
        for factor in [2, 5] {
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        all *= rest / common_divisor(all, rest);
        if all > REMAINDERS_MAX {
            return false;
        }
    }
    true
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// Without `^` at the beginning and `$` at the end: the whole text has to match anyway.
fn unanchored(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let Some(inner) = pattern.strip_suffix('$') else { return pattern };
    let escapes = inner.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if escapes % 2 == 0 { inner } else { pattern }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_bounded() {
        let schema = |divisors: &[&str]| {
            let part = |divisor: &&str| format!("{{\"multipleOf\" : {divisor}}}");
            format!("[{}]", divisors.iter().map(part).collect::<Vec<_>>().join(","))
        };
        for few in
            [&["0.01", "1000000", "60", "7", "1e3"][..], &["0"], &["-5"], &["{}"], &["9973"], &["1e-8"]]
        {
            assert!(has_few_remainders(&schema(few)), "{few:?}");
        }
        for many in
            [&["999983"][..], &["99.7", "1e1", "983"], &["4294967291"], &["1e-9"], &["1e300"], &["5e-324"]]
        {
            assert!(!has_few_remainders(&schema(many)), "{many:?}");
        }
    }

    #[test]
    fn an_escaped_key_is_a_key() {
        assert!(!has_few_remainders(r#"{"\u006dultipl\u0065O\u0066":999983}"#));
        assert!(!has_few_remainders(r#"{"\u006Dultiple\u004Ff":999983}"#));
        assert!(has_few_remainders(r#"{"\u006dultipleOf":7}"#));
    }

    #[test]
    fn brackets_in_texts_are_not_nesting() {
        let brackets = "([{".repeat(DEPTH_MAX);
        for key in ["title", "description", "default", "const", "$comment"] {
            let schema = format!(r#"{{"type":"object","{key}":"{brackets}"}}"#);
            assert_eq!(Format::JsonSchema.deepest(&schema), 1, "{key}");
            let tools = Value::from(vec!["", &*schema, "strict"]).to_string();
            assert_eq!(Format::ToolCalls.deepest(&tools), 1, "{key}");
        }
        let groups = "(".repeat(DEPTH_MAX + 1);
        for deep in [
            format!(r#"{{"pattern":"{groups}"}}"#),
            format!(r#"{{"patternProperties":{{"{groups}":true}}}}"#),
            format!(r#"{{"enum":{}{}}}"#, "[".repeat(100), "]".repeat(100)),
            format!(r#"{{"enum":{}{}}}"#, "[".repeat(1000), "]".repeat(1000)),
        ] {
            assert!(Format::JsonSchema.deepest(&deep) > DEPTH_MAX, "{deep}");
        }
        assert!(Format::Regex.deepest(&groups) > DEPTH_MAX);
    }

    #[test]
    fn anchors_are_left_out() {
        let rows = [("^a+$", "a+"), ("a", "a"), (r"a\$", r"a\$"), (r"a\\$", r"a\\"), ("^", ""), ("$", "")];
        for (pattern, want) in rows {
            assert_eq!(unanchored(pattern), want, "{pattern}");
        }
    }
}
