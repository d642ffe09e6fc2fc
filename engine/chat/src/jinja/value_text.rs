//! Values as text, as Python prints them.

use super::error::{Fault, excerpt};
use super::fuel::Fuel;
use super::text::{Builder, Text};
use super::value::{NESTING_MAX, Value};
use std::rc::Rc;

impl Value {
    /// Python's `str()`: what printing gives.
    pub(crate) fn to_text(&self, fuel: &Rc<Fuel>) -> Result<Text, Fault> {
        match self {
            Value::Str(text) => Ok(text.clone()),
            other => {
                let mut out = Builder::new(fuel);
                other.write_str(&mut out)?;
                Ok(out.finish())
            }
        }
    }

    /// Appends what printing gives.
    pub(crate) fn write_str(&self, out: &mut Builder) -> Result<(), Fault> {
        match self {
            Value::Undefined(_) => Ok(()),
            Value::Str(text) => out.push_text(text),
            other => other.write_repr(out, &mut Vec::new()),
        }
    }

    /// Appends Python's `repr`. `within` has the containers around it: one that holds itself is written as dots.
    pub(crate) fn write_repr(&self, out: &mut Builder, within: &mut Vec<*const ()>) -> Result<(), Fault> {
        let (address, brackets) = match self {
            Value::Undefined(_) => return out.push("Undefined", true),
            Value::None => return out.push("None", true),
            Value::Bool(b) => return out.push(if *b { "True" } else { "False" }, true),
            Value::Int(i) => return out.push(&i.to_string(), true),
            Value::Float(f) => return out.push(&float_text(*f), true),
            Value::Str(text) => return write_quoted(text, out),
            Value::List(items) => (Rc::as_ptr(items).cast(), ["[", "]"]),
            Value::Tuple(items) => {
                (Rc::as_ptr(items).cast(), ["(", if items.len() == 1 { ",)" } else { ")" }])
            }
            Value::Dict(entries) => (Rc::as_ptr(entries).cast(), ["{", "}"]),
            Value::Namespace(entries) => (Rc::as_ptr(entries).cast(), ["<Namespace {", "}>"]),
            Value::Macro(closure) => {
                return out.push(&format!("<Macro '{}'>", excerpt(&closure.definition.name)), true);
            }
            Value::Loop(state) => {
                return out.push(&format!("<LoopContext {}/{}>", state.index0 + 1, state.items.len()), true);
            }
            other => return out.push(&format!("<{}>", other.type_name()), true),
        };
        out.push(brackets[0], true)?;
        if within.contains(&address) {
            out.push("...", true)?;
            return out.push(brackets[1], true);
        }
        if within.len() >= NESTING_MAX {
            return Err(Fault::Limit("a value is nested too deeply to be written"));
        }
        within.push(address);
        let mut write = |at: usize, key: Option<&Value>, value: &Value| {
            out.push(if at > 0 { ", " } else { "" }, true)?;
            if let Some(key) = key {
                key.write_repr(out, within)?;
                out.push(": ", true)?;
            }
            value.write_repr(out, within)
        };
        match self {
            Value::List(items) => {
                items.borrow().iter().enumerate().try_for_each(|(at, item)| write(at, None, item))
            }
            Value::Tuple(items) => items.iter().enumerate().try_for_each(|(at, item)| write(at, None, item)),
            Value::Dict(entries) | Value::Namespace(entries) => {
                let entries = entries.borrow();
                entries.0.iter().enumerate().try_for_each(|(at, (key, value))| write(at, Some(key), value))
            }
            _ => Ok(()),
        }?;
        within.pop();
        out.push(brackets[1], true)
    }
}

/// Python's `repr` of a string: single quotes unless only double quotes avoid escaping.
fn write_quoted(text: &Text, out: &mut Builder) -> Result<(), Fault> {
    let source = text.read()?;
    let quote = if source.contains('\'') && !source.contains('"') { '"' } else { '\'' };
    let marks = if text.is_markup {
        [format!("Markup({quote}"), format!("{quote})")]
    } else {
        [quote.to_string(), quote.to_string()]
    };
    let escaped = text.map_chars(&mut |_, c, out| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if c == quote => out.extend(['\\', c]),
        c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
        c => out.push(c),
    })?;
    out.push(&marks[0], true)?;
    out.push_text(&escaped)?;
    out.push(&marks[1], true)
}

/// Python's `repr` of a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16.
pub(crate) fn float_text(f: f64) -> String {
    if f.is_nan() {
        return "nan".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "inf".into() } else { "-inf".into() };
    }
    if f != 0.0 && !(1e-4..1e16).contains(&f.abs()) {
        let text = format!("{f:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    let text = f.to_string();
    if text.contains('.') { text } else { text + ".0" }
}
