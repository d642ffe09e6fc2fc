//! A suite of JSON schemas with valid and invalid instances, in the layout of JSON-Schema-Test-Suite: the files of the folder that
//! `PITH_SCHEMA_SUITE` names. Every schema is accepted or refused with a reason; the grammar of an accepted one writes every valid instance
//! and no invalid one. `PITH_SCHEMA_DRAFT` is the `$schema` of schemas without one. Skipped where the folder is not named.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{reference, tokenizer, vocabulary};
use pith_engine::tokenizer::Tokenizer;
use pith_grammar::{Format, Vocabulary};
use serde_json::Value;

/// Most orders of an instance's keys that are tried: a grammar writes keys in the order of its schema.
const ORDERS_MAX: usize = 5_040;

/// Texts of a value without white space, one for each order of keys.
fn texts(value: &Value) -> Vec<String> {
    let joined = |parts: Vec<Vec<String>>, [open, close]: [&str; 2]| {
        let mut all = vec![String::new()];
        for part in parts {
            let more = |begun: &String| {
                let comma = if begun.is_empty() { "" } else { "," };
                part.iter().map(|text| format!("{begun}{comma}{text}")).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).take(ORDERS_MAX).collect();
        }
        all.into_iter().map(|inside| format!("{open}{inside}{close}")).collect::<Vec<_>>()
    };
    match value {
        Value::Array(items) => joined(items.iter().map(texts).collect(), ["[", "]"]),
        Value::Object(entries) => {
            let keyed: Vec<Vec<String>> = entries
                .iter()
                .map(|(key, value)| {
                    let key = Value::from(key.as_str());
                    texts(value).iter().map(|text| format!("{key}:{text}")).collect()
                })
                .collect();
            let mut all = Vec::new();
            orders(&mut keyed.clone(), 0, &mut |order| {
                if all.len() < ORDERS_MAX {
                    all.extend(joined(order.to_vec(), ["{", "}"]));
                }
            });
            all
        }
        // 1.0 is the integer 1.
        Value::Number(number) => {
            let whole = number.as_f64().filter(|whole| whole.fract() == 0.0 && whole.abs() < 1e18);
            let whole = whole.map(|whole| (whole as i64).to_string());
            [Some(number.to_string()), whole].into_iter().flatten().collect()
        }
        _ => vec![value.to_string()],
    }
}

/// Shows every order of a list.
fn orders<T: Clone>(list: &mut [T], at: usize, show: &mut dyn FnMut(&[T])) {
    if at + 1 >= list.len() {
        return show(list);
    }
    for other in at..list.len() {
        list.swap(at, other);
        orders(list, at + 1, show);
        list.swap(at, other);
    }
}

/// Whether a grammar writes a text, or why it cannot say.
fn writes(vocabulary: &Vocabulary, own: &Tokenizer, schema: &str, text: &str) -> Result<bool, String> {
    let mut matcher = vocabulary.compile(Format::JsonSchema, schema).map_err(|fault| fault.to_string())?;
    for id in own.encode_continuation(text).unwrap() {
        if !matcher.allows(id).map_err(|fault| fault.to_string())? {
            return Ok(false);
        }
        matcher.accept(id).map_err(|fault| fault.to_string())?;
    }
    matcher.allows(own.ends()[0]).map_err(|fault| fault.to_string())
}

#[derive(Default)]
struct Counts {
    schemas: usize,
    refused: usize,
    right: usize,
    missed: usize,
    wrong: usize,
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|end| end == "json") {
            out.push(path);
        }
    }
}

#[test]
fn grammars_write_the_valid_instances_of_a_suite() {
    let Some(folder) = std::env::var_os("PITH_SCHEMA_SUITE").map(PathBuf::from) else {
        println!("skipped: PITH_SCHEMA_SUITE names no folder");
        return;
    };
    let own = tokenizer(&reference("smollm2.Q8_0.gguf"));
    let vocabulary = vocabulary(&own);
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths.sort();
    let mut tables: BTreeMap<String, Counts> = BTreeMap::new();
    for path in &paths {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let groups: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let counts = tables.entry(name.clone()).or_default();
        for group in groups.as_array().unwrap() {
            let (mut schema, about) = (group["schema"].clone(), &group["description"]);
            // Without it the newest draft holds.
            if let (Value::Object(schema), Ok(draft)) = (&mut schema, std::env::var("PITH_SCHEMA_DRAFT")) {
                schema.entry("$schema").or_insert(draft.into());
            }
            let schema = schema.to_string();
            counts.schemas += 1;
            if let Err(fault) = vocabulary.compile(Format::JsonSchema, &schema) {
                counts.refused += 1;
                println!("refused {name} {about}: {fault}\n        {schema}");
                continue;
            }
            for test in group["tests"].as_array().unwrap() {
                let is_valid = test["valid"] == true;
                let all = texts(&test["data"]);
                let found = all.iter().map(|text| writes(&vocabulary, &own, &schema, text));
                let found: Result<Vec<bool>, String> = found.collect();
                let is_written = match found {
                    Ok(found) => found.contains(&true),
                    Err(fault) => {
                        println!("failed  {name} {about}: {fault}");
                        counts.missed += 1;
                        continue;
                    }
                };
                match (is_valid, is_written) {
                    (true, false) => counts.missed += 1,
                    (false, true) => counts.wrong += 1,
                    _ => counts.right += 1,
                }
                if is_valid != is_written {
                    let kind = if is_valid { "missed " } else { "wrong  " };
                    println!(
                        "{kind} {name} {about}: {} {}\n        {schema}",
                        test["description"], test["data"]
                    );
                }
            }
        }
    }
    println!("schemas refused | instances right missed wrong");
    let mut sum = Counts::default();
    for (name, one) in &tables {
        println!(
            "{:5} {:5} | {:5} {:5} {:5}  {name}",
            one.schemas, one.refused, one.right, one.missed, one.wrong
        );
        sum.schemas += one.schemas;
        sum.refused += one.refused;
        sum.right += one.right;
        sum.missed += one.missed;
        sum.wrong += one.wrong;
    }
    println!("{:5} {:5} | {:5} {:5} {:5}  all", sum.schemas, sum.refused, sum.right, sum.missed, sum.wrong);
    assert_eq!(sum.wrong, 0, "invalid instances are written");
}
