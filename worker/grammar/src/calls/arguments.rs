//! One call: the tool's name and its arguments.

use serde_json::{Map, Value, json};

use crate::fault::Fault;

use super::Tool;
use super::form::{Form, Pair, Shape};
use super::lark::{Lark, Part, excluding, literal};

/// Gemma's quotation mark.
const MARK: &str = "<|\"|>";
/// Of a schema of arguments that are not one JSON object: what is known or says nothing about a value.
const OF_OBJECTS: [&str; 13] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "$defs",
    "definitions",
    "title",
    "description",
    "$schema",
    "$id",
    "$comment",
    "examples",
    "default",
];
/// Of the schema of a text that is written without quotation marks.
const OF_TEXTS: [&str; 11] = [
    "type",
    "enum",
    "const",
    "minLength",
    "maxLength",
    "title",
    "description",
    "$comment",
    "examples",
    "default",
    "deprecated",
];
/// Letters, digits and more of ids that a model makes up.
const ID: &str = "(/\"[A-Za-z0-9_.:-]{1,64}\"/ | /0|[1-9][0-9]{0,8}/)";

/// The schema, which is one of objects.
pub(super) fn object(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = schema.clone();
    let may = match schema.get("type") {
        None => true,
        Some(kinds) => kinds.as_array().is_some_and(|kinds| kinds.contains(&"object".into())),
    };
    if may {
        schema.insert("type".into(), "object".into());
    }
    schema
}

/// What the arguments of a tool have to meet.
pub(super) fn schema(tool: &Tool) -> Value {
    if tool.strict { Value::Object(object(&tool.schema)) } else { json!({ "type": "object" }) }
}

/// A call of the tool with this number, without the markers around it.
///
/// # Errors
/// `Invalid` for a schema that cannot be kept to where arguments are not JSON.
pub(super) fn call(form: &Form, tool: &Tool, number: usize, lark: &mut Lark) -> Result<String, Fault> {
    if tool.strict && object(&tool.schema)["type"] != "object" {
        return Err(Fault::Invalid(format!("the parameters of {} are no object", tool.name)));
    }
    let name = literal(&tool.name);
    Ok(match &form.shape {
        Shape::Object { name: key, arguments, id } => {
            let arguments_json = lark.json(schema(tool));
            if key.is_empty() {
                return Ok(format!(
                    "\"{{\" WS? {} WS? \":\" WS? {arguments_json} WS? \"}}\"",
                    quoted(&tool.name)
                ));
            }
            let pair = |key: &str, value: &str| format!("{} WS? \":\" WS? {value}", quoted(key));
            let kind = format!("({} WS? \",\" WS?)?", pair("type", "\"\\\"function\\\"\""));
            let id_first = format!("({} WS? \",\" WS?)?", pair(id, ID));
            let id_last = format!("(WS? \",\" WS? {})?", pair(id, ID));
            let (name, arguments) = (pair(key, &quoted(&tool.name)), pair(arguments, &arguments_json));
            format!("\"{{\" WS? {kind} {id_first} {name} WS? \",\" WS? {arguments} {id_last} WS? \"}}\"")
        }
        Shape::Named { id, name_end } => {
            let name_end = lark.sequence(&lark.parts(name_end));
            let own_id = match lark.sequence(&lark.parts(id)) {
                mark if mark.is_empty() => String::new(),
                mark => format!("(WS? {mark} WS? /[A-Za-z0-9_.:-]{{1,64}}/)?"),
            };
            // A name that is a path with a number.
            let path = format!("\"functions.\" {name} \":\" /[0-9]{{1,3}}/");
            format!("({name} | {path}) {own_id} WS? {name_end} WS? {}", lark.json(schema(tool)))
        }
        Shape::Tagged { name_end, key, value_end } => {
            if form.call[1].trim().is_empty() && form.section[1].trim().is_empty() {
                return Err(unable(tool, "the arguments of this form have no end"));
            }
            let mut arguments = String::new();
            let head = format!("{name} {}", lark.sequence(&lark.parts(name_end)));
            if tool.strict {
                for (at, (name, schema, is_required)) in properties(tool)?.into_iter().enumerate() {
                    let rule = format!("argument{number}_{at}");
                    let begin = format!(
                        "{} {} {}",
                        lark.sequence(&lark.parts(&key[0])),
                        literal(&name),
                        lark.exact(&key[1])
                    );
                    let end = value_end.replace("{}", &name);
                    let value = marked_value(tool, &name, &schema, &end, &format!("{rule}v"), lark)?;
                    lark.rule(&rule, &format!("WS? {begin} {value}"));
                    arguments += &format!(" {rule}{}", if is_required { "" } else { "?" });
                }
            } else {
                any_tagged(key, value_end, lark);
                arguments += " any{0,32}";
            }
            format!("{head}{arguments}")
        }
        Shape::Literal { bracket } => {
            let (open, close, assign) = match bracket {
                '(' => ("(", ")", "="),
                _ => ("{", "}", ":"),
            };
            let list = if tool.strict {
                let mut rules = Vec::new();
                for (at, (name, schema, is_required)) in properties(tool)?.into_iter().enumerate() {
                    let rule = format!("argument{number}_{at}");
                    let value = match is_text(&schema) && *bracket == '{' {
                        true => {
                            let value = marked_value(tool, &name, &schema, MARK, &format!("{rule}v"), lark)?;
                            format!("{} {value}", lark.exact(MARK))
                        }
                        false => lark.json(without_escapes(schema)),
                    };
                    lark.rule(&rule, &format!("{} WS? {} WS? {value}", literal(&name), literal(assign)));
                    rules.push((rule, is_required));
                }
                separated(&rules, number, lark)
            } else {
                let json = match bracket {
                    '(' => lark.json(without_escapes(json!({}))),
                    _ => {
                        let text = marked_value(
                            tool,
                            "",
                            &json!({ "type": "string" }),
                            MARK,
                            &format!("any{number}v"),
                            lark,
                        )?;
                        format!("({} {text} | {})", lark.exact(MARK), lark.json(without_escapes(json!({}))))
                    }
                };
                let pair = format!("/[A-Za-z_][A-Za-z0-9_]{{0,63}}/ WS? {} WS? {json}", literal(assign));
                lark.rule(&format!("any{number}"), &pair);
                format!("(any{number} (WS? \",\" WS? any{number}){{0,31}})?")
            };
            format!("{name} {} WS? {list} WS? {}", literal(open), literal(close))
        }
        Shape::Harmony => name,
    })
}

/// A key of an object.
fn quoted(key: &str) -> String {
    literal(&Value::from(key).to_string())
}

fn unable(tool: &Tool, why: &str) -> Fault {
    let name = &tool.name;
    Fault::Invalid(format!(
        "the arguments of {name} cannot be held to their schema in this model's form: {why}"
    ))
}

/// Whether a value is written as text, without quotation marks. As `Tool::is_text` of `pith-chat`.
fn is_text(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(kind) => kind == "string",
        _ => schema["enum"].as_array().is_some_and(|all| all.iter().all(Value::is_string)),
    }
}

/// What an object may have: names, schemas, and whether they have to be there.
fn properties(tool: &Tool) -> Result<Vec<(String, Value, bool)>, Fault> {
    let schema = object(&tool.schema);
    if let Some(key) = schema.keys().find(|key| !OF_OBJECTS.contains(&&***key)) {
        return Err(unable(tool, &format!("\"{key}\" is of the whole object")));
    }
    let none = Map::new();
    let all = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if let Some(name) = required.iter().find(|name| !all.contains_key(**name)) {
        return Err(unable(tool, &format!("\"{name}\" is required and no property")));
    }
    let property = |(name, value): (&String, &Value)| {
        let mut value = value.clone();
        if let Some(value) = value.as_object_mut().filter(|value| !value.is_empty()) {
            for key in ["$defs", "definitions"] {
                if let Some(given) = schema.get(key) {
                    value.entry(key).or_insert_with(|| given.clone());
                }
            }
        }
        (name.clone(), value, required.contains(&&**name))
    };
    Ok(all.iter().map(property).collect())
}

/// A value up to its end.
fn marked_value(
    tool: &Tool,
    name: &str,
    schema: &Value,
    end: &str,
    rule: &str,
    lark: &mut Lark,
) -> Result<String, Fault> {
    let close = lark.exact(end.trim_end());
    if !is_text(schema) {
        return Ok(format!("{} {close}", lark.json(schema.clone())));
    }
    let keys = schema.as_object().into_iter().flat_map(Map::keys);
    let unknown = keys
        .into_iter()
        .find(|key| !OF_TEXTS.contains(&&***key) && !key.starts_with("$def") && *key != "definitions");
    if let Some(key) = unknown {
        return Err(unable(tool, &format!("\"{key}\" of \"{name}\"")));
    }
    let only = match (&schema["enum"], &schema["const"]) {
        (_, Value::String(one)) => Some(vec![one.clone()]),
        (Value::Array(all), _) => {
            let all = all.iter().filter_map(Value::as_str).map(str::to_owned);
            Some(all.collect())
        }
        _ => None,
    };
    if let Some(only) = only {
        if only.iter().any(|one| one.is_empty() || one.contains(end.trim())) {
            return Err(unable(tool, &format!("a value of \"{name}\" cannot be written")));
        }
        let only: Vec<String> = only.iter().map(|one| literal(one)).collect();
        return Ok(format!("({}) {close}", only.join(" | ")));
    }
    let length = |key: &str| schema[key].as_u64();
    let (least, most) = (length("minLength").unwrap_or(0), length("maxLength"));
    let most = most.map_or(String::new(), |most| most.to_string());
    // A text may have all but what ends it.
    let body = |least: u64| format!("/(?s:.{{{least},{most}}})/{}", excluding(&[end.trim()]));
    if lark.parts(end).first().is_some_and(Part::is_token) {
        let terminal = rule.to_uppercase();
        lark.rule(&terminal, &body(least.max(1)));
        return Ok(format!("{terminal}{} {close}", if least == 0 { "?" } else { "" }));
    }
    lark.rule(&format!("{rule}[lazy]"), &format!("({}) {}", body(least), literal(end.trim_end())));
    Ok(rule.to_owned())
}

/// Any argument between markers, as the rule `any`.
fn any_tagged(key: &Pair, end: &str, lark: &mut Lark) {
    let begin = lark.sequence(&lark.parts(&key[0]));
    // The key may be a part of the end.
    let (end, behind) = end.split_once("{}").unwrap_or((end, ""));
    let behind = match behind.trim_end() {
        "" => String::new(),
        behind => format!(" /[A-Za-z_][A-Za-z0-9_.-]{{0,63}}/ {}", lark.exact(behind)),
    };
    let (key_end, close) = (lark.exact(&key[1]), lark.exact(end.trim_end()));
    let value = match lark.parts(end).first().is_some_and(Part::is_token) {
        true => format!("/(?s:.+)/? {close}"),
        false => {
            lark.until("anyv", end.trim_end(), &[]);
            "anyv".to_owned()
        }
    };
    lark.rule("any", &format!("WS? {begin} /[A-Za-z_][A-Za-z0-9_.-]{{0,63}}/ {key_end} {value}{behind}"));
}

/// A schema whose texts are written without escapes by number: the parser of this form reads no pairs of them.
fn without_escapes(schema: Value) -> Value {
    let mut schema = match schema {
        Value::Object(schema) => schema,
        Value::Bool(false) => return Value::Bool(false),
        _ => Map::new(),
    };
    let options =
        json!({ "whitespace_pattern": crate::format::WHITE_SPACE, "json_allowed_escapes": "nrbtf\\\"" });
    schema.insert("x-guidance".into(), options);
    Value::Object(schema)
}

/// Arguments in their order with commas between them, those that may be left out among them.
fn separated(rules: &[(String, bool)], number: usize, lark: &mut Lark) -> String {
    // What follows the argument with this number, where it is the first one and where one came before.
    let (mut first, mut later) = (String::from("\"\""), String::from("\"\""));
    for (at, (rule, is_required)) in rules.iter().enumerate().rev() {
        let names = [format!("first{number}_{at}"), format!("later{number}_{at}")];
        let otherwise = |rest: &str| if *is_required { String::new() } else { format!(" | {rest}") };
        lark.rule(&names[0], &format!("{rule} {later}{}", otherwise(&first)));
        lark.rule(&names[1], &format!("WS? \",\" WS? {rule} {later}{}", otherwise(&later)));
        [first, later] = names;
    }
    first
}
