//! Filters on single values. Those on sequences are in `filters_sequence`.

use super::access::has_method;
use super::arguments::Given;
use super::error::{Fault, excerpt};
use super::filters_sequence as sequence;
use super::format;
use super::interpreter::Interpreter;
use super::json::to_json;
use super::strings::{self, Ends};
use super::text::{Builder, Text};
use super::value::{Dict, Named, Value, Values};

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
    positional: Values,
    named: Named,
) -> Result<Value, Fault> {
    let given = Given::new(positional, named);
    match name {
        // The only filter that applies others, and may be nested.
        "map" => sequence::map(interpreter, value, given),
        "select" | "reject" | "selectattr" | "rejectattr" => sequence::select(name, value, given),
        "sort" | "unique" | "groupby" | "sum" | "min" | "max" | "join" | "batch" | "slice" | "dictsort" => {
            sequence::apply(name, value, given)
        }
        "tojson" => to_json(value, given),
        "format" => formatted(value, given),
        _ => apply_to_one(name, value, given),
    }
}

fn formatted(value: &Value, given: Given) -> Result<Value, Fault> {
    let text = value.to_text(&given.fuel)?;
    let (positional, mut named) = given.rest()?;
    if named.is_empty() {
        return format::percent(&text, &Value::tuple(positional)).map(Value::Str);
    }
    let mut arguments = Dict::new(text.fuel());
    for (name, value) in named.drain() {
        arguments.set(Value::str(text.fuel(), &name)?, value)?;
    }
    format::percent(&text, &Value::dict(arguments)).map(Value::Str)
}

#[inline(never)]
fn apply_to_one(name: &str, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let text = || value.to_text(&fuel);
    let length = || {
        let missing = || Fault::new(format!("object of type '{}' has no len()", value.type_name()));
        value.length()?.ok_or_else(missing)
    };
    let result = match name {
        "upper" => Value::Str(strings::upper(&text()?)?),
        "lower" => Value::Str(strings::lower(&text()?)?),
        "capitalize" => Value::Str(strings::capitalize(&text()?)?),
        "title" => Value::Str(strings::title(&text()?, |before| {
            before.is_whitespace() || matches!(before, '-' | '(' | '{' | '[' | '<')
        })?),
        "string" => Value::Str(text()?),
        "safe" | "e" | "escape" | "forceescape" => {
            let mut text = text()?;
            if name != "safe" {
                text = text.map_chars(&mut |_, c, out| match c {
                    '&' => out.push_str("&amp;"),
                    '<' => out.push_str("&lt;"),
                    '>' => out.push_str("&gt;"),
                    '"' => out.push_str("&#34;"),
                    '\'' => out.push_str("&#39;"),
                    c => out.push(c),
                })?;
            }
            text.is_markup = true;
            Value::Str(text)
        }
        "trim" => {
            let ends = Ends { start: true, end: true };
            Value::Str(strings::strip(&text()?, given.text("chars")?.as_ref(), ends)?)
        }
        "replace" => {
            let (old, new) = (given.required("old")?.to_text(&fuel)?, given.required("new")?.to_text(&fuel)?);
            let max = given.take("count")?.and_then(|max| max.as_int());
            Value::Str(strings::replace(&text()?, &old, &new, max)?)
        }
        "center" => Value::Str(strings::pad(&text()?, given.int("width", 80)?, ' ', true, true)?),
        "indent" if !matches!(value, Value::Str(_)) => {
            return Err(Fault::new(format!("'{}' object cannot be indented", value.type_name())));
        }
        "indent" => Value::Str(indent(&text()?, &mut given)?),
        "truncate" => Value::Str(truncate(&text()?, &mut given)?),
        "wordcount" => {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let text = text()?;
            let words = text.read()?.split(|c| !is_word(c)).filter(|word| !word.is_empty());
            Value::Int(words.count() as i64)
        }
        "urlencode" => Value::Str(urlencode(&text()?)?),
        "default" | "d" => {
            let default = given.take("default_value")?;
            let falsy_too = given.flag("boolean", false)?;
            if !value.is_undefined() && (!falsy_too || value.is_true()) {
                value.clone()
            } else {
                default.map_or_else(|| Value::str(&fuel, ""), Ok)?
            }
        }
        "attr" => {
            let name = given.required("name")?.to_text(&fuel)?;
            match value {
                // An item is no attribute.
                Value::Dict(_) if !has_method(value, name.as_str()) => Value::Undefined(name),
                value => super::access::attribute(&fuel, value, name.as_str())?,
            }
        }
        "length" | "count" => Value::Int(length()? as i64),
        "list" => Value::list(value.items(&fuel)?),
        "first" => match value {
            Value::Generator(items) if !items.borrow().is_empty() => items.borrow_mut().remove(0)?,
            Value::List(items) if !items.borrow().is_empty() => items.borrow()[0].clone(),
            other => first(&given, other.items(&fuel)?)?,
        },
        "last" => match value {
            Value::List(items) if !items.borrow().is_empty() => items.borrow()[length()? - 1].clone(),
            other => first(&given, backwards(&given, other)?)?,
        },
        "reverse" => match value {
            Value::Str(text) => Value::Str(strings::reversed(text)?),
            other => Value::generator(backwards(&given, other)?),
        },
        "items" => match value {
            Value::Undefined(_) => Value::generator(Values::new(&fuel)),
            Value::Dict(entries) => Value::generator(entries.borrow().pairs()?),
            _ => return Err(Fault::new("Can only get item pairs from a mapping.")),
        },
        "abs" => match value {
            Value::Float(f) => Value::Float(f.abs()),
            other => {
                let abs = other.as_int().and_then(i64::checked_abs);
                Value::Int(abs.ok_or_else(|| Fault::new("bad operand type for abs()"))?)
            }
        },
        "int" | "float" if value.is_undefined() => {
            return Err(Fault::new("a number is required, not Undefined"));
        }
        "int" => int(value, &mut given)?,
        "float" => {
            let default = given.take("default")?.unwrap_or(Value::Float(0.0));
            let parsed = match value {
                Value::Str(text) => digits(text)?.parse().ok(),
                other => other.as_float(),
            };
            parsed.map_or(default, Value::Float)
        }
        "round" => round(value, &mut given)?,
        other => return Err(Fault::new(format!("no filter named '{}'", excerpt(other)))),
    };
    given.finish()?;
    Ok(result)
}

fn first(given: &Given, items: Values) -> Result<Value, Fault> {
    match items.first() {
        Some(first) => Ok(first.clone()),
        None => Value::undefined(&given.fuel, "an element of an empty sequence"),
    }
}

fn backwards(given: &Given, value: &Value) -> Result<Values, Fault> {
    if let Value::Generator(_) | Value::Loop(_) = value {
        return Err(Fault::new(format!("'{}' object is not reversible", value.type_name())));
    }
    let mut items = value.items(&given.fuel)?;
    items.reverse();
    Ok(items)
}

/// What can be read as a number: underscores between digits are left out. Nothing where it is longer than numbers are.
fn digits(text: &Text) -> Result<String, Fault> {
    const LEN_MAX: usize = 1 << 10;
    let text = text.read()?.trim_matches(strings::is_python_space);
    let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    Ok(if misplaced || text.len() > LEN_MAX { String::new() } else { text.replace('_', "") })
}

fn int(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let default = given.take("default")?.unwrap_or(Value::Int(0));
    let base = u32::try_from(given.int("base", 10)?).ok().filter(|base| (2..=36).contains(base));
    let base = base.ok_or_else(|| Fault::new("the base must be 2 to 36"))?;
    // Python's integers have no end.
    let float = |f: f64| match f.is_finite() {
        true if f.abs() >= 9.2e18 => Err(Fault::new("integer overflow")),
        finite => Ok(finite.then_some(f.trunc() as i64)),
    };
    let parsed = match value {
        Value::Str(text) => {
            let text = digits(text)?;
            let digits = ["0x", "0X", "0o", "0b"]
                .into_iter()
                .find_map(|prefix| text.strip_prefix(prefix))
                .filter(|_| base != 10);
            match i64::from_str_radix(digits.unwrap_or(&text), base) {
                Ok(i) => Some(i),
                Err(_) => text.parse().map_or(Ok(None), float)?,
            }
        }
        Value::Float(f) => float(*f)?,
        other => other.as_int(),
    };
    Ok(parsed.map_or(default, Value::Int))
}

fn round(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let precision = given.int("precision", 0)?.clamp(-300, 300) as i32;
    let method = given.text("method")?;
    let number = value.as_float().ok_or_else(|| Fault::new("a number is required"))?;
    let scale = 10f64.powi(precision);
    Ok(Value::Float(match method.as_ref().map_or("common", Text::as_str) {
        "common" => match value.as_int() {
            Some(i) if precision >= 0 => return Ok(Value::Int(i)),
            Some(i) => {
                let scaled = (i as f64 * scale).round_ties_even() / scale;
                return Ok(Value::Int(scaled as i64));
            }
            // The digits of the exact value, as Python rounds.
            None if precision >= 0 => format!("{number:.*}", precision as usize).parse().unwrap_or(number),
            None => (number * scale).round_ties_even() / scale,
        },
        "ceil" => (number * scale).ceil() / scale,
        "floor" => (number * scale).floor() / scale,
        _ => return Err(Fault::new("method must be common, ceil or floor")),
    }))
}

fn indent(text: &Text, given: &mut Given) -> Result<Text, Fault> {
    let width = match given.take("width")? {
        None => strings::spaces(&given.fuel, 4)?,
        Some(Value::Str(text)) => text,
        Some(other) => {
            let width = other.as_int().ok_or_else(|| Fault::new("width must be an integer or a string"))?;
            strings::spaces(&given.fuel, width)?
        }
    };
    let first = given.flag("first", false)?;
    let blank = given.flag("blank", false)?;
    // As Jinja does: one line break more, so that a text that ends in one keeps it.
    let mut whole = Builder::new(&given.fuel);
    whole.push_text(text)?;
    whole.push("\n", true)?;
    let lines = strings::split_lines(&whole.finish(), false)?;
    let mut out = Builder::new(&given.fuel);
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push("\n", true)?;
        }
        let indented = if at == 0 { first } else { blank || line.is_true() };
        if indented {
            out.push_text(&width)?;
        }
        line.write_str(&mut out)?;
    }
    Ok(out.finish())
}

fn truncate(text: &Text, given: &mut Given) -> Result<Text, Fault> {
    let len = usize::try_from(given.int("length", 255)?).unwrap_or(0);
    let kill_words = given.flag("killwords", false)?;
    let end = given.text("end")?.map_or_else(|| Text::new(text.fuel(), "...", true), Ok)?;
    let leeway = usize::try_from(given.int("leeway", 5)?).unwrap_or(0);
    let source = text.as_str();
    if text.chars_len()? <= len.saturating_add(leeway) {
        return Ok(text.clone());
    }
    let kept_chars = len.saturating_sub(end.chars_len()?);
    let mut kept = source.char_indices().nth(kept_chars).map_or(source.len(), |(at, _)| at);
    if !kill_words {
        kept = source[..kept].rfind(' ').unwrap_or(kept);
    }
    let mut out = Builder::new(text.fuel());
    out.push_text(&text.slice(0..kept))?;
    out.push_text(&end)?;
    Ok(out.finish())
}

fn urlencode(text: &Text) -> Result<Text, Fault> {
    text.map_chars(&mut |_, c, out| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '/') {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
    })
}
