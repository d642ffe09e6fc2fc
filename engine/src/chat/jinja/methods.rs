//! Methods of strings, lists, dicts and loops.

use super::arguments::Given;
use super::error::Fault;
use super::format::braces;
use super::strings::{self, Ends};
use super::text::Text;
use super::value::{Dict, LoopState, Value};
use std::cell::RefCell;

const STRING: &[&str] = &[
    "upper",
    "lower",
    "casefold",
    "title",
    "capitalize",
    "swapcase",
    "strip",
    "lstrip",
    "rstrip",
    "split",
    "rsplit",
    "splitlines",
    "startswith",
    "endswith",
    "replace",
    "find",
    "rfind",
    "index",
    "rindex",
    "count",
    "join",
    "format",
    "isdigit",
    "isdecimal",
    "isnumeric",
    "isalpha",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isascii",
    "removeprefix",
    "removesuffix",
    "partition",
    "rpartition",
    "zfill",
    "ljust",
    "rjust",
    "center",
];
const LIST: &[&str] =
    &["append", "extend", "insert", "pop", "remove", "reverse", "index", "count", "copy", "clear"];
const TUPLE: &[&str] = &["index", "count"];
const DICT: &[&str] = &["get", "keys", "values", "items", "pop", "update", "setdefault", "copy", "clear"];
const LOOP: &[&str] = &["cycle", "changed"];

/// Whether a value has a method of that name.
pub(crate) fn exists(value: &Value, name: &str) -> bool {
    let names = match value {
        Value::Str(_) => STRING,
        Value::List(_) => LIST,
        Value::Tuple(_) => TUPLE,
        Value::Dict(_) => DICT,
        Value::Loop(_) => LOOP,
        _ => return false,
    };
    names.contains(&name)
}

/// Calls a method.
pub(crate) fn call(
    value: &Value,
    name: &str,
    positional: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value, Fault> {
    let mut given = Given::new(positional, named);
    match value {
        Value::Str(text) => string(text, name, given),
        Value::Dict(entries) => dict(entries, name, given),
        Value::List(items) => list(items, name, given),
        Value::Loop(state) => looped(state, name, given),
        other => {
            let wanted = given.required("value")?;
            sequence(&other.items()?, name, &wanted)
        }
    }
}

fn string(text: &Text, name: &str, mut given: Given) -> Result<Value, Fault> {
    let s = text.as_str();
    let every = |test: fn(char) -> bool| Ok(Value::Bool(!s.is_empty() && s.chars().all(test)));
    let found = |at: Option<usize>| at.map_or(-1, |at| s[..at].chars().count() as i64);
    let str = |text: Text| Ok(Value::Str(text));
    let result = match name {
        "upper" => str(strings::upper(text)),
        "lower" | "casefold" => str(strings::lower(text)),
        "capitalize" => str(strings::capitalize(text)),
        "title" => str(strings::title(text, |before| !before.is_alphabetic())),
        "swapcase" => str(text.map_chars(|_, c, out| {
            if c.is_uppercase() { out.extend(c.to_lowercase()) } else { out.extend(c.to_uppercase()) }
        })),
        "strip" | "lstrip" | "rstrip" => {
            let ends = Ends { start: name != "rstrip", end: name != "lstrip" };
            str(strings::strip(text, given.text("chars")?.as_ref(), ends))
        }
        "split" | "rsplit" => {
            let separator = given.text("sep")?;
            let max = given.int("maxsplit", -1)?;
            strings::split(text, separator.as_ref(), max, name == "rsplit").map(Value::list)
        }
        "splitlines" => {
            let keep_ends = given.flag("keepends", false);
            Ok(Value::list(strings::split_lines(text, keep_ends).into_iter().map(Value::Str).collect()))
        }
        "startswith" | "endswith" => {
            let wanted = given.required("prefix")?;
            let wanted = if let Value::Tuple(_) = wanted { wanted.items()? } else { vec![wanted] };
            let mut holds = false;
            for part in &wanted {
                let Value::Str(part) = part else {
                    return Err(Fault::new(format!("{name} first arg must be str or a tuple of str")));
                };
                holds |= if name == "startswith" {
                    s.starts_with(part.as_str())
                } else {
                    s.ends_with(part.as_str())
                };
            }
            Ok(Value::Bool(holds))
        }
        "replace" => {
            let (old, new) = (given.required_text("old")?, given.required_text("new")?);
            let max = given.int("count", -1)?;
            str(strings::replace(text, &old, &new, (max >= 0).then_some(max)))
        }
        "find" => Ok(Value::Int(found(s.find(given.required_text("sub")?.as_str())))),
        "rfind" => Ok(Value::Int(found(s.rfind(given.required_text("sub")?.as_str())))),
        "index" | "rindex" => {
            let part = given.required_text("sub")?;
            let at = if name == "index" { s.find(part.as_str()) } else { s.rfind(part.as_str()) };
            at.map(|at| Value::Int(found(Some(at)))).ok_or_else(|| Fault::new("substring not found"))
        }
        "count" => {
            let part = given.required_text("sub")?;
            let count = if part.as_str().is_empty() {
                s.chars().count() + 1
            } else {
                s.matches(part.as_str()).count()
            };
            Ok(Value::Int(count as i64))
        }
        "join" => {
            let items = given.required("iterable")?.items()?;
            match items.iter().find(|item| !matches!(item, Value::Str(_))) {
                Some(other) => {
                    Err(Fault::new(format!("sequence item: expected str, {} found", other.type_name())))
                }
                None => str(strings::join(text, &items)),
            }
        }
        "format" => {
            let (positional, named) = given.rest();
            return braces(text, &positional, &named).map(Value::Str);
        }
        "isdigit" | "isdecimal" | "isnumeric" => every(char::is_numeric),
        "isalpha" => every(char::is_alphabetic),
        "isalnum" => every(char::is_alphanumeric),
        "isspace" => every(strings::is_python_space),
        "isascii" => Ok(Value::Bool(s.is_ascii())),
        "isupper" => Ok(Value::Bool(s.chars().any(char::is_uppercase) && !s.chars().any(char::is_lowercase))),
        "islower" => Ok(Value::Bool(s.chars().any(char::is_lowercase) && !s.chars().any(char::is_uppercase))),
        "removeprefix" => {
            str(text.subslice(s.strip_prefix(given.required_text("prefix")?.as_str()).unwrap_or(s)))
        }
        "removesuffix" => {
            str(text.subslice(s.strip_suffix(given.required_text("suffix")?.as_str()).unwrap_or(s)))
        }
        "partition" | "rpartition" => {
            let separator = given.required_text("sep")?;
            let at =
                if name == "partition" { s.find(separator.as_str()) } else { s.rfind(separator.as_str()) };
            let empty = || Value::str("");
            let parts = match at {
                Some(at) => {
                    let end = at + separator.as_str().len();
                    [text.slice(0..at), text.slice(at..end), text.slice(end..s.len())].map(Value::Str)
                }
                None if name == "partition" => [Value::Str(text.clone()), empty(), empty()],
                None => [empty(), empty(), Value::Str(text.clone())],
            };
            Ok(Value::tuple(parts.into()))
        }
        "zfill" => str(strings::pad(text, given.int("width", 0)?, '0', true, false)),
        "ljust" | "rjust" | "center" => {
            let width = given.int("width", 0)?;
            let fill = given.text("fillchar")?.and_then(|fill| fill.as_str().chars().next()).unwrap_or(' ');
            str(strings::pad(text, width, fill, name != "ljust", name != "rjust"))
        }
        _ => Err(Fault::new(format!("'str' object has no attribute '{name}'"))),
    };
    let result = result?;
    given.finish()?;
    Ok(result)
}

fn dict(entries: &RefCell<Dict>, name: &str, mut given: Given) -> Result<Value, Fault> {
    let pair = |(key, value): &(Value, Value)| Value::tuple(vec![key.clone(), value.clone()]);
    let result = match name {
        "get" => {
            let key = given.required("key")?;
            let default = given.take("default").unwrap_or(Value::None);
            entries.borrow().get(&key).cloned().unwrap_or(default)
        }
        "keys" => Value::list(entries.borrow().0.iter().map(|(key, _)| key.clone()).collect()),
        "values" => Value::list(entries.borrow().0.iter().map(|(_, value)| value.clone()).collect()),
        "items" => Value::list(entries.borrow().0.iter().map(pair).collect()),
        "copy" => Value::dict(entries.borrow().clone()),
        "clear" => {
            entries.borrow_mut().0.clear();
            Value::None
        }
        "pop" => {
            let key = given.required("key")?;
            let default = given.take("default");
            let popped = entries.borrow_mut().remove(&key);
            popped.or(default).ok_or_else(|| Fault::new(format!("KeyError: {}", key.to_text().as_str())))?
        }
        "setdefault" => {
            let key = given.required("key")?;
            let default = given.take("default").unwrap_or(Value::None);
            let known = entries.borrow().get(&key).cloned();
            known.unwrap_or_else(|| {
                entries.borrow_mut().set(key, default.clone());
                default
            })
        }
        "update" => {
            let added = super::functions::dict_of(given)?;
            for (key, value) in added.0 {
                entries.borrow_mut().set(key, value);
            }
            return Ok(Value::None);
        }
        _ => return Err(Fault::new(format!("'dict' object has no attribute '{name}'"))),
    };
    given.finish()?;
    Ok(result)
}

fn list(items: &RefCell<Vec<Value>>, name: &str, mut given: Given) -> Result<Value, Fault> {
    let place = |index: i64, len: usize| {
        usize::try_from(if index < 0 { index.saturating_add(len as i64) } else { index })
    };
    let result = match name {
        "append" => {
            let value = given.required("object")?;
            items.borrow_mut().push(value);
            Value::None
        }
        "extend" => {
            let more = given.required("iterable")?.items()?;
            items.borrow_mut().extend(more);
            Value::None
        }
        "insert" => {
            let at = given.int("index", 0)?;
            let value = given.required("object")?;
            let mut items = items.borrow_mut();
            let at = place(at, items.len()).unwrap_or(0).min(items.len());
            items.insert(at, value);
            Value::None
        }
        "pop" => {
            let at = given.int("index", -1)?;
            let mut items = items.borrow_mut();
            let at = place(at, items.len()).ok().filter(|&at| at < items.len());
            items.remove(at.ok_or_else(|| Fault::new("pop index out of range"))?)
        }
        "remove" => {
            let value = given.required("value")?;
            let at = items.borrow().iter().position(|item| item.equals(&value, 0));
            items.borrow_mut().remove(at.ok_or_else(|| Fault::new("list.remove(x): x not in list"))?);
            Value::None
        }
        "reverse" => {
            items.borrow_mut().reverse();
            Value::None
        }
        "clear" => {
            items.borrow_mut().clear();
            Value::None
        }
        "copy" => Value::list(items.borrow().clone()),
        _ => {
            let wanted = given.required("value")?;
            sequence(&items.borrow(), name, &wanted)?
        }
    };
    given.finish()?;
    Ok(result)
}

/// `index` and `count`.
fn sequence(items: &[Value], name: &str, wanted: &Value) -> Result<Value, Fault> {
    let mut places =
        items.iter().enumerate().filter(|(_, item)| item.equals(wanted, 0)).map(|(at, _)| at as i64);
    match name {
        "count" => Ok(Value::Int(places.count() as i64)),
        "index" => places.next().map(Value::Int).ok_or_else(|| Fault::new("value is not in the sequence")),
        _ => Err(Fault::new(format!("no attribute '{name}'"))),
    }
}

fn looped(state: &LoopState, name: &str, given: Given) -> Result<Value, Fault> {
    let (positional, _) = given.rest();
    if name == "cycle" {
        if positional.is_empty() {
            return Err(Fault::new("no items for cycling given"));
        }
        return Ok(positional[state.index0 % positional.len()].clone());
    }
    let now = Value::tuple(positional);
    let mut before = state.changed.borrow_mut();
    let changed = before.as_ref().is_none_or(|before| !before.equals(&now, 0));
    *before = Some(now);
    Ok(Value::Bool(changed))
}
