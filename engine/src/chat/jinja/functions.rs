//! Global functions.

use super::arguments::Given;
use super::error::Fault;
use super::interpreter::Interpreter;
use super::text::Text;
use super::value::{Dict, Value};

/// Longest `range`, as in Jinja's sandbox.
const RANGE_LEN_MAX: i64 = 100_000;

/// The global of that name. `strftime_now` exists only where the time is known, so that templates fall back to the
/// date that they carry.
pub(crate) fn global(name: &str, interpreter: &Interpreter) -> Option<Value> {
    const NAMES: [&str; 6] = ["range", "dict", "namespace", "raise_exception", "strftime_now", "joiner"];
    let found = NAMES.into_iter().find(|n| *n == name && *n != "joiner")?;
    (found != "strftime_now" || interpreter.now.is_some()).then_some(Value::Function(found))
}

/// Calls a global function.
pub(crate) fn call(
    interpreter: &Interpreter,
    name: &str,
    positional: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value, Fault> {
    let mut given = Given::new(positional, named);
    match name {
        "range" => {
            let first = given.required("start")?;
            let second = given.take("stop");
            let step = given.int("step", 1)?;
            given.finish()?;
            range(&first, second.as_ref(), step)
        }
        "dict" => Ok(Value::dict(dict_of(given)?)),
        "namespace" => Ok(Value::Namespace(std::rc::Rc::new(std::cell::RefCell::new(dict_of(given)?)))),
        "raise_exception" => {
            let message = given.required("message")?.to_text();
            Err(Fault::Raised(message.as_str().to_owned()))
        }
        "strftime_now" => {
            let format = given.required_text("format")?;
            let now = interpreter.now.ok_or_else(|| Fault::new("the time is not known"))?;
            Ok(Value::Str(Text::new(&now.format(format.as_str())?, format.is_trusted())))
        }
        _ => Err(Fault::new(format!("'{name}' is undefined"))),
    }
}

fn range(first: &Value, second: Option<&Value>, step: i64) -> Result<Value, Fault> {
    let int = |value: &Value| value.as_int().ok_or_else(|| Fault::new("range() needs integers"));
    let (mut at, stop) = match second {
        Some(second) => (int(first)?, int(second)?),
        None => (0, int(first)?),
    };
    if step == 0 {
        return Err(Fault::new("range() arg 3 must not be zero"));
    }
    let mut items = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        if items.len() as i64 >= RANGE_LEN_MAX {
            return Err(Fault::Limit("a range is too long"));
        }
        items.push(Value::Int(at));
        at = at.saturating_add(step);
    }
    Ok(Value::list(items))
}

/// What `dict(...)` holds: the entries of a dict or of pairs, then named arguments.
pub(crate) fn dict_of(given: Given) -> Result<Dict, Fault> {
    let (positional, named) = given.rest();
    let mut dict = Dict::default();
    for source in positional {
        match source {
            Value::Dict(entries) | Value::Namespace(entries) => {
                for (key, value) in &entries.borrow().0 {
                    dict.set(key.clone(), value.clone());
                }
            }
            other => {
                for pair in other.items()? {
                    let [key, value] = <[Value; 2]>::try_from(pair.items()?)
                        .map_err(|_| Fault::new("a dict needs pairs of a key and a value"))?;
                    dict.set(key, value);
                }
            }
        }
    }
    for (name, value) in named {
        dict.set(Value::str(&name), value);
    }
    Ok(dict)
}
