//! What can stand after `is`.

use super::error::{Fault, excerpt};
use super::evaluate::contains;
use super::filters;
use super::fuel::Fuel;
use super::value::Value;
use std::cmp::Ordering;
use std::rc::Rc;

const NAMES: &[&str] = &[
    "defined",
    "undefined",
    "none",
    "boolean",
    "true",
    "false",
    "integer",
    "float",
    "number",
    "string",
    "mapping",
    "sequence",
    "iterable",
    "callable",
    "sameas",
    "eq",
    "equalto",
    "==",
    "ne",
    "!=",
    "lt",
    "lessthan",
    "<",
    "le",
    "<=",
    "gt",
    "greaterthan",
    ">",
    "ge",
    ">=",
    "in",
    "odd",
    "even",
    "divisibleby",
    "lower",
    "upper",
    "escaped",
    "filter",
    "test",
];

/// Whether a test holds.
pub(crate) fn apply(fuel: &Rc<Fuel>, name: &str, value: &Value, arguments: &[Value]) -> Result<bool, Fault> {
    let argument =
        || arguments.first().ok_or_else(|| Fault::new(format!("the test '{name}' needs an argument")));
    let int = || {
        let not = || Fault::new(format!("the test '{name}' needs an integer, not '{}'", value.type_name()));
        value.as_int().ok_or_else(not)
    };
    let compare = || value.compare(argument()?, fuel);
    Ok(match name {
        "defined" => !value.is_undefined(),
        "undefined" => value.is_undefined(),
        "none" => matches!(value, Value::None),
        "boolean" => matches!(value, Value::Bool(_)),
        "true" => matches!(value, Value::Bool(true)),
        "false" => matches!(value, Value::Bool(false)),
        "integer" => matches!(value, Value::Int(_)),
        "float" => matches!(value, Value::Float(_)),
        "number" => matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_)),
        "string" => matches!(value, Value::Str(_)),
        "mapping" => matches!(value, Value::Dict(_)),
        // Anything with a length and items: strings and dicts too, and what is not defined, which is empty.
        "sequence" => value.is_iterable() && !matches!(value, Value::Generator(_) | Value::Loop(_)),
        "iterable" => value.is_iterable(),
        "callable" => matches!(value, Value::Macro(_) | Value::Function(_) | Value::Method(_)),
        "sameas" => match (value, argument()?) {
            (Value::Str(_), other @ Value::Str(_)) => value.equals(other, fuel)?,
            (value, other) => value.is_same(other),
        },
        "eq" | "equalto" | "==" => value.equals(argument()?, fuel)?,
        "ne" | "!=" => !value.equals(argument()?, fuel)?,
        "lt" | "lessthan" | "<" => compare()? == Some(Ordering::Less),
        "le" | "<=" => compare()?.is_some_and(Ordering::is_le),
        "gt" | "greaterthan" | ">" => compare()? == Some(Ordering::Greater),
        "ge" | ">=" => compare()?.is_some_and(Ordering::is_ge),
        "in" => contains(fuel, argument()?, value)?,
        "odd" => int()? % 2 != 0,
        "even" => int()? % 2 == 0,
        "divisibleby" => {
            let by = argument()?.as_int().filter(|&by| by != 0);
            by.is_some_and(|by| int().is_ok_and(|value| value % by == 0))
        }
        "lower" => is_case(value.to_text(fuel)?.read()?, char::is_lowercase, char::is_uppercase),
        "upper" => is_case(value.to_text(fuel)?.read()?, char::is_uppercase, char::is_lowercase),
        "escaped" => matches!(value, Value::Str(text) if text.is_markup),
        "filter" => filters::exists(value.to_text(fuel)?.as_str()),
        "test" => NAMES.contains(&value.to_text(fuel)?.as_str()),
        _ => return Err(Fault::new(format!("no test named '{}'", excerpt(name)))),
    })
}

fn is_case(text: &str, wanted: fn(char) -> bool, other: fn(char) -> bool) -> bool {
    text.chars().any(wanted) && !text.chars().any(other)
}
