//! Methods of strings, lists, dicts and loops.

use super::arguments::Given;
use super::error::{Fault, excerpt};
use super::format::braces;
use super::fuel::Fuel;
use super::strings::{self, Ends};
use super::text::Text;
use super::value::{Dict, LoopState, Named, Value, Values, position};
use std::cell::RefCell;
use std::rc::Rc;

/// Calls a method.
pub(crate) fn call(value: &Value, name: &str, positional: Values, named: Named) -> Result<Value, Fault> {
    let mut given = Given::new(positional, named);
    match value {
        Value::Str(text) => string(text, name, given),
        Value::Dict(entries) => dict(entries, name, given),
        Value::List(items) => list(items, name, given),
        Value::Loop(state) => looped(state, name, given),
        other => {
            let wanted = given.required("value")?;
            sequence(&given.fuel, &other.items(&given.fuel)?, name, &wanted)
        }
    }
}

fn string(text: &Text, name: &str, mut given: Given) -> Result<Value, Fault> {
    let s = text.read()?;
    let every = |test: fn(char) -> bool| Value::Bool(!s.is_empty() && s.chars().all(test));
    let found = |at: Option<usize>| at.map_or(-1, |at| s[..at].chars().count() as i64);
    let result = match name {
        "upper" => Value::Str(strings::upper(text)?),
        "lower" => Value::Str(strings::lower(text)?),
        "casefold" => Value::Str(strings::fold_case(text)?),
        "capitalize" => Value::Str(strings::capitalize(text)?),
        "title" => Value::Str(strings::title(text, |before| !before.is_alphabetic())?),
        "swapcase" => Value::Str(text.map_chars(&mut |_, c, out| {
            if c.is_uppercase() { out.extend(c.to_lowercase()) } else { out.extend(c.to_uppercase()) }
        })?),
        "strip" | "lstrip" | "rstrip" => {
            let ends = Ends { start: name != "rstrip", end: name != "lstrip" };
            Value::Str(strings::strip(text, given.text("chars")?.as_ref(), ends)?)
        }
        "split" | "rsplit" => {
            let separator = given.text("sep")?;
            let max = given.int("maxsplit", -1)?;
            Value::list(strings::split(text, separator.as_ref(), max, name == "rsplit")?)
        }
        "splitlines" => {
            let keep_ends = given.flag("keepends", false)?;
            Value::list(strings::split_lines(text, keep_ends)?)
        }
        "startswith" | "endswith" => {
            let wanted = given.required("prefix")?;
            let wanted = match &wanted {
                Value::Tuple(parts) => &***parts,
                single => std::slice::from_ref(single),
            };
            let mut holds = false;
            for part in wanted {
                let Value::Str(part) = part else {
                    return Err(Fault::new(format!("{name} first arg must be str or a tuple of str")));
                };
                let part = part.read()?;
                holds |= if name == "startswith" { s.starts_with(part) } else { s.ends_with(part) };
            }
            Value::Bool(holds)
        }
        "replace" => {
            let (old, new) = (given.required_text("old")?, given.required_text("new")?);
            let max = given.int("count", -1)?;
            Value::Str(strings::replace(text, &old, &new, (max >= 0).then_some(max))?)
        }
        "find" => Value::Int(found(s.find(given.required_text("sub")?.read()?))),
        "rfind" => Value::Int(found(s.rfind(given.required_text("sub")?.read()?))),
        "index" | "rindex" => {
            let part = given.required_text("sub")?;
            let at = if name == "index" { s.find(part.read()?) } else { s.rfind(part.read()?) };
            Value::Int(found(Some(at.ok_or_else(|| Fault::new("substring not found"))?)))
        }
        "count" => {
            let part = given.required_text("sub")?;
            let count = if part.as_str().is_empty() {
                s.chars().count() + 1
            } else {
                s.matches(part.read()?).count()
            };
            Value::Int(count as i64)
        }
        "join" => {
            let items = given.required("iterable")?.items(&given.fuel)?;
            if let Some(other) = items.iter().find(|item| !matches!(item, Value::Str(_))) {
                return Err(Fault::new(format!("sequence item: expected str, {} found", other.type_name())));
            }
            Value::Str(strings::join(text, items.iter())?)
        }
        "format" => {
            let (positional, named) = given.rest()?;
            return braces(text, &positional, &named).map(Value::Str);
        }
        "isdigit" | "isdecimal" | "isnumeric" => every(char::is_numeric),
        "isalpha" => every(char::is_alphabetic),
        "isalnum" => every(char::is_alphanumeric),
        "isspace" => every(strings::is_python_space),
        "isascii" => Value::Bool(s.is_ascii()),
        "isupper" => Value::Bool(s.chars().any(char::is_uppercase) && !s.chars().any(char::is_lowercase)),
        "islower" => Value::Bool(s.chars().any(char::is_lowercase) && !s.chars().any(char::is_uppercase)),
        "removeprefix" => {
            let prefix = given.required_text("prefix")?;
            Value::Str(text.subslice(s.strip_prefix(prefix.read()?).unwrap_or(s)))
        }
        "removesuffix" => {
            let suffix = given.required_text("suffix")?;
            Value::Str(text.subslice(s.strip_suffix(suffix.read()?).unwrap_or(s)))
        }
        "partition" | "rpartition" => {
            let separator = given.required_text("sep")?;
            let at = if name == "partition" { s.find(separator.read()?) } else { s.rfind(separator.read()?) };
            let (start, end) = match at {
                Some(at) => (at, at + separator.as_str().len()),
                None if name == "partition" => (s.len(), s.len()),
                None => (0, 0),
            };
            let parts = [0..start, start..end, end..s.len()].map(|range| Value::Str(text.slice(range)));
            Value::tuple(Values::copy_of(&given.fuel, &parts)?)
        }
        "zfill" => Value::Str(strings::pad(text, given.int("width", 0)?, '0', true, false)?),
        "ljust" | "rjust" | "center" => {
            let width = given.int("width", 0)?;
            let fill = given.text("fillchar")?.and_then(|fill| fill.as_str().chars().next()).unwrap_or(' ');
            Value::Str(strings::pad(text, width, fill, name != "ljust", name != "rjust")?)
        }
        _ => return Err(Fault::new(format!("'str' object has no attribute '{name}'"))),
    };
    given.finish()?;
    Ok(result)
}

fn dict(entries: &Rc<RefCell<Dict>>, name: &str, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let note = |held: &Value| fuel.note_cyclic(|| Value::Dict(Rc::clone(entries)), held);
    let result = match name {
        "get" => {
            let key = given.required("key")?;
            let default = given.take("default")?.unwrap_or(Value::None);
            entries.borrow().get(&key)?.cloned().unwrap_or(default)
        }
        "keys" => Value::list(entries.borrow().pick(|(key, _)| Ok(key.clone()))?),
        "values" => Value::list(entries.borrow().pick(|(_, value)| Ok(value.clone()))?),
        "items" => Value::list(entries.borrow().pairs()?),
        "copy" => Value::dict(Dict(entries.borrow().0.copy()?)),
        "clear" => {
            entries.borrow_mut().0.clear();
            Value::None
        }
        "pop" => {
            let key = given.required("key")?;
            let default = given.take("default")?;
            let popped = entries.borrow_mut().remove(&key)?;
            match popped.or(default) {
                Some(value) => value,
                None => {
                    let key = key.to_text(&fuel)?;
                    return Err(Fault::new(format!("KeyError: {}", excerpt(key.as_str()))));
                }
            }
        }
        "setdefault" => {
            let key = given.required("key")?;
            let default = given.take("default")?.unwrap_or(Value::None);
            let known = entries.borrow().get(&key)?.cloned();
            if known.is_none() {
                note(&default)?;
                entries.borrow_mut().set(key, default.clone())?;
            }
            known.unwrap_or(default)
        }
        "update" => {
            let mut added = super::functions::dict_of(given)?;
            for (key, value) in added.0.drain() {
                note(&value)?;
                entries.borrow_mut().set(key, value)?;
            }
            return Ok(Value::None);
        }
        _ => return Err(Fault::new(format!("'dict' object has no attribute '{name}'"))),
    };
    given.finish()?;
    Ok(result)
}

fn list(items: &Rc<RefCell<Values>>, name: &str, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let note = |held: &Value| fuel.note_cyclic(|| Value::List(Rc::clone(items)), held);
    let place = |index: i64, len: usize| {
        usize::try_from(if index < 0 { index.saturating_add(len as i64) } else { index })
    };
    let result = match name {
        "append" => {
            let value = given.required("object")?;
            note(&value)?;
            items.borrow_mut().push(value)?;
            Value::None
        }
        "extend" => {
            let more = given.required("iterable")?.items(&fuel)?;
            more.iter().try_for_each(note)?;
            items.borrow_mut().extend(&more)?;
            Value::None
        }
        "insert" => {
            let at = given.int("index", 0)?;
            let value = given.required("object")?;
            note(&value)?;
            let mut items = items.borrow_mut();
            let at = place(at, items.len()).unwrap_or(0).min(items.len());
            items.insert(at, value)?;
            Value::None
        }
        "pop" => {
            let at = given.int("index", -1)?;
            let mut items = items.borrow_mut();
            let at = place(at, items.len()).ok().filter(|&at| at < items.len());
            items.remove(at.ok_or_else(|| Fault::new("pop index out of range"))?)?
        }
        "remove" => {
            let value = given.required("value")?;
            let at = position(&fuel, items.borrow().iter(), &value)?;
            items.borrow_mut().remove(at.ok_or_else(|| Fault::new("list.remove(x): x not in list"))?)?;
            Value::None
        }
        "reverse" => {
            fuel.elements(items.borrow().len())?;
            items.borrow_mut().reverse();
            Value::None
        }
        "clear" => {
            items.borrow_mut().clear();
            Value::None
        }
        "copy" => Value::list(items.borrow().copy()?),
        _ => {
            let wanted = given.required("value")?;
            sequence(&fuel, &items.borrow(), name, &wanted)?
        }
    };
    given.finish()?;
    Ok(result)
}

/// `index` and `count`.
fn sequence(fuel: &Fuel, items: &[Value], name: &str, wanted: &Value) -> Result<Value, Fault> {
    if name == "index" {
        let at = position(fuel, items, wanted)?;
        return at.map(|at| Value::Int(at as i64)).ok_or_else(|| Fault::new("value is not in the sequence"));
    }
    let mut count = 0;
    for item in items {
        count += i64::from(item.equals(wanted, fuel)?);
    }
    Ok(Value::Int(count))
}

fn looped(state: &LoopState, name: &str, given: Given) -> Result<Value, Fault> {
    let (positional, _) = given.rest()?;
    if name == "cycle" {
        if positional.is_empty() {
            return Err(Fault::new("no items for cycling given"));
        }
        return Ok(positional[state.index0 % positional.len()].clone());
    }
    // Once the loop has ended nothing is remembered.
    let Some(before) = state.changed.upgrade() else { return Ok(Value::Bool(true)) };
    let fuel = positional.fuel().clone();
    let now = Value::tuple(positional);
    let is_same = match &*before.borrow() {
        Some(before) => before.equals(&now, &fuel)?,
        None => false,
    };
    before.replace(Some(now));
    Ok(Value::Bool(!is_same))
}
