//! Values as JSON, written as Python's `json.dumps` writes it: the form that models were trained on.

use super::arguments::Given;
use super::error::Fault;
use super::fuel::Charged;
use super::sorting::sort;
use super::text::{Builder, Text};
use super::value::{NESTING_MAX, Value};
use super::value_text::float_text;

/// How to write.
struct Style {
    ensure_ascii: bool,
    sort_keys: bool,
    /// Indentation of one level; None writes all in one line.
    indent: Option<Text>,
    between_items: Text,
    after_key: Text,
}

/// The filter `tojson` as Hugging Face defines it: `ensure_ascii` is false unless given, nothing is escaped for HTML.
#[inline(never)]
pub(crate) fn to_json(value: &Value, mut given: Given) -> Result<Value, Fault> {
    let fuel = given.fuel.clone();
    let text = |text: &str| Text::new(&fuel, text, true);
    let ensure_ascii = given.take_named("ensure_ascii")?.is_some_and(|value| value.is_true());
    let indent = match given.take("indent")? {
        None | Some(Value::None) => None,
        Some(Value::Str(indent)) => Some(indent),
        Some(other) => {
            let width = other.as_int().ok_or_else(|| Fault::new("indent must be an integer"))?;
            Some(super::strings::spaces(&fuel, width)?)
        }
    };
    let (mut between_items, mut after_key) = (text(if indent.is_some() { "," } else { ", " })?, text(": ")?);
    match given.take_named("separators")? {
        None | Some(Value::None) => {}
        Some(pair) => {
            let pair = pair.items(&fuel)?;
            let [items, key] = &*pair else { return Err(Fault::new("separators must be a pair")) };
            between_items = items.to_text(&fuel)?;
            after_key = key.to_text(&fuel)?;
        }
    }
    let sort_keys = given.take_named("sort_keys")?.is_some_and(|value| value.is_true());
    given.finish()?;
    let style = Style { ensure_ascii, sort_keys, indent, between_items, after_key };
    let mut out = Builder::new(&fuel);
    style.write(value, 0, &mut out)?;
    Ok(Value::Str(out.finish()))
}

impl Style {
    fn write(&self, value: &Value, depth: usize, out: &mut Builder) -> Result<(), Fault> {
        if depth > NESTING_MAX {
            return Err(Fault::Limit("a value is nested too deeply for JSON"));
        }
        match value {
            Value::None => out.push("null", true),
            Value::Bool(b) => out.push(if *b { "true" } else { "false" }, true),
            Value::Int(i) => out.push(&i.to_string(), true),
            Value::Float(f) if f.is_nan() => out.push("NaN", true),
            Value::Float(f) if f.is_infinite() => {
                out.push(if *f > 0.0 { "Infinity" } else { "-Infinity" }, true)
            }
            Value::Float(f) => out.push(&float_text(*f), true),
            Value::Str(text) => self.write_string(text, out),
            Value::List(items) => self.write_items(&items.borrow(), depth, out),
            Value::Tuple(items) => self.write_items(items, depth, out),
            Value::Dict(entries) => {
                let entries = entries.borrow();
                let mut sorted = Charged::new(out.fuel());
                if self.sort_keys {
                    sorted = sort(entries.0.copy()?, false)?;
                }
                let entries: &[(Value, Value)] = if self.sort_keys { &sorted } else { &entries.0 };
                self.write_all(["{", "}"], entries, depth, out, |(key, value), out| {
                    self.write_key(key, out)?;
                    out.push_text(&self.after_key)?;
                    self.write(value, depth + 1, out)
                })
            }
            other => {
                let message = format!("Object of type {} is not JSON serializable", other.type_name());
                Err(Fault::new(message))
            }
        }
    }

    fn write_items(&self, items: &[Value], depth: usize, out: &mut Builder) -> Result<(), Fault> {
        self.write_all(["[", "]"], items, depth, out, |item, out| self.write(item, depth + 1, out))
    }

    fn write_all<T>(
        &self,
        brackets: [&str; 2],
        items: &[T],
        depth: usize,
        out: &mut Builder,
        mut write: impl FnMut(&T, &mut Builder) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let new_line = |depth: usize, out: &mut Builder| match &self.indent {
            Some(indent) => out.push("\n", true).and_then(|()| out.push_repeated(indent, depth)),
            None => Ok(()),
        };
        out.push(brackets[0], true)?;
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                out.push_text(&self.between_items)?;
            }
            new_line(depth + 1, out)?;
            write(item, out)?;
        }
        if !items.is_empty() {
            new_line(depth, out)?;
        }
        out.push(brackets[1], true)
    }

    /// Keys are strings in JSON: others are written as Python turns them into some.
    fn write_key(&self, key: &Value, out: &mut Builder) -> Result<(), Fault> {
        match key {
            Value::Str(text) => self.write_string(text, out),
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                out.push("\"", true)?;
                self.write(key, 0, out)?;
                out.push("\"", true)
            }
            other => {
                let found = other.type_name();
                Err(Fault::new(format!("keys must be str, int, float, bool or None, not {found}")))
            }
        }
    }

    fn write_string(&self, text: &Text, out: &mut Builder) -> Result<(), Fault> {
        let escaped = text.map_chars(&mut |_, c, out| match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 || (self.ensure_ascii && !c.is_ascii()) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        })?;
        out.push("\"", true)?;
        out.push_text(&escaped)?;
        out.push("\"", true)
    }
}
