//! Global functions.

use super::arguments::Given;
use super::error::{Fault, excerpt};
use super::fuel::Fuel;
use super::interpreter::Interpreter;
use super::text::Text;
use super::value::{Dict, Named, Value, Values};
use std::cell::RefCell;
use std::rc::Rc;

/// Longest `range`, as in Jinja's sandbox.
const RANGE_LEN_MAX: i64 = 100_000;

/// The global of that name. `strftime_now` exists only where the time is known, so that templates fall back to the
/// date that they carry.
pub(crate) fn global(name: &str, interpreter: &Interpreter) -> Option<Value> {
    const NAMES: [&str; 5] = ["range", "dict", "namespace", "raise_exception", "strftime_now"];
    let found = NAMES.into_iter().find(|n| *n == name)?;
    (found != "strftime_now" || interpreter.now.is_some()).then_some(Value::Function(found))
}

/// Calls a global function.
pub(crate) fn call(
    interpreter: &Interpreter,
    name: &str,
    positional: Values,
    named: Named,
) -> Result<Value, Fault> {
    let mut given = Given::new(positional, named);
    match name {
        "range" => {
            let first = given.required("start")?;
            let second = given.take("stop")?;
            let step = given.int("step", 1)?;
            given.finish()?;
            range(&interpreter.fuel, &first, second.as_ref(), step)
        }
        "dict" => Ok(Value::dict(dict_of(given)?)),
        "namespace" => Ok(Value::Namespace(Rc::new(RefCell::new(dict_of(given)?)))),
        "raise_exception" => {
            let message = given.required("message")?.to_text(&interpreter.fuel)?;
            Err(Fault::Raised(excerpt(message.as_str()).to_owned()))
        }
        "strftime_now" => {
            let format = given.required_text("format")?;
            let now = interpreter.now.ok_or_else(|| Fault::new("the time is not known"))?;
            let text = now.format(format.as_str())?;
            Ok(Value::Str(Text::new(&interpreter.fuel, &text, format.is_trusted())?))
        }
        _ => Err(Fault::undefined(name)),
    }
}

fn range(fuel: &Rc<Fuel>, first: &Value, second: Option<&Value>, step: i64) -> Result<Value, Fault> {
    let int = |value: &Value| value.as_int().ok_or_else(|| Fault::new("range() needs integers"));
    let (mut at, stop) = match second {
        Some(second) => (int(first)?, int(second)?),
        None => (0, int(first)?),
    };
    if step == 0 {
        return Err(Fault::new("range() arg 3 must not be zero"));
    }
    let mut items = Values::new(fuel);
    while if step > 0 { at < stop } else { at > stop } {
        if items.len() as i64 >= RANGE_LEN_MAX {
            return Err(Fault::Limit("a range is too long"));
        }
        items.push(Value::Int(at))?;
        at = at.saturating_add(step);
    }
    Ok(Value::list(items))
}

/// What `dict(...)` holds: the entries of a dict or of pairs, then named arguments.
pub(crate) fn dict_of(given: Given) -> Result<Dict, Fault> {
    let mut dict = Dict::new(&given.fuel);
    let (positional, mut named) = given.rest()?;
    for source in positional.iter() {
        match source {
            Value::Dict(entries) | Value::Namespace(entries) => {
                for (key, value) in entries.borrow().0.iter() {
                    dict.set(key.clone(), value.clone())?;
                }
            }
            other => {
                for pair in other.items(positional.fuel())?.iter() {
                    let pair = pair.items(positional.fuel())?;
                    let [key, value] = &*pair else {
                        return Err(Fault::new("a dict needs pairs of a key and a value"));
                    };
                    dict.set(key.clone(), value.clone())?;
                }
            }
        }
    }
    for (name, value) in named.drain() {
        dict.set(Value::str(positional.fuel(), &name)?, value)?;
    }
    Ok(dict)
}
