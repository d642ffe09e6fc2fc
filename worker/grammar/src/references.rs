//! References of a schema as `llguidance` takes them: `#/...` from its root, without escapes. What they name may have an `$id` or an
//! `$anchor` of its own. A reference to another document is not changed, and is refused.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Keywords whose value is an object of schemas.
pub(crate) const NAMED: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords whose value is a schema or a list of schemas.
pub(crate) const NESTED: [&str; 13] = [
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
/// Drafts in which nothing counts beside `$ref`.
const REF_ALONE: [&str; 3] = ["draft-04/", "draft-06/", "draft-07/"];

/// Rewrites the references in a schema. The caller bounds the nesting.
pub(crate) fn resolve(schema: &mut Value) {
    let dialect = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    let ref_alone = REF_ALONE.iter().any(|draft| dialect.contains(draft));
    let mut places = HashMap::from([(String::new(), String::new())]);
    let mut has_references = false;
    visit(schema, "", &mut String::new(), ref_alone, &mut |schema, base, pointer| {
        has_references |= schema.contains_key("$ref");
        if base_of(schema, ref_alone).is_some() || pointer.is_empty() {
            places.entry(base.to_owned()).or_insert_with(|| pointer.to_owned());
        }
        let id = text(schema, "$id").and_then(|id| id.strip_prefix('#'));
        for anchor in ["$anchor", "$dynamicAnchor"].iter().filter_map(|key| text(schema, key)).chain(id) {
            places.entry(format!("{base}#{anchor}")).or_insert_with(|| pointer.to_owned());
        }
    });
    if !has_references {
        return;
    }
    let mut moved: Vec<String> = Vec::new();
    let written = schema.to_string();
    let prefix = (0..).map(|n| format!("ref{n}-")).find(|prefix| !written.contains(prefix.as_str()));
    let prefix = prefix.unwrap_or_default();
    visit(schema, "", &mut String::new(), ref_alone, &mut |schema, base, _| {
        let Some(target) = text(schema, "$ref").and_then(|own| target(own, base, &places)) else { return };
        if ref_alone {
            schema.retain(|key, _| matches!(key.as_str(), "$ref" | "$schema" | "$defs" | "definitions"));
        }
        // A name with a slash cannot be written: what it names gets another name.
        let reference = match target.contains("~1") {
            false => format!("#{}", unescaped(&target)),
            true => {
                let known = moved.iter().position(|own| *own == target);
                let number = known.unwrap_or_else(|| {
                    moved.push(target);
                    moved.len() - 1
                });
                format!("#/$defs/{prefix}{number}")
            }
        };
        schema.insert("$ref".into(), reference.into());
    });
    for (number, pointer) in moved.iter().enumerate() {
        let Some(copy) = schema.pointer(pointer).cloned() else { continue };
        let Value::Object(root) = schema else { return };
        let defs = root.entry("$defs").or_insert_with(|| Map::new().into());
        if let Value::Object(defs) = defs {
            defs.insert(format!("{prefix}{number}"), copy);
        }
    }
}

fn text<'a>(schema: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

/// What makes a schema a document of its own.
fn base_of(schema: &Map<String, Value>, ref_alone: bool) -> Option<&str> {
    let is_beside = ref_alone && schema.contains_key("$ref");
    text(schema, "$id").filter(|id| !id.starts_with('#') && !is_beside).map(|id| id.trim_end_matches('#'))
}

/// Takes a schema with its address and its path.
type Show<'a> = dyn FnMut(&mut Map<String, Value>, &str, &str) + 'a;

/// Shows every schema with the address of its document and the pointer to it.
fn visit(schema: &mut Value, base: &str, pointer: &mut String, ref_alone: bool, show: &mut Show<'_>) {
    let Value::Object(schema) = schema else { return };
    let own = base_of(schema, ref_alone).map(|id| join(base, id));
    let base = own.as_deref().unwrap_or(base);
    show(schema, base, pointer);
    let length = pointer.len();
    for (key, part) in schema.iter_mut() {
        pointer.push_str(&format!("/{}", escaped(key)));
        let inner = pointer.len();
        let mut part_of = |name: String, part: &mut Value| {
            pointer.push_str(&name);
            visit(part, base, pointer, ref_alone, show);
            pointer.truncate(inner);
        };
        match part {
            Value::Object(parts) if NAMED.contains(&key.as_str()) => {
                parts.iter_mut().for_each(|(name, part)| part_of(format!("/{}", escaped(name)), part));
            }
            Value::Array(parts) if NESTED.contains(&key.as_str()) => {
                parts.iter_mut().enumerate().for_each(|(at, part)| part_of(format!("/{at}"), part));
            }
            part if NESTED.contains(&key.as_str()) => part_of(String::new(), part),
            _ => {}
        }
        pointer.truncate(length);
    }
}

/// The pointer that a reference stands for; None where it is of another document.
fn target(reference: &str, base: &str, places: &HashMap<String, String>) -> Option<String> {
    let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let document = join(base, document);
    let fragment = decoded(fragment);
    if fragment.is_empty() || fragment.starts_with('/') {
        return Some(format!("{}{fragment}", places.get(&document)?));
    }
    places.get(&format!("{document}#{fragment}")).cloned()
}

/// An address as seen from another one.
fn join(base: &str, reference: &str) -> String {
    let scheme = |address: &str| {
        let end = address.find(':')?;
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        address[..end].chars().all(is_scheme).then_some(end + 1)
    };
    if reference.is_empty() {
        return base.to_owned();
    }
    if scheme(reference).is_some() {
        return reference.to_owned();
    }
    let scheme = scheme(base).unwrap_or(0);
    let host = base[scheme..]
        .strip_prefix("//")
        .map_or(scheme, |rest| scheme + 2 + rest.find('/').unwrap_or(rest.len()));
    if reference.starts_with("//") {
        return format!("{}{reference}", &base[..scheme]);
    }
    let folder = match base[host..].rfind('/') {
        _ if reference.starts_with('/') => "",
        Some(end) => &base[host..=host + end],
        None => "/",
    };
    let mut parts: Vec<&str> = Vec::new();
    let path = format!("{folder}{reference}");
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("{}/{}", &base[..host], parts.join("/"))
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescaped(pointer: &str) -> String {
    pointer.replace("~0", "~")
}

/// Without `%xx`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_pointers_from_the_root() {
        let number = json!({ "type": "integer" });
        let rows = [
            // What is referred to by its name, in several spellings.
            ("#/$defs/a~0b", json!({ "a~b": number }), "#/$defs/a~b"),
            ("#/$defs/a%20b", json!({ "a b": number }), "#/$defs/a b"),
            ("#/$defs/List%3Cint%3E", json!({ "List<int>": number }), "#/$defs/List<int>"),
            ("#/$defs/a~1b", json!({ "a/b": number }), "#/$defs/ref0-0"),
            ("#/$defs/a%2Fb~1c/d", json!({ "a": number }), "#/$defs/ref0-0"),
            ("https://x.example/s.json#/$defs/n", json!({ "n": number }), "#/$defs/n"),
            ("s.json#/$defs/n", json!({ "n": number }), "#/$defs/n"),
            ("/s.json#", json!({}), "#"),
            ("#whole", json!({ "n": { "$anchor": "whole" } }), "#/$defs/n"),
            ("part/n.json", json!({ "n": { "$id": "part/n.json" } }), "#/$defs/n"),
            ("./part/../n#m", json!({ "n": { "$id": "n", "items": { "$anchor": "m" } } }), "#/$defs/n/items"),
            ("urn:n:1#/items", json!({ "n": { "$id": "urn:n:1" } }), "#/$defs/n/items"),
            // Of another document.
            ("other.json", json!({}), "other.json"),
            ("#none", json!({ "n": { "enum": [{ "$anchor": "none" }] } }), "#none"),
        ];
        for (reference, defs, wanted) in rows {
            let mut schema =
                json!({ "$id": "https://x.example/s.json", "$defs": defs, "items": { "$ref": reference } });
            resolve(&mut schema);
            assert_eq!(schema["items"]["$ref"], wanted, "{reference}");
        }
    }

    #[test]
    fn references_in_a_document_of_its_own_are_seen_from_there() {
        let inner = json!({ "$id": "b", "$defs": { "c": {} }, "items": { "$ref": "#/$defs/c" } });
        let mut schema = json!({ "$defs": { "a": inner }, "$ref": "/b" });
        resolve(&mut schema);
        assert_eq!(schema["$ref"], "#/$defs/a");
        assert_eq!(schema["$defs"]["a"]["items"]["$ref"], "#/$defs/a/$defs/c");
        let old = "http://json-schema.org/draft-07/schema#";
        let mut schema = json!({ "$schema": old, "items": { "$ref": "#", "maxItems": 1, "$id": "x" } });
        resolve(&mut schema);
        assert_eq!(schema["items"], json!({ "$ref": "#" }));
    }
}
