//! Rewrites JSON schemas into what `llguidance` supports. A text that meets the rewritten schema meets the original one; the reverse
//! need not hold. One case is not excluded: alternatives of a `oneOf` that are references, and overlap only where a format was narrowed.

use serde_json::{Map, Value, json};

use crate::pattern;
use crate::references::{self, NAMED, NESTED};

/// Keywords whose value is a count.
const COUNTS: [&str; 8] = [
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
];

/// Formats that `llguidance` supports.
const KNOWN: [&str; 10] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];
/// Other formats of JSON Schema, each with a format of this file that is a subset of it.
const NARROWER: [(&str, &str); 5] = [
    ("idn-email", "email"),
    ("idn-hostname", "hostname"),
    ("iri", "uri"),
    ("iri-reference", "uri-reference"),
    ("uri-template", "uri"),
];
/// Other formats of JSON Schema, each with a pattern for a subset of it.
const BY_PATTERN: [(&str, &str); 3] = [
    ("json-pointer", "^(?:/(?:[^~/]|~[01])*)*$"),
    ("relative-json-pointer", "^(?:0|[1-9][0-9]{0,3})(?:#|(?:/(?:[^~/]|~[01])*)*)$"),
    ("uri-reference", r"^(?:[/?#]?[A-Za-z0-9_~\-]+)?(?:[/?#][A-Za-z0-9_.~\-]+)*$"),
];
/// Patterns for rules that validators check and `llguidance` does not: no leap seconds, host labels of at most 63 characters.
const STRICTER: [(&str, &str); 5] = [
    (
        "date",
        r"^(?:.{4}-(?:0[^2]|1.)|.{4}-02-(?:[01].|2[0-8])|(?:..(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
    ),
    (
        "date-time",
        r"^(?=(?:.{4}-(?:0[^2]|1.)|.{4}-02-(?:[01].|2[0-8])|(?:..(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)).*:[0-5][0-9]:[0-5][0-9](?:\.|[zZ+\-])",
    ),
    ("email", r"^(?=.{3,254}$)[^@]{1,64}@(?:[^.]{1,63}\.)*[^.]{1,63}$"),
    // Labels with hyphens in the third and fourth place are encoded names.
    (
        "hostname",
        r"^(?=.{1,253}$)(?:(?:[^.]{1,3}|[^.]{2}[^.\-][^.]+|[^.]{3}[^.\-][^.]*)\.)*(?:[^.]{1,3}|[^.]{2}[^.\-][^.]+|[^.]{3}[^.\-][^.]*)$",
    ),
    ("time", r":[0-5][0-9]:[0-5][0-9](?:\.|[zZ+\-])"),
];

/// The largest limit that `llguidance` supports for numbers that are not integers.
const LIMIT_MAX: f64 = 1e15;

/// Rewrites a schema and all schemas in it. The caller bounds the nesting.
pub(crate) fn prepare(schema: &mut Value) {
    references::resolve(schema);
    rewrite(schema, true);
}

/// `may_narrow` is false where a schema must not match: a subset there would let more texts through.
fn rewrite(schema: &mut Value, may_narrow: bool) {
    let Value::Object(schema) = schema else { return };
    for (key, part) in schema.iter_mut() {
        let key = key.as_str();
        let may_narrow = may_narrow && !matches!(key, "oneOf" | "not" | "if");
        match part {
            Value::Object(parts) if NAMED.contains(&key) => {
                parts.values_mut().for_each(|part| rewrite(part, may_narrow));
            }
            Value::Array(parts) if NESTED.contains(&key) => {
                parts.iter_mut().for_each(|part| rewrite(part, may_narrow));
            }
            part if NESTED.contains(&key) => rewrite(part, may_narrow),
            _ => {}
        }
    }
    drop_empty(schema);
    names(schema);
    if may_narrow {
        limits(schema);
    }
    let mut patterns = strings(schema, may_narrow);
    if patterns.len() == 1 {
        schema.insert("pattern".into(), patterns.remove(0).into());
    } else if !patterns.is_empty() {
        let all = schema.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.extend(patterns.into_iter().map(|pattern| json!({ "pattern": pattern })));
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("patternProperties") {
        let mut translated = Map::new();
        for (key, part) in std::mem::take(properties) {
            let mut patterns = pattern::split(&key);
            let new = if patterns.len() == 1 { patterns.remove(0) } else { key.clone() };
            // Two patterns may become one; both have to hold.
            let name = if translated.contains_key(&new) { key } else { new };
            translated.insert(name, part);
        }
        *properties = translated;
    }
}

/// Removes keywords that have no effect, and points of counts.
fn drop_empty(schema: &mut Map<String, Value>) {
    // A count may be written as 2.0.
    for key in COUNTS {
        let count =
            schema.get(key).and_then(Value::as_f64).filter(|count| count.fract() == 0.0 && *count >= 0.0);
        if let Some(count) = count {
            schema.insert(key.into(), (count as u64).into());
        }
    }
    let has_one = schema.get("maxItems").and_then(Value::as_u64).is_some_and(|count| count <= 1);
    if schema.get("uniqueItems").is_some_and(|is| *is == json!(false) || has_one) {
        schema.remove("uniqueItems");
    }
    let has_if = schema.contains_key("if");
    if !has_if || !schema.contains_key("then") && !schema.contains_key("else") {
        for key in ["if", "then", "else"] {
            schema.remove(key);
        }
    }
    if !schema.contains_key("contains") {
        schema.remove("minContains");
        schema.remove("maxContains");
    }
}

/// Removes a `propertyNames` that every name meets. A list or a pattern of names becomes `properties` or `patternProperties`, if the schema
/// has neither.
fn names(schema: &mut Map<String, Value>) {
    let Some(names) = schema.get("propertyNames") else { return };
    let names = match names {
        Value::Bool(true) => Map::new(),
        Value::Object(names) => names.clone(),
        _ => return,
    };
    let is_said = |key: &&str| !matches!(*key, "title" | "description" | "$comment" | "$schema" | "type");
    if names.get("type").is_some_and(|kind| kind != "string") {
        return;
    }
    let said: Vec<&str> = names.keys().map(String::as_str).filter(is_said).collect();
    if said.is_empty() {
        schema.remove("propertyNames");
        return;
    }
    if ["properties", "patternProperties", "unevaluatedProperties"]
        .iter()
        .any(|key| schema.contains_key(*key))
    {
        return;
    }
    let value = schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
    let (key, parts) = match (said.as_slice(), names.get(said[0])) {
        (["enum"], Some(Value::Array(list))) => {
            let names = list.iter().filter_map(|name| Some((name.as_str()?.to_owned(), value.clone())));
            ("properties", names.collect())
        }
        (["const"], Some(Value::String(name))) => ("properties", Map::from_iter([(name.clone(), value)])),
        (["pattern"], Some(Value::String(pattern))) => {
            ("patternProperties", Map::from_iter([(pattern.clone(), value)]))
        }
        _ => return,
    };
    schema.remove("propertyNames");
    schema.insert(key.into(), Value::Object(parts));
    schema.insert("additionalProperties".into(), Value::Bool(false));
}

/// Lowers limits that `llguidance` does not support.
fn limits(schema: &mut Map<String, Value>) {
    if schema.get("type").is_some_and(|kind| kind == "integer") {
        return;
    }
    for (key, limit) in [
        ("minimum", -LIMIT_MAX),
        ("exclusiveMinimum", -LIMIT_MAX),
        ("maximum", LIMIT_MAX),
        ("exclusiveMaximum", LIMIT_MAX),
    ] {
        if let Some(own) = schema.get(key).and_then(Value::as_f64)
            && own.abs() > LIMIT_MAX
            && own.is_sign_negative() == limit.is_sign_negative()
        {
            schema.insert(key.into(), (limit as i64).into());
        }
    }
}

/// Removes `pattern`, and `format` unless `llguidance` supports it. Returns the patterns that stand for both.
fn strings(schema: &mut Map<String, Value>, may_narrow: bool) -> Vec<String> {
    let of = |list: &[(&str, &'static str)], name: &str| {
        list.iter().find(|(known, _)| *known == name).map(|(_, other)| *other)
    };
    let mut patterns = Vec::new();
    if let Some(Value::String(own)) = schema.get("pattern") {
        patterns = pattern::split(own);
        schema.remove("pattern");
    }
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return patterns };
    let narrower = of(&NARROWER, format).unwrap_or(format).to_owned();
    let pattern = of(&BY_PATTERN, &narrower);
    if !may_narrow && (narrower != format || pattern.is_some()) {
        return patterns;
    }
    if let Some(pattern) = pattern {
        patterns.push(pattern.into());
        schema.remove("format");
        return patterns;
    }
    // A name that JSON Schema does not define is an annotation. `regex` is defined and not supported: it stays, and is refused.
    if !KNOWN.contains(&narrower.as_str()) && narrower != "regex" {
        schema.remove("format");
        return patterns;
    }
    if may_narrow {
        patterns.extend(of(&STRICTER, &narrower).map(pattern::split).unwrap_or_default());
    }
    schema.insert("format".into(), narrower.into());
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_left_out_and_names_are_those_that_are_known() {
        let limit = LIMIT_MAX as i64;
        let rows = [
            (json!({ "uniqueItems": false, "minContains": 2 }), json!({})),
            (json!({ "uniqueItems": true, "maxItems": 1 }), json!({ "maxItems": 1 })),
            (json!({ "uniqueItems": true }), json!({ "uniqueItems": true })),
            (json!({ "if": {} }), json!({})),
            (json!({ "if": {}, "else": {} }), json!({ "if": {}, "else": {} })),
            (json!({ "propertyNames": { "type": "string", "title": "key" } }), json!({})),
            (
                json!({ "propertyNames": { "enum": ["a"] }, "additionalProperties": { "format": "x" } }),
                json!({ "properties": { "a": {} }, "additionalProperties": false }),
            ),
            (
                json!({ "propertyNames": { "pattern": "[a]" }, "properties": {} }),
                json!({ "propertyNames": { "pattern": "[a]" }, "properties": {} }),
            ),
            (json!({ "format": "int32", "type": "integer" }), json!({ "type": "integer" })),
            (json!({ "format": "regex" }), json!({ "format": "regex" })),
            (json!({ "format": "iri" }), json!({ "format": "uri" })),
            (json!({ "format": "iri-reference" }), json!({ "pattern": BY_PATTERN[2].1 })),
            (json!({ "pattern": "[a-]" }), json!({ "pattern": "[a\\-]" })),
            (
                json!({ "pattern": "^(?=a)b" }),
                json!({ "allOf": [{ "pattern": "^(?:a)" }, { "pattern": "^b" }] }),
            ),
            (json!({ "maximum": 1e300, "minimum": -2 }), json!({ "maximum": limit, "minimum": -2 })),
            (json!({ "minimum": 1e18 }), json!({ "minimum": 1e18 })),
            (
                json!({ "oneOf": [{ "format": "iri" }, { "maximum": 1e300 }, { "format": "x" }] }),
                json!({ "oneOf": [{ "format": "iri" }, { "maximum": 1e300 }, {}] }),
            ),
            // Names of properties and constants are not keywords.
            (json!({ "properties": { "format": true } }), json!({ "properties": { "format": true } })),
            (json!({ "const": { "format": "x" } }), json!({ "const": { "format": "x" } })),
            (json!({ "anyOf": [{ "format": "x" }, true] }), json!({ "anyOf": [{}, true] })),
            (
                json!({ "patternProperties": { "[a-]": { "format": "x" } } }),
                json!({ "patternProperties": { "[a\\-]": {} } }),
            ),
        ];
        for (mut schema, want) in rows {
            let before = schema.to_string();
            prepare(&mut schema);
            assert_eq!(schema, want, "{before}");
        }
    }
}
