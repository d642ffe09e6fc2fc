//! What a value has: attributes, items, methods, parts.

use super::error::Fault;
use super::fuel::{Account, Fuel};
use super::text::{Builder, Text};
use super::value::{LoopState, Method, Value, Values, position};
use std::rc::Rc;

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

/// The name of the method, if a value has one of that name.
fn method_named(value: &Value, name: &str) -> Option<&'static str> {
    let names = match value {
        Value::Str(_) => STRING,
        Value::List(_) => LIST,
        Value::Tuple(_) => TUPLE,
        Value::Dict(_) => DICT,
        Value::Loop(_) => LOOP,
        _ => return None,
    };
    names.iter().find(|n| **n == name).copied()
}

/// Whether a value has a method of that name.
pub(crate) fn has_method(value: &Value, name: &str) -> bool {
    method_named(value, name).is_some()
}

/// The indices of `[start:stop:step]`, as Python counts them.
pub(crate) fn slice_indices(
    len: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<impl Iterator<Item = usize>, Fault> {
    if step == 0 {
        return Err(Fault::new("slice step cannot be zero"));
    }
    let len = len as i64;
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |bound: i64| (if bound < 0 { bound.saturating_add(len) } else { bound }).clamp(low, high);
    let start = start.map_or(if step > 0 { low } else { high }, place);
    let stop = stop.map_or(if step > 0 { high } else { low }, place);
    let is_within = move |at: &i64| if step > 0 { *at < stop } else { *at > stop };
    let first = Some(start).filter(is_within);
    let next = move |at: &i64| Some(at.saturating_add(step)).filter(is_within);
    Ok(std::iter::successors(first, next).map(|at| at as usize))
}

pub(crate) fn slice_text(
    text: &Text,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<Text, Fault> {
    let len = text.chars_len()?;
    let source = text.as_str();
    let mut indices = slice_indices(len, start, stop, step)?;
    if step == 1 {
        let Some(first) = indices.next() else { return Ok(text.slice(0..0)) };
        let place = |at: usize| source.char_indices().nth(at).map_or(source.len(), |(at, _)| at);
        let end =
            stop.map_or(len as i64, |stop| if stop < 0 { stop.saturating_add(len as i64) } else { stop });
        return Ok(text.slice(place(first)..place(usize::try_from(end).unwrap_or(0))));
    }
    let mut out = Builder::new(text.fuel());
    let mut at = 0;
    let mut offset = 0;
    for index in indices {
        // Characters have no index: from the place of one to that of the next.
        let (from, to) = (at.min(index), at.max(index));
        text.fuel().bytes(to - from)?;
        let chars = |part: &str, n: usize| part.chars().take(n).map(char::len_utf8).sum::<usize>();
        offset = if index >= at {
            offset + chars(&source[offset..], index - at)
        } else {
            offset - source[..offset].chars().rev().take(at - index).map(char::len_utf8).sum::<usize>()
        };
        at = index;
        out.push_text(&text.slice(offset..offset + chars(&source[offset..], 1)))?;
    }
    Ok(out.finish())
}

/// `value.name`: a method or attribute first, then an item.
pub(crate) fn attribute(fuel: &Rc<Fuel>, value: &Value, name: &str) -> Result<Value, Fault> {
    if let Some(name) = method_named(value, name) {
        let method = Method { of: value.clone(), name, _account: Account::new(fuel) };
        return Ok(Value::Method(Rc::new(method)));
    }
    let found = match value {
        Value::Undefined(of) => return Err(Fault::undefined(of.as_str())),
        Value::Dict(entries) | Value::Namespace(entries) => entries.borrow().get_str(name)?.cloned(),
        Value::Loop(state) => loop_attribute(state, name),
        Value::Macro(closure) if name == "name" => Some(Value::str(fuel, &closure.definition.name)?),
        _ => None,
    };
    found.map_or_else(|| Value::undefined(fuel, name), Ok)
}

/// `value[key]`: an item first, then a method or attribute.
pub(crate) fn item(fuel: &Rc<Fuel>, value: &Value, key: &Value) -> Result<Value, Fault> {
    let at = |len: usize| {
        let index = key.as_int()?;
        usize::try_from(if index < 0 { index.checked_add(len as i64)? } else { index }).ok()
    };
    let found = match value {
        Value::Undefined(of) => return Err(Fault::undefined(of.as_str())),
        Value::Dict(entries) if key.check_hashable(0).is_ok() => entries.borrow().get(key)?.cloned(),
        Value::List(items) => at(items.borrow().len()).and_then(|at| items.borrow().get(at).cloned()),
        Value::Tuple(items) => at(items.len()).and_then(|at| items.get(at).cloned()),
        Value::Str(text) => {
            let found = at(text.chars_len()?).and_then(|at| text.as_str().char_indices().nth(at));
            found.map(|(at, c)| Value::Str(text.slice(at..at + c.len_utf8())))
        }
        _ => None,
    };
    match (found, key) {
        (Some(found), _) => Ok(found),
        // What `value.name` finds beyond items.
        (None, Value::Str(name)) => attribute(fuel, value, name.read()?),
        (None, key) => Ok(Value::Undefined(key.to_text(fuel)?)),
    }
}

fn loop_attribute(state: &LoopState, name: &str) -> Option<Value> {
    let (at, len) = (state.index0, state.items.len());
    let int = |i: usize| Value::Int(i as i64);
    Some(match name {
        "index" => int(at + 1),
        "index0" => int(at),
        "revindex" => int(len - at),
        "revindex0" => int(len - at - 1),
        "first" => Value::Bool(at == 0),
        "last" => Value::Bool(at + 1 == len),
        "length" => int(len),
        // Only recursive loops have more.
        "depth" => Value::Int(1),
        "depth0" => Value::Int(0),
        "previtem" if at > 0 => state.items[at - 1].clone(),
        "nextitem" if at + 1 < len => state.items[at + 1].clone(),
        _ => return None,
    })
}

/// Python's `in`.
pub(crate) fn contains(fuel: &Rc<Fuel>, container: &Value, value: &Value) -> Result<bool, Fault> {
    match (container, value) {
        (Value::Str(text), Value::Str(part)) => Ok(text.read()?.contains(part.read()?)),
        (Value::Str(_), other) => Err(Fault::new(format!(
            "'in <string>' requires string as left operand, not {}",
            other.type_name()
        ))),
        (Value::Dict(entries), key) => Ok(entries.borrow().get(key)?.is_some()),
        (Value::List(items), value) => Ok(position(fuel, items.borrow().iter(), value)?.is_some()),
        (Value::Generator(rest), value) => {
            let items = container.items(fuel)?;
            let found = position(fuel, items.iter(), value)?;
            // What comes behind it is still to be had.
            rest.replace(Values::copy_of(fuel, &items[found.map_or(items.len(), |at| at + 1)..])?);
            Ok(found.is_some())
        }
        (other, value) => Ok(position(fuel, other.items(fuel)?.iter(), value)?.is_some()),
    }
}
