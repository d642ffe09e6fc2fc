//! JSON schemas as `llguidance` takes them: what it does not know and what says nothing is left out, what it knows by another name
//! gets that. A text that meets what comes of a schema meets the schema.

use serde_json::{Map, Value, json};

use crate::pattern;

/// Schemas under these keys, by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// A schema under each of these keys, or a list of them.
const NESTED: [&str; 13] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
];

/// Formats of JSON Schema that `llguidance` has.
const KNOWN: [&str; 10] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];
/// Others of JSON Schema, by one whose texts are among theirs.
const NARROWER: [(&str, &str); 4] =
    [("idn-email", "email"), ("idn-hostname", "hostname"), ("iri", "uri"), ("uri-template", "uri")];
/// And by patterns.
const BY_PATTERN: [(&str, &str); 4] = [
    ("iri-reference", r"^(?:[/?#]?[A-Za-z0-9_~\-]+)?(?:[/?#][A-Za-z0-9_.~\-]+)*$"),
    ("json-pointer", "^(?:/(?:[^~/]|~[01])*)*$"),
    ("relative-json-pointer", "^(?:0|[1-9][0-9]{0,3})(?:#|(?:/(?:[^~/]|~[01])*)*)$"),
    ("uri-reference", r"^(?:[/?#]?[A-Za-z0-9_~\-]+)?(?:[/?#][A-Za-z0-9_.~\-]+)*$"),
];
/// What validators ask of these formats beside their patterns in `llguidance`: no leap seconds, labels of at most 63 letters.
const STRICTER: [(&str, &str); 4] = [
    ("date-time", r":[0-5][0-9]:[0-5][0-9](?:\.|[zZ+\-])"),
    ("email", r"^(?=.{3,254}$)[^@]{1,64}@(?:[^.]{1,63}\.)*[^.]{1,63}$"),
    ("hostname", "^.{1,253}$"),
    ("time", r":[0-5][0-9]:[0-5][0-9](?:\.|[zZ+\-])"),
];

/// Of numbers that are not integers: beyond it `llguidance` knows no limits.
const LIMIT_MAX: f64 = 1e15;

/// Rewrites a schema and those in it. Its nesting is bounded.
pub(crate) fn prepare(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    for (key, part) in schema.iter_mut() {
        match part {
            Value::Object(parts) if NAMED.contains(&key.as_str()) => parts.values_mut().for_each(prepare),
            Value::Array(parts) if NESTED.contains(&key.as_str()) => parts.iter_mut().for_each(prepare),
            part if NESTED.contains(&key.as_str()) => prepare(part),
            _ => {}
        }
    }
    drop_empty(schema);
    names(schema);
    limits(schema);
    let mut patterns = strings(schema);
    if patterns.len() == 1 {
        schema.insert("pattern".into(), patterns.remove(0).into());
    } else if !patterns.is_empty() {
        let all = schema.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.extend(patterns.into_iter().map(|pattern| json!({ "pattern": pattern })));
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("patternProperties") {
        let translated = std::mem::take(properties).into_iter().map(|(key, part)| {
            let mut patterns = pattern::split(&key);
            (if patterns.len() == 1 { patterns.remove(0) } else { key }, part)
        });
        *properties = translated.collect();
    }
}

/// Leaves out what says nothing.
fn drop_empty(schema: &mut Map<String, Value>) {
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

/// Names of properties: what any name meets is left out; a list or a pattern of names becomes properties, where there are no others.
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

/// Lowers limits that are beyond those of `llguidance`, where something is left between them.
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

/// Patterns of texts, of the format too; takes both out, but for a format that `llguidance` has.
fn strings(schema: &mut Map<String, Value>) -> Vec<String> {
    let of = |list: &[(&str, &'static str)], name: &str| {
        list.iter().find(|(known, _)| *known == name).map(|(_, other)| *other)
    };
    let mut patterns = Vec::new();
    if let Some(Value::String(own)) = schema.get("pattern") {
        patterns = pattern::split(own);
        schema.remove("pattern");
    }
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return patterns };
    if let Some(pattern) = of(&BY_PATTERN, format) {
        patterns.push(pattern.into());
        schema.remove("format");
        return patterns;
    }
    let narrower = of(&NARROWER, format).unwrap_or(format).to_owned();
    // `regex` cannot be had. What JSON Schema does not name is an annotation.
    if !KNOWN.contains(&narrower.as_str()) && narrower != "regex" {
        schema.remove("format");
        return patterns;
    }
    patterns.extend(of(&STRICTER, &narrower).map(pattern::split).unwrap_or_default());
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
            (json!({ "pattern": "[a-]" }), json!({ "pattern": "[a\\-]" })),
            (
                json!({ "pattern": "^(?=a)b" }),
                json!({ "allOf": [{ "pattern": "^(?:a)" }, { "pattern": "^b" }] }),
            ),
            (json!({ "maximum": 1e300, "minimum": -2 }), json!({ "maximum": limit, "minimum": -2 })),
            (json!({ "minimum": 1e18 }), json!({ "minimum": 1e18 })),
            // A property, a value and a constant are no keywords.
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
