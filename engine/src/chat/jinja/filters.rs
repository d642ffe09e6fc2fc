//! Filters on single values. Those on sequences are in `filters_sequence`.

use super::arguments::Given;
use super::error::Fault;
use super::filters_sequence as sequence;
use super::format;
use super::interpreter::Interpreter;
use super::json::to_json;
use super::strings::{self, Ends};
use super::text::{Builder, Text};
use super::value::Value;

const NAMES: &[&str] = &[
    "abs",
    "attr",
    "batch",
    "capitalize",
    "center",
    "count",
    "d",
    "default",
    "dictsort",
    "e",
    "escape",
    "first",
    "float",
    "forceescape",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "truncate",
    "unique",
    "upper",
    "urlencode",
    "wordcount",
];

/// Whether there is a filter of that name.
pub(crate) fn exists(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Applies a filter.
pub(crate) fn apply(
    interpreter: &mut Interpreter,
    name: &str,
    value: &Value,
    positional: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value, Fault> {
    let mut given = Given::new(positional, named);
    let text = || value.to_text();
    let str = |text: Text| Ok(Value::Str(text));
    match name {
        "map" | "select" | "reject" | "selectattr" | "rejectattr" | "sort" | "unique" | "groupby" | "sum"
        | "min" | "max" | "join" | "batch" | "slice" | "dictsort" => {
            return sequence::apply(interpreter, name, value, given);
        }
        "tojson" => return to_json(value, given),
        "format" => {
            let (positional, named) = given.rest();
            let arguments = if named.is_empty() {
                Value::tuple(positional)
            } else {
                Value::dict(super::value::Dict(
                    named.into_iter().map(|(name, value)| (Value::str(&name), value)).collect(),
                ))
            };
            return format::percent(&text(), &arguments).map(Value::Str);
        }
        _ => {}
    }
    let result = match name {
        "upper" => str(strings::upper(&text())),
        "lower" => str(strings::lower(&text())),
        "capitalize" => str(strings::capitalize(&text())),
        "title" => str(strings::title(&text(), |before| {
            before.is_whitespace() || matches!(before, '-' | '(' | '{' | '[' | '<')
        })),
        "string" => str(text()),
        "safe" | "e" | "escape" | "forceescape" => {
            let mut text = text();
            if name != "safe" {
                text = text.map_chars(|_, c, out| match c {
                    '&' => out.push_str("&amp;"),
                    '<' => out.push_str("&lt;"),
                    '>' => out.push_str("&gt;"),
                    '"' => out.push_str("&#34;"),
                    '\'' => out.push_str("&#39;"),
                    c => out.push(c),
                });
            }
            text.is_markup = true;
            str(text)
        }
        "trim" => {
            str(strings::strip(&text(), given.text("chars")?.as_ref(), Ends { start: true, end: true }))
        }
        "replace" => {
            let (old, new) = (given.required("old")?.to_text(), given.required("new")?.to_text());
            let max = given.take("count").and_then(|max| max.as_int());
            str(strings::replace(&text(), &old, &new, max))
        }
        "center" => str(strings::pad(&text(), given.int("width", 80)?, ' ', true, true)),
        "indent" => indent(&text(), &mut given).map(Value::Str),
        "truncate" => truncate(&text(), &mut given).map(Value::Str),
        "wordcount" => {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            Ok(Value::Int(
                text().as_str().split(|c| !is_word(c)).filter(|word| !word.is_empty()).count() as i64
            ))
        }
        "urlencode" => str(urlencode(&text())),
        "default" | "d" => {
            let default = given.take("default_value").unwrap_or_else(|| Value::str(""));
            let falsy_too = given.flag("boolean", false);
            Ok(if value.is_undefined() || (falsy_too && !value.is_true()) { default } else { value.clone() })
        }
        "attr" => super::evaluate::attribute(value, given.required("name")?.to_text().as_str()),
        "length" | "count" => match value {
            Value::Str(text) => Ok(Value::Int(text.as_str().chars().count() as i64)),
            other => other.items().map(|items| Value::Int(items.len() as i64)),
        },
        "list" => value.items().map(Value::list),
        "first" | "last" => value.items().map(|items| {
            let found = if name == "first" { items.first() } else { items.last() };
            found.cloned().unwrap_or_else(|| Value::undefined("an element of an empty sequence"))
        }),
        "reverse" => value.items().map(|items| {
            let reversed: Vec<Value> = items.into_iter().rev().collect();
            if let Value::Str(_) = value {
                Value::Str(strings::join(&Text::new("", true), &reversed))
            } else {
                Value::list(reversed)
            }
        }),
        "items" => match value {
            Value::Undefined(_) => Ok(Value::list(Vec::new())),
            Value::Dict(entries) => {
                let pairs = entries.borrow();
                Ok(Value::list(
                    pairs.0.iter().map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()])).collect(),
                ))
            }
            _ => Err(Fault::new("Can only get item pairs from a mapping.")),
        },
        "abs" => match value {
            Value::Float(f) => Ok(Value::Float(f.abs())),
            other => other
                .as_int()
                .and_then(i64::checked_abs)
                .map(Value::Int)
                .ok_or_else(|| Fault::new("bad operand type for abs()")),
        },
        "int" => int(value, &mut given),
        "float" => {
            let default = given.take("default").unwrap_or(Value::Float(0.0));
            let parsed = match value {
                Value::Str(text) => text.as_str().trim().replace('_', "").parse().ok(),
                other => other.as_float(),
            };
            Ok(parsed.map_or(default, Value::Float))
        }
        "round" => round(value, &mut given),
        other => Err(Fault::new(format!("no filter named '{other}'"))),
    };
    let result = result?;
    given.finish()?;
    Ok(result)
}

fn int(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let default = given.take("default").unwrap_or(Value::Int(0));
    let base = u32::try_from(given.int("base", 10)?).ok().filter(|base| (2..=36).contains(base));
    let base = base.ok_or_else(|| Fault::new("the base must be 2 to 36"))?;
    let float = |f: f64| (f.is_finite() && f.abs() < 9.2e18).then_some(f.trunc() as i64);
    let parsed = match value {
        Value::Str(text) => {
            let text = text.as_str().trim().replace('_', "");
            let digits = ["0x", "0X", "0o", "0b"]
                .into_iter()
                .find_map(|prefix| text.strip_prefix(prefix))
                .filter(|_| base != 10);
            i64::from_str_radix(digits.unwrap_or(&text), base).ok().or_else(|| float(text.parse().ok()?))
        }
        Value::Float(f) => float(*f),
        other => other.as_int(),
    };
    Ok(parsed.map_or(default, Value::Int))
}

fn round(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let precision = given.int("precision", 0)?.clamp(-300, 300) as i32;
    let method = given.text("method")?;
    let number = value.as_float().ok_or_else(|| Fault::new("a number is required"))?;
    let scale = 10f64.powi(precision);
    let scaled = number * scale;
    let rounded = match method.as_ref().map_or("common", Text::as_str) {
        "common" => scaled.round_ties_even(),
        "ceil" => scaled.ceil(),
        "floor" => scaled.floor(),
        _ => return Err(Fault::new("method must be common, ceil or floor")),
    };
    Ok(Value::Float(rounded / scale))
}

fn indent(text: &Text, given: &mut Given) -> Result<Text, Fault> {
    let width = match given.take("width") {
        None => Text::new("    ", true),
        Some(Value::Str(text)) => text,
        Some(other) => {
            let width = other.as_int().ok_or_else(|| Fault::new("width must be an integer or a string"))?;
            Text::new(&" ".repeat(usize::try_from(width).unwrap_or(0).min(1000)), true)
        }
    };
    let first = given.flag("first", false);
    let blank = given.flag("blank", false);
    // As Jinja does: one line break more, so that a text that ends in one keeps it.
    let mut whole = Builder::default();
    whole.push_text(text);
    whole.push("\n", true);
    let lines = strings::split_lines(&whole.finish(), false);
    let mut out = Builder::default();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push("\n", true);
        }
        let indented = if at == 0 { first } else { blank || !line.as_str().is_empty() };
        if indented {
            out.push_text(&width);
        }
        out.push_text(line);
    }
    Ok(out.finish())
}

fn truncate(text: &Text, given: &mut Given) -> Result<Text, Fault> {
    let len = usize::try_from(given.int("length", 255)?).unwrap_or(0);
    let kill_words = given.flag("killwords", false);
    let end = given.text("end")?.unwrap_or_else(|| Text::new("...", true));
    let leeway = usize::try_from(given.int("leeway", 5)?).unwrap_or(0);
    let source = text.as_str();
    if source.chars().count() <= len.saturating_add(leeway) {
        return Ok(text.clone());
    }
    let kept_chars = len.saturating_sub(end.as_str().chars().count());
    let mut kept = source.char_indices().nth(kept_chars).map_or(source.len(), |(at, _)| at);
    if !kill_words {
        kept = source[..kept].rfind(' ').unwrap_or(kept);
    }
    let mut out = Builder::default();
    out.push_slice(text, 0..kept);
    out.push_text(&end);
    Ok(out.finish())
}

fn urlencode(text: &Text) -> Text {
    text.map_chars(|_, c, out| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '/') {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
    })
}
