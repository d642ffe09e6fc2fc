//! What can stand after `is`.

use super::error::Fault;
use super::evaluate::contains;
use super::filters;
use super::value::Value;
use std::cmp::Ordering;

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
pub(crate) fn apply(name: &str, value: &Value, arguments: &[Value]) -> Result<bool, Fault> {
    let argument =
        || arguments.first().ok_or_else(|| Fault::new(format!("the test '{name}' needs an argument")));
    let int = || {
        let not = || Fault::new(format!("the test '{name}' needs an integer, not '{}'", value.type_name()));
        value.as_int().ok_or_else(not)
    };
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
        "sequence" | "iterable" => value.items().is_ok(),
        "callable" => matches!(value, Value::Macro(_) | Value::Function(_) | Value::Method(_)),
        "sameas" => value.is_same(argument()?),
        "eq" | "equalto" | "==" => value.equals(argument()?, 0),
        "ne" | "!=" => !value.equals(argument()?, 0),
        "lt" | "lessthan" | "<" => value.compare(argument()?)? == Ordering::Less,
        "le" | "<=" => value.compare(argument()?)? != Ordering::Greater,
        "gt" | "greaterthan" | ">" => value.compare(argument()?)? == Ordering::Greater,
        "ge" | ">=" => value.compare(argument()?)? != Ordering::Less,
        "in" => contains(argument()?, value)?,
        "odd" => int()? % 2 != 0,
        "even" => int()? % 2 == 0,
        "divisibleby" => {
            let by = argument()?.as_int().filter(|&by| by != 0);
            by.is_some_and(|by| int().is_ok_and(|value| value % by == 0))
        }
        "lower" => is_case(value, char::is_lowercase, char::is_uppercase),
        "upper" => is_case(value, char::is_uppercase, char::is_lowercase),
        "escaped" => matches!(value, Value::Str(text) if text.is_markup),
        "filter" => filters::exists(value.to_text().as_str()),
        "test" => NAMES.contains(&value.to_text().as_str()),
        _ => return Err(Fault::new(format!("no test named '{name}'"))),
    })
}

fn is_case(value: &Value, wanted: fn(char) -> bool, other: fn(char) -> bool) -> bool {
    let text = value.to_text();
    text.as_str().chars().any(wanted) && !text.as_str().chars().any(other)
}
