//! What can stand after `is`.

use super::access::contains;
use super::arithmetic::binary;
use super::ast::Binary;
use super::error::{Fault, excerpt};
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
    let remainder = |by: &Value| binary(fuel, Binary::Modulo, value, by);
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
        // What is not defined can be called in Python, to complain.
        "callable" => {
            matches!(value, Value::Macro(_) | Value::Function(_) | Value::Method(_) | Value::Undefined(_))
        }
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
        "odd" => remainder(&Value::Int(2))?.equals(&Value::Int(1), fuel)?,
        "even" => remainder(&Value::Int(2))?.equals(&Value::Int(0), fuel)?,
        "divisibleby" => remainder(argument()?)?.equals(&Value::Int(0), fuel)?,
        "lower" => is_case(value.to_text(fuel)?.read()?, char::is_lowercase, char::is_uppercase),
        "upper" => is_case(value.to_text(fuel)?.read()?, char::is_uppercase, char::is_lowercase),
        "escaped" => matches!(value, Value::Str(text) if text.is_markup),
        "filter" | "test" => {
            value.check_hashable(0)?;
            let found = value.to_text(fuel)?;
            if name == "filter" { filters::exists(found.as_str()) } else { NAMES.contains(&found.as_str()) }
        }
        _ => return Err(Fault::new(format!("no test named '{}'", excerpt(name)))),
    })
}

fn is_case(text: &str, wanted: fn(char) -> bool, other: fn(char) -> bool) -> bool {
    text.chars().any(wanted) && !text.chars().any(other)
}
