//! Filters on sequences and mappings.

use super::access::item;
use super::arguments::Given;
use super::error::Fault;
use super::fuel::{Charged, Fuel};
use super::interpreter::Interpreter;
use super::sorting::{Keyed, sort};
use super::strings::count_of;
use super::text::Text;
use super::value::{Value, Values, position};
use super::{filters, strings, tests};
use std::rc::Rc;

/// Applies a filter that looks at elements, but for the families of `map` and `select`.
#[inline(never)]
pub(crate) fn apply(name: &str, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let result = match name {
        "join" => {
            let separator =
                given.take("d")?.map_or_else(|| Text::new(&fuel, "", true), |d| d.to_text(&fuel))?;
            let items = keyed(value.items(&fuel)?, given.take("attribute")?.as_ref(), None)?;
            Value::Str(strings::join(&separator, items.iter().map(|(key, _)| key))?)
        }
        "sum" => {
            let attribute = given.take("attribute")?;
            let mut sum = given.take("start")?.unwrap_or(Value::Int(0));
            for (key, _) in keyed(value.items(&fuel)?, attribute.as_ref(), None)?.iter() {
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
            let case_sensitive = given.flag("case_sensitive", false)?;
            let attribute = given.take("attribute")?;
            let items = keyed(value.items(&fuel)?, attribute.as_ref(), Some(case_sensitive))?;
            let mut best: Option<&(Value, Value)> = None;
            for item in items.iter() {
                let better = match best {
                    None => true,
                    Some((best, _)) if name == "min" => item.0.is_less(best, &fuel)?,
                    Some((best, _)) => best.is_less(&item.0, &fuel)?,
                };
                if better {
                    best = Some(item);
                }
            }
            match best {
                Some((_, item)) => item.clone(),
                None => Value::undefined(&fuel, "an element of an empty sequence")?,
            }
        }
        "sort" => {
            let reverse = given.flag("reverse", false)?;
            let case_sensitive = given.flag("case_sensitive", false)?;
            let attribute = given.take("attribute")?;
            sort_by_attributes(value.items(&fuel)?, attribute.as_ref(), case_sensitive, reverse)?
        }
        "unique" => {
            let case_sensitive = given.flag("case_sensitive", false)?;
            let attribute = given.take("attribute")?;
            let mut seen = Values::new(&fuel);
            let mut kept = Values::new(&fuel);
            for (key, item) in keyed(value.items(&fuel)?, attribute.as_ref(), Some(case_sensitive))?.drain() {
                key.check_hashable(0)?;
                if position(&fuel, seen.iter(), &key)?.is_none() {
                    seen.push(key)?;
                    kept.push(item)?;
                }
            }
            Value::generator(kept)
        }
        "groupby" => groupby(value, &mut given)?,
        "dictsort" => dictsort(value, &mut given)?,
        "batch" | "slice" => {
            let count = given.int(if name == "batch" { "linecount" } else { "slices" }, 1)?;
            let fill = given.take("fill_with")?.filter(|fill| !matches!(fill, Value::None));
            let items = value.items(&fuel)?;
            let count = count_of(count).max(1);
            Value::generator(if name == "batch" {
                batch(&items, count, fill.as_ref())?
            } else {
                slices(&items, count, fill.as_ref())?
            })
        }
        other => return Err(Fault::new(format!("no filter named '{other}'"))),
    };
    given.finish()?;
    Ok(result)
}

/// The element that an attribute of a filter names: `'a.b'`, `0`, `'0'`.
fn attribute_of(fuel: &Rc<Fuel>, value: &Value, attribute: &Value) -> Result<Value, Fault> {
    let Value::Str(path) = attribute else { return item(fuel, value, attribute) };
    let mut value = value.clone();
    for step in path.read()?.split('.') {
        let is_index = !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
        let key = if is_index { step.parse().ok() } else { None };
        value = item(fuel, &value, &key.map_or_else(|| Value::str(fuel, step), |i| Ok(Value::Int(i)))?)?;
    }
    Ok(value)
}

/// What an element is compared by. With `case_sensitive` false, strings are compared in lower case.
fn key_of(
    fuel: &Rc<Fuel>,
    item: &Value,
    attribute: Option<&Value>,
    case_sensitive: Option<bool>,
) -> Result<Value, Fault> {
    let key = match attribute {
        None | Some(Value::None) => item.clone(),
        Some(attribute) => attribute_of(fuel, item, attribute)?,
    };
    match key {
        Value::Str(text) if case_sensitive == Some(false) => strings::lower(&text).map(Value::Str),
        key => Ok(key),
    }
}

/// Elements with what they are compared by.
fn keyed(mut items: Values, attribute: Option<&Value>, case_sensitive: Option<bool>) -> Result<Keyed, Fault> {
    let fuel = items.fuel().clone();
    let pair = |item: Value| Ok((key_of(&fuel, &item, attribute, case_sensitive)?, item));
    Charged::collect(&fuel, items.drain().map(pair))
}

/// Sorts by one attribute, or by several between commas. As in Jinja, what is compared are lists of their values: what is
/// equal needs no order.
fn sort_by_attributes(
    mut items: Values,
    attribute: Option<&Value>,
    case_sensitive: bool,
    reverse: bool,
) -> Result<Value, Fault> {
    let fuel = items.fuel().clone();
    let attributes = match attribute {
        Some(Value::Str(names)) => {
            Values::collect(&fuel, names.read()?.split(',').map(|name| Value::str(&fuel, name)))?
        }
        other => Values::copy_of(&fuel, &[other.cloned().unwrap_or(Value::None)])?,
    };
    let pair = |item: Value| {
        let key = |attribute: &Value| key_of(&fuel, &item, Some(attribute), Some(case_sensitive));
        let keys = Values::collect(&fuel, attributes.iter().map(key))?;
        Ok((Value::tuple(keys), item))
    };
    let mut sorted = sort(Charged::collect(&fuel, items.drain().map(pair))?, reverse)?;
    Ok(Value::list(Values::collect(&fuel, sorted.drain().map(|(_, item)| Ok(item)))?))
}

fn groupby(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let fuel = &given.fuel.clone();
    let attribute = given.required("attribute")?;
    let default = given.take("default")?;
    let fold = !given.flag("case_sensitive", false)?;
    let mut items = keyed(value.items(fuel)?, Some(&attribute), Some(true))?;
    for (key, _) in items.iter_mut() {
        *key = match (&*key, &default) {
            (Value::Undefined(_), Some(default)) => default.clone(),
            (Value::Str(text), _) if fold => Value::Str(strings::lower(text)?),
            (key, _) => key.clone(),
        };
    }
    let mut groups: Charged<(Value, Values)> = Charged::new(fuel);
    for (key, item) in sort(items, false)?.drain() {
        match groups.last_mut() {
            Some((group, members)) if group.equals(&key, fuel)? => members.push(item)?,
            _ => groups.push((key, Values::copy_of(fuel, &[item])?))?,
        }
    }
    let group = |(key, members): (Value, Values)| {
        // The name of a group is as its first element has it.
        let name = match &key {
            Value::Str(_) if fold => attribute_of(fuel, &members[0], &attribute)?,
            _ => key,
        };
        Ok(Value::tuple(Values::copy_of(fuel, &[name, Value::list(members)])?))
    };
    Ok(Value::list(Values::collect(fuel, groups.drain().map(group))?))
}

fn dictsort(value: &Value, given: &mut Given) -> Result<Value, Fault> {
    let case_sensitive = given.flag("case_sensitive", false)?;
    let by = given.text("by")?;
    let reverse = given.flag("reverse", false)?;
    let at = match by.as_ref().map_or("key", Text::as_str) {
        "key" => 0,
        "value" => 1,
        _ => return Err(Fault::new("You can only sort by either \"key\" or \"value\"")),
    };
    let Value::Dict(entries) = value else { return Err(Fault::new("dictsort needs a mapping")) };
    let pairs = entries.borrow().pairs()?;
    sort_by_attributes(pairs, Some(&Value::Int(at)), case_sensitive, reverse)
}

#[inline(never)]
pub(crate) fn map(interpreter: &mut Interpreter, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let mut mapped = Values::new(&fuel);
    // As in Jinja, what is not true has no elements, whatever it is.
    if !value.is_true() {
        return Ok(Value::generator(mapped));
    }
    if let Some(attribute) = given.take_named("attribute")? {
        let default = given.take_named("default")?;
        given.finish()?;
        for item in value.items(&fuel)?.drain() {
            let found = attribute_of(&fuel, &item, &attribute)?;
            mapped.push(if found.is_undefined() { default.clone().unwrap_or(found) } else { found })?;
        }
    } else {
        let filter = given.required_text("filter")?;
        let (positional, named) = given.rest()?;
        for item in value.items(&fuel)?.drain() {
            let (positional, named) = (positional.copy()?, named.copy()?);
            // The filter may be `map` again.
            let apply =
                |inner: &mut Interpreter| filters::apply(inner, filter.as_str(), &item, positional, named);
            mapped.push(interpreter.deeper(apply)?)?;
        }
    }
    Ok(Value::generator(mapped))
}

#[inline(never)]
pub(crate) fn select(name: &str, value: &Value, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let mut kept = Values::new(&fuel);
    // As in Jinja, what is not true has no elements, whatever it is.
    if !value.is_true() {
        return Ok(Value::generator(kept));
    }
    let wanted = name.starts_with("select");
    let attribute = if name.ends_with("attr") { Some(given.required("attribute")?) } else { None };
    let test = given.text("test")?;
    let (arguments, _) = given.rest()?;
    for item in value.items(&fuel)?.drain() {
        let key = match &attribute {
            Some(attribute) => attribute_of(&fuel, &item, attribute)?,
            None => item.clone(),
        };
        let holds = match &test {
            Some(test) => tests::apply(&fuel, test.as_str(), &key, &arguments)?,
            None => key.is_true(),
        };
        if holds == wanted {
            kept.push(item)?;
        }
    }
    Ok(Value::generator(kept))
}

/// A list that is filled up to a length.
fn filled(mut list: Values, len: usize, fill: Option<&Value>) -> Result<Value, Fault> {
    if let Some(fill) = fill {
        list.make_room(len.saturating_sub(list.len()))?;
        while list.len() < len {
            list.push(fill.clone())?;
        }
    }
    Ok(Value::list(list))
}

fn batch(items: &Values, len: usize, fill: Option<&Value>) -> Result<Values, Fault> {
    let batch = |part: &[Value]| filled(Values::copy_of(items.fuel(), part)?, len, fill);
    Values::collect(items.fuel(), items.chunks(len).map(batch))
}

fn slices(items: &Values, count: usize, fill: Option<&Value>) -> Result<Values, Fault> {
    let (each, longer) = (items.len() / count, items.len() % count);
    let mut start = 0;
    let slice = |at: usize| {
        let is_longer = at < longer;
        let part = Values::copy_of(items.fuel(), &items[start..start + each + usize::from(is_longer)])?;
        start += part.len();
        filled(part, each + 1, fill.filter(|_| !is_longer))
    };
    Values::collect(items.fuel(), (0..count).map(slice))
}
