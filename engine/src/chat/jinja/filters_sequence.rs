//! Filters on sequences and mappings.

use super::arguments::Given;
use super::error::Fault;
use super::evaluate::item;
use super::interpreter::Interpreter;
use super::text::Text;
use super::value::Value;
use super::{filters, strings, tests};
use std::cmp::Ordering;

/// Applies a filter that looks at elements.
pub(crate) fn apply(
    interpreter: &mut Interpreter,
    name: &str,
    value: &Value,
    mut given: Given,
) -> Result<Value, Fault> {
    match name {
        "map" => return map(interpreter, value, given),
        "select" | "reject" | "selectattr" | "rejectattr" => return select(name, value, given),
        _ => {}
    }
    let result = match name {
        "join" => {
            let separator =
                given.take("d").map_or_else(|| Text::new("", true), |separator| separator.to_text());
            let items = keyed(value.items()?, given.take("attribute").as_ref(), None)?;
            let items: Vec<Value> = items.into_iter().map(|(key, _)| key).collect();
            Value::Str(strings::join(&separator, &items))
        }
        "sum" => {
            let attribute = given.take("attribute").filter(|attribute| !matches!(attribute, Value::None));
            let mut sum = given.take("start").unwrap_or(Value::Int(0));
            for (key, _) in keyed(value.items()?, attribute.as_ref(), None)? {
                sum = match (sum.as_int(), key.as_int(), sum.as_float(), key.as_float()) {
                    (Some(a), Some(b), ..) => {
                        a.checked_add(b).map(Value::Int).ok_or_else(|| Fault::new("integer overflow"))?
                    }
                    (_, _, Some(a), Some(b)) => Value::Float(a + b),
                    _ => return Err(Fault::new(format!("cannot add a value of type '{}'", key.type_name()))),
                };
            }
            sum
        }
        "min" | "max" => {
            let case_sensitive = given.flag("case_sensitive", false);
            let items = keyed(value.items()?, given.take("attribute").as_ref(), Some(case_sensitive))?;
            let wanted = if name == "min" { Ordering::Less } else { Ordering::Greater };
            let mut best: Option<(Value, Value)> = None;
            for (key, item) in items {
                let better = match &best {
                    None => true,
                    Some((best, _)) => key.compare(best)? == wanted,
                };
                if better {
                    best = Some((key, item));
                }
            }
            best.map_or_else(|| Value::undefined("an element of an empty sequence"), |(_, item)| item)
        }
        "sort" => {
            let reverse = given.flag("reverse", false);
            let case_sensitive = given.flag("case_sensitive", false);
            let attribute = given.take("attribute");
            sort_by_attributes(value.items()?, attribute.as_ref(), case_sensitive, reverse)
                .map(Value::list)?
        }
        "unique" => {
            let case_sensitive = given.flag("case_sensitive", false);
            let mut seen: Vec<Value> = Vec::new();
            let mut kept = Vec::new();
            for (key, item) in keyed(value.items()?, given.take("attribute").as_ref(), Some(case_sensitive))?
            {
                if !seen.iter().any(|other| other.equals(&key, 0)) {
                    seen.push(key);
                    kept.push(item);
                }
            }
            Value::list(kept)
        }
        "groupby" => {
            let attribute = given.required("attribute")?;
            let mut items = keyed(value.items()?, Some(&attribute), Some(true))?;
            sort(&mut items, false)?;
            let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
            for (key, item) in items {
                match groups.last_mut() {
                    Some((group, members)) if group.equals(&key, 0) => members.push(item),
                    _ => groups.push((key, vec![item])),
                }
            }
            Value::list(
                groups.into_iter().map(|(key, items)| Value::tuple(vec![key, Value::list(items)])).collect(),
            )
        }
        "dictsort" => dictsort(value, &mut given)?,
        "batch" | "slice" => {
            let len = usize::try_from(given.int(if name == "batch" { "linecount" } else { "slices" }, 1)?)
                .unwrap_or(0)
                .max(1);
            let fill = given.take("fill_with").filter(|fill| !matches!(fill, Value::None));
            let items = value.items()?;
            if name == "batch" {
                batch(&items, len, fill.as_ref())
            } else {
                slices(&items, len, fill.as_ref())
            }
        }
        other => return Err(Fault::new(format!("no filter named '{other}'"))),
    };
    given.finish()?;
    Ok(result)
}

/// The element that an attribute of a filter names: `'a.b'`, `0`, `'0'`.
fn attribute_of(value: &Value, attribute: &Value) -> Result<Value, Fault> {
    let Value::Str(path) = attribute else { return item(value, attribute) };
    let mut value = value.clone();
    for step in path.as_str().split('.') {
        let key = if step.bytes().all(|b| b.is_ascii_digit()) { step.parse().ok() } else { None };
        value = item(&value, &key.map_or_else(|| Value::str(step), Value::Int))?;
    }
    Ok(value)
}

/// Elements with what they are compared by. With `case_sensitive` false, strings are compared in lower case.
fn keyed(
    items: Vec<Value>,
    attribute: Option<&Value>,
    case_sensitive: Option<bool>,
) -> Result<Vec<(Value, Value)>, Fault> {
    let fold = |key: Value| match key {
        Value::Str(text) if case_sensitive == Some(false) => Value::Str(strings::lower(&text)),
        other => other,
    };
    let key = |item: &Value| match attribute {
        None | Some(Value::None) => Ok(item.clone()),
        Some(attribute) => attribute_of(item, attribute),
    };
    items.into_iter().map(|item| Ok((fold(key(&item)?), item))).collect()
}

/// Stable, as Python's; a comparison that fails stops it.
fn sort(items: &mut [(Value, Value)], reverse: bool) -> Result<(), Fault> {
    let mut fault = None;
    items.sort_by(|(a, _), (b, _)| {
        let order = a.compare(b).unwrap_or_else(|error| {
            fault.get_or_insert(error);
            Ordering::Equal
        });
        if reverse { order.reverse() } else { order }
    });
    fault.map_or(Ok(()), Err)
}

/// Sorts by one attribute, or by several between commas.
fn sort_by_attributes(
    items: Vec<Value>,
    attribute: Option<&Value>,
    case_sensitive: bool,
    reverse: bool,
) -> Result<Vec<Value>, Fault> {
    let mut sorted = items;
    let attributes: Vec<Option<Value>> = match attribute {
        Some(Value::Str(names)) => names.as_str().split(',').map(|name| Some(Value::str(name))).collect(),
        other => vec![other.cloned()],
    };
    // The least significant first: sorting is stable.
    for attribute in attributes.iter().rev() {
        let mut items = keyed(sorted, attribute.as_ref(), Some(case_sensitive))?;
        sort(&mut items, reverse)?;
        sorted = items.into_iter().map(|(_, item)| item).collect();
    }
    Ok(sorted)
}

fn dictsort(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let case_sensitive = given.flag("case_sensitive", false);
    let by = given.text("by")?;
    let reverse = given.flag("reverse", false);
    let at = match by.as_ref().map_or("key", Text::as_str) {
        "key" => 0,
        "value" => 1,
        _ => return Err(Fault::new("You can only sort by either \"key\" or \"value\"")),
    };
    let Value::Dict(entries) = value else { return Err(Fault::new("dictsort needs a mapping")) };
    let pairs = entries
        .borrow()
        .0
        .iter()
        .map(|(key, value)| Value::tuple(vec![key.clone(), value.clone()]))
        .collect();
    sort_by_attributes(pairs, Some(&Value::Int(at)), case_sensitive, reverse).map(Value::list)
}

fn map(interpreter: &mut Interpreter, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let items = value.items()?;
    let mut mapped = Vec::with_capacity(items.len());
    if let Some(attribute) = given.take_named("attribute") {
        let default = given.take_named("default");
        given.finish()?;
        for item in items {
            let found = attribute_of(&item, &attribute)?;
            mapped.push(if found.is_undefined() { default.clone().unwrap_or(found) } else { found });
        }
    } else {
        let filter = given.required_text("filter")?;
        let (positional, named) = given.rest();
        for item in items {
            mapped.push(filters::apply(
                interpreter,
                filter.as_str(),
                &item,
                positional.clone(),
                named.clone(),
            )?);
        }
    }
    Ok(Value::list(mapped))
}

fn select(name: &str, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let wanted = name.starts_with("select");
    let attribute = if name.ends_with("attr") { Some(given.required("attribute")?) } else { None };
    let test = given.text("test")?;
    let (arguments, _) = given.rest();
    let mut kept = Vec::new();
    for item in value.items()? {
        let key = match &attribute {
            Some(attribute) => attribute_of(&item, attribute)?,
            None => item.clone(),
        };
        let holds = match &test {
            Some(test) => tests::apply(test.as_str(), &key, &arguments)?,
            None => key.is_true(),
        };
        if holds == wanted {
            kept.push(item);
        }
    }
    Ok(Value::list(kept))
}

fn batch(items: &[Value], len: usize, fill: Option<&Value>) -> Value {
    let filled = |chunk: &[Value]| {
        let mut chunk = chunk.to_vec();
        if let Some(fill) = fill {
            chunk.resize(len.min(1 << 16).max(chunk.len()), fill.clone());
        }
        Value::list(chunk)
    };
    Value::list(items.chunks(len).map(filled).collect())
}

fn slices(items: &[Value], count: usize, fill: Option<&Value>) -> Value {
    let count = count.min(1 << 16);
    let (each, longer) = (items.len() / count, items.len() % count);
    let mut start = 0;
    let slice = |at: usize| {
        let len = each + usize::from(at < longer);
        let mut part = items[start..start + len].to_vec();
        start += len;
        if let Some(fill) = fill.filter(|_| at >= longer && longer > 0) {
            part.push(fill.clone());
        }
        Value::list(part)
    };
    Value::list((0..count).map(slice).collect())
}
