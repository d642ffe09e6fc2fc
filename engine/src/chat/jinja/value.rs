//! The values of the template language, with Python's notions of truth, equality and order.

use super::ast::Macro;
use super::error::Fault;
use super::scope::Scope;
use super::text::{Builder, Text};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

/// Nesting of containers that comparison and printing follow before giving up: a list can contain itself.
pub(crate) const NESTING_MAX: usize = 64;

/// A value.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// A name or attribute that is not there; the name, for the message.
    Undefined(Rc<str>),
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Text),
    List(Rc<RefCell<Vec<Value>>>),
    Tuple(Rc<[Value]>),
    Dict(Rc<RefCell<Dict>>),
    /// `namespace()`: attributes that `set` can assign.
    Namespace(Rc<RefCell<Dict>>),
    Macro(Rc<Closure>),
    /// A global function, by name.
    Function(&'static str),
    /// A method of a value, by name.
    Method(Rc<(Value, String)>),
    Loop(Rc<LoopState>),
}

/// A macro or the body of a call block, with the scope it was defined in.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) definition: Arc<Macro>,
    pub(crate) scope: Scope,
}

/// What `loop` knows.
#[derive(Debug)]
pub(crate) struct LoopState {
    pub(crate) items: Rc<[Value]>,
    pub(crate) index0: usize,
    pub(crate) depth0: usize,
    /// The last argument of `loop.changed`, shared by all iterations.
    pub(crate) changed: Rc<RefCell<Option<Value>>>,
}

/// Keys and values in order of insertion. Look-up is linear: templates hold a handful of keys.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dict(pub(crate) Vec<(Value, Value)>);

impl Dict {
    pub(crate) fn get(&self, key: &Value) -> Option<&Value> {
        self.0.iter().find(|(k, _)| k.equals(key, 0)).map(|(_, value)| value)
    }

    pub(crate) fn get_str(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(k, _)| matches!(k, Value::Str(k) if k.as_str() == key)).map(|(_, value)| value)
    }

    /// Adds or replaces; the first key stays, as in Python.
    pub(crate) fn set(&mut self, key: Value, value: Value) {
        match self.0.iter_mut().find(|(k, _)| k.equals(&key, 0)) {
            Some(entry) => entry.1 = value,
            None => self.0.push((key, value)),
        }
    }

    pub(crate) fn remove(&mut self, key: &Value) -> Option<Value> {
        let at = self.0.iter().position(|(k, _)| k.equals(key, 0))?;
        Some(self.0.remove(at).1)
    }
}

impl Value {
    /// A string that the template or this engine wrote.
    pub(crate) fn str(text: &str) -> Self {
        Value::Str(Text::new(text, true))
    }

    pub(crate) fn list(items: Vec<Value>) -> Self {
        Value::List(Rc::new(RefCell::new(items)))
    }

    pub(crate) fn tuple(items: Vec<Value>) -> Self {
        Value::Tuple(items.into())
    }

    pub(crate) fn dict(entries: Dict) -> Self {
        Value::Dict(Rc::new(RefCell::new(entries)))
    }

    pub(crate) fn undefined(name: &str) -> Self {
        Value::Undefined(name.into())
    }

    pub(crate) fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined(_))
    }

    /// The name of the type, as Python calls it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Value::Undefined(_) => "Undefined",
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Namespace(_) => "Namespace",
            Value::Macro(_) => "Macro",
            Value::Function(_) => "function",
            Value::Method(_) => "method",
            Value::Loop(_) => "LoopContext",
        }
    }

    pub(crate) fn is_true(&self) -> bool {
        match self {
            Value::Undefined(_) | Value::None => false,
            Value::Bool(b) => *b,
            Value::Int(i) => *i != 0,
            Value::Float(f) => *f != 0.0,
            Value::Str(text) => !text.as_str().is_empty(),
            Value::List(items) => !items.borrow().is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Dict(entries) => !entries.borrow().0.is_empty(),
            _ => true,
        }
    }

    /// As a number: Python's bool is one.
    pub(crate) fn as_float(&self) -> Option<f64> {
        match self {
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            Value::Int(i) => Some(*i as f64),
            Value::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// As an integer, if it is one or a bool.
    pub(crate) fn as_int(&self) -> Option<i64> {
        match self {
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// The elements that iteration gives.
    pub(crate) fn items(&self) -> Result<Vec<Value>, Fault> {
        Ok(match self {
            Value::Undefined(_) => Vec::new(),
            Value::List(items) => items.borrow().clone(),
            Value::Tuple(items) => items.to_vec(),
            Value::Dict(entries) => entries.borrow().0.iter().map(|(key, _)| key.clone()).collect(),
            Value::Str(text) => {
                let ends = text.as_str().char_indices().map(|(at, c)| at..at + c.len_utf8());
                ends.map(|range| Value::Str(text.slice(range))).collect()
            }
            Value::Loop(state) => state.items.to_vec(),
            other => return Err(Fault::new(format!("'{}' object is not iterable", other.type_name()))),
        })
    }

    /// Python's `==`.
    pub(crate) fn equals(&self, other: &Value, depth: usize) -> bool {
        if depth > NESTING_MAX {
            return false;
        }
        let all = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b, depth + 1))
        };
        match (self, other) {
            (Value::Undefined(_), Value::Undefined(_)) | (Value::None, Value::None) => true,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b) || all(&a.borrow(), &b.borrow()),
            (Value::Tuple(a), Value::Tuple(b)) => all(a, b),
            (Value::Dict(a), Value::Dict(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                a.0.len() == b.0.len()
                    && a.0
                        .iter()
                        .all(|(key, value)| b.get(key).is_some_and(|other| value.equals(other, depth + 1)))
            }
            (a, b) => match (a.as_float(), b.as_float()) {
                (Some(a), Some(b)) => a == b,
                _ => a.is_same(b),
            },
        }
    }

    /// Python's `is`.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Tuple(a), Value::Tuple(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a), Value::Dict(b)) | (Value::Namespace(a), Value::Namespace(b)) => Rc::ptr_eq(a, b),
            (Value::Macro(a), Value::Macro(b)) => Rc::ptr_eq(a, b),
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Loop(a), Value::Loop(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Python's `<` and `>`.
    pub(crate) fn compare(&self, other: &Value) -> Result<Ordering, Fault> {
        self.compare_at(other, 0)
    }

    fn compare_at(&self, other: &Value, depth: usize) -> Result<Ordering, Fault> {
        let impossible = || {
            let (a, b) = (self.type_name(), other.type_name());
            Fault::new(format!("'<' not supported between instances of '{a}' and '{b}'"))
        };
        if depth > NESTING_MAX {
            return Err(impossible());
        }
        match (self, other) {
            (Value::Str(a), Value::Str(b)) => Ok(a.as_str().cmp(b.as_str())),
            (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
            (Value::List(_), Value::List(_)) | (Value::Tuple(_), Value::Tuple(_)) => {
                let (a, b) = (self.items()?, other.items()?);
                for (a, b) in a.iter().zip(&b) {
                    if !a.equals(b, depth) {
                        return a.compare_at(b, depth + 1);
                    }
                }
                Ok(a.len().cmp(&b.len()))
            }
            (a, b) => match (a.as_float(), b.as_float()) {
                (Some(a), Some(b)) => a.partial_cmp(&b).ok_or_else(impossible),
                _ => Err(impossible()),
            },
        }
    }

    /// Python's `str()`: what printing gives.
    pub(crate) fn to_text(&self) -> Text {
        match self {
            Value::Str(text) => text.clone(),
            other => {
                let mut out = Builder::default();
                other.write_str(&mut out);
                out.finish()
            }
        }
    }

    /// Appends what printing gives.
    pub(crate) fn write_str(&self, out: &mut Builder) {
        match self {
            Value::Undefined(_) => {}
            Value::Str(text) => out.push_text(text),
            other => other.write_repr(out, 0),
        }
    }

    fn write_repr(&self, out: &mut Builder, depth: usize) {
        if depth > NESTING_MAX {
            return out.push("...", true);
        }
        let sequence = |out: &mut Builder, items: &[Value]| {
            for (at, item) in items.iter().enumerate() {
                out.push(if at > 0 { ", " } else { "" }, true);
                item.write_repr(out, depth + 1);
            }
        };
        match self {
            Value::Undefined(_) => out.push("Undefined", true),
            Value::None => out.push("None", true),
            Value::Bool(b) => out.push(if *b { "True" } else { "False" }, true),
            Value::Int(i) => out.push(&i.to_string(), true),
            Value::Float(f) => out.push(&float_text(*f), true),
            Value::Str(text) => write_quoted(text, out),
            Value::List(items) => {
                out.push("[", true);
                sequence(out, &items.borrow());
                out.push("]", true);
            }
            Value::Tuple(items) => {
                out.push("(", true);
                sequence(out, items);
                out.push(if items.len() == 1 { ",)" } else { ")" }, true);
            }
            Value::Dict(entries) | Value::Namespace(entries) => {
                out.push("{", true);
                for (at, (key, value)) in entries.borrow().0.iter().enumerate() {
                    out.push(if at > 0 { ", " } else { "" }, true);
                    key.write_repr(out, depth + 1);
                    out.push(": ", true);
                    value.write_repr(out, depth + 1);
                }
                out.push("}", true);
            }
            other => out.push(&format!("<{}>", other.type_name()), true),
        }
    }
}

/// Python's `repr` of a string: single quotes unless only double quotes avoid escaping.
fn write_quoted(text: &Text, out: &mut Builder) {
    let quote = if text.as_str().contains('\'') && !text.as_str().contains('"') { '"' } else { '\'' };
    let mark = quote.to_string();
    out.push(&mark, true);
    out.push_text(&text.map_chars(|_, c, out| match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if c == quote => out.extend(['\\', c]),
        c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
        c => out.push(c),
    }));
    out.push(&mark, true);
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
