//! The values of the template language, with Python's notions of truth, equality and order.

use super::ast::Macro;
use super::error::{Fault, excerpt};
use super::fuel::{Account, Charged, Fuel};
use super::scope::Scope;
use super::text::{Builder, Text};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// Nesting of containers that comparison, printing and JSON follow.
pub(crate) const NESTING_MAX: usize = 64;

/// Values in a row.
pub(crate) type Values = Charged<Value>;
/// Arguments by name.
pub(crate) type Named = Charged<(Arc<str>, Value)>;

/// A value.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// A name or attribute that is not there; the name, for the message.
    Undefined(Text),
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Text),
    List(Rc<RefCell<Values>>),
    Tuple(Rc<Values>),
    Dict(Rc<RefCell<Dict>>),
    /// What most filters on sequences give: true even without elements, and empty once it was read.
    Generator(Rc<RefCell<Values>>),
    /// `namespace()`: attributes that `set` can assign.
    Namespace(Rc<RefCell<Dict>>),
    Macro(Rc<Closure>),
    /// A global function, by name.
    Function(&'static str),
    Method(Rc<Method>),
    Loop(Rc<LoopState>),
}

/// A macro or the body of a call block, with the scope it was defined in.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) definition: Arc<Macro>,
    pub(crate) scope: Scope,
    pub(crate) _account: Account,
}

/// A method of a value, by name.
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) of: Value,
    pub(crate) name: &'static str,
    pub(crate) _account: Account,
}

/// What `loop` knows.
#[derive(Debug)]
pub(crate) struct LoopState {
    pub(crate) items: Rc<Values>,
    pub(crate) index0: usize,
    /// The last argument of `loop.changed`, shared by all iterations while the loop runs.
    pub(crate) changed: Weak<RefCell<Option<Value>>>,
    pub(crate) _account: Account,
}

/// Keys and values in order of insertion. Look-up is linear: templates hold a handful of keys.
#[derive(Debug)]
pub(crate) struct Dict(pub(crate) Charged<(Value, Value)>);

impl Dict {
    pub(crate) fn new(fuel: &Rc<Fuel>) -> Self {
        Self(Charged::new(fuel))
    }

    fn position(&self, key: &Value) -> Result<Option<usize>, Fault> {
        key.check_hashable(0)?;
        position(self.0.fuel(), self.0.iter().map(|(k, _)| k), key)
    }

    pub(crate) fn get(&self, key: &Value) -> Result<Option<&Value>, Fault> {
        Ok(self.position(key)?.map(|at| &self.0[at].1))
    }

    pub(crate) fn get_str(&self, key: &str) -> Result<Option<&Value>, Fault> {
        let fuel = self.0.fuel();
        fuel.elements(self.0.len())?;
        for (k, value) in self.0.iter() {
            if let Value::Str(k) = k
                && k.as_str().len() == key.len()
                && k.read()? == key
            {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Adds or replaces; the first key stays, as in Python.
    pub(crate) fn set(&mut self, key: Value, value: Value) -> Result<(), Fault> {
        match self.position(&key)? {
            Some(at) => self.0[at].1 = value,
            None => self.0.push((key, value))?,
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &Value) -> Result<Option<Value>, Fault> {
        let Some(at) = self.position(key)? else { return Ok(None) };
        Ok(Some(self.0.remove(at)?.1))
    }

    /// The keys, values or pairs, as `pick` makes them.
    pub(crate) fn pick(
        &self,
        pick: impl Fn(&(Value, Value)) -> Result<Value, Fault>,
    ) -> Result<Values, Fault> {
        Values::collect(self.0.fuel(), self.0.iter().map(pick))
    }

    /// Pairs of keys and values.
    pub(crate) fn pairs(&self) -> Result<Values, Fault> {
        let fuel = self.0.fuel();
        self.pick(|(key, value)| Ok(Value::tuple(Values::copy_of(fuel, &[key.clone(), value.clone()])?)))
    }
}

/// Where the first of `items` that equals `wanted` is.
pub(crate) fn position<'a>(
    fuel: &Fuel,
    items: impl IntoIterator<Item = &'a Value>,
    wanted: &Value,
) -> Result<Option<usize>, Fault> {
    for (at, item) in items.into_iter().enumerate() {
        if item.equals(wanted, fuel)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

impl Value {
    /// A string that the template or this engine wrote.
    pub(crate) fn str(fuel: &Rc<Fuel>, text: &str) -> Result<Self, Fault> {
        Ok(Value::Str(Text::new(fuel, text, true)?))
    }

    pub(crate) fn list(items: Values) -> Self {
        Value::List(Rc::new(RefCell::new(items)))
    }

    pub(crate) fn tuple(items: Values) -> Self {
        Value::Tuple(Rc::new(items))
    }

    pub(crate) fn generator(items: Values) -> Self {
        Value::Generator(Rc::new(RefCell::new(items)))
    }

    pub(crate) fn dict(entries: Dict) -> Self {
        Value::Dict(Rc::new(RefCell::new(entries)))
    }

    pub(crate) fn undefined(fuel: &Rc<Fuel>, name: &str) -> Result<Self, Fault> {
        Ok(Value::Undefined(Text::new(fuel, name, true)?))
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
            Value::Generator(_) => "generator",
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

    /// Python's `len`; None where there is none.
    pub(crate) fn length(&self) -> Result<Option<usize>, Fault> {
        Ok(Some(match self {
            Value::Undefined(_) => 0,
            Value::Str(text) => text.chars_len()?,
            Value::List(items) => items.borrow().len(),
            Value::Tuple(items) => items.len(),
            Value::Dict(entries) => entries.borrow().0.len(),
            Value::Loop(state) => state.items.len(),
            _ => return Ok(None),
        }))
    }

    /// Whether it can be a key: nothing that can change, so that comparing keys never looks into the dict itself.
    pub(crate) fn check_hashable(&self, depth: usize) -> Result<(), Fault> {
        match self {
            _ if depth > NESTING_MAX => Err(Fault::Limit("a key is nested too deeply")),
            Value::List(_) | Value::Dict(_) => {
                Err(Fault::new(format!("unhashable type: '{}'", self.type_name())))
            }
            Value::Tuple(items) => {
                items.fuel().elements(items.len())?;
                items.iter().try_for_each(|item| item.check_hashable(depth + 1))
            }
            _ => Ok(()),
        }
    }

    /// Whether iteration over it is possible.
    pub(crate) fn is_iterable(&self) -> bool {
        use Value::{Dict, Generator, List, Loop, Str, Tuple, Undefined};
        matches!(self, Undefined(_) | Str(_) | List(_) | Tuple(_) | Dict(_) | Generator(_) | Loop(_))
    }

    /// The elements that iteration gives. A generator has none afterwards.
    pub(crate) fn items(&self, fuel: &Rc<Fuel>) -> Result<Values, Fault> {
        match self {
            Value::Undefined(_) => Ok(Values::new(fuel)),
            Value::List(items) => items.borrow().copy(),
            Value::Tuple(items) => items.copy(),
            Value::Generator(items) => Ok(items.replace(Values::new(fuel))),
            Value::Dict(entries) => entries.borrow().pick(|(key, _)| Ok(key.clone())),
            Value::Str(text) => {
                let chars = text.read()?.char_indices();
                let part = |(at, c): (usize, char)| Ok(Value::Str(text.slice(at..at + c.len_utf8())));
                Values::collect(fuel, chars.map(part))
            }
            Value::Loop(state) => state.items.copy(),
            other => Err(Fault::new(format!("'{}' object is not iterable", other.type_name()))),
        }
    }

    /// Empties a container that may hold itself.
    pub(crate) fn clear(&self) {
        match self {
            Value::List(items) => items.borrow_mut().clear(),
            Value::Dict(entries) | Value::Namespace(entries) => entries.borrow_mut().0.clear(),
            _ => {}
        }
    }

    /// Python's `==`.
    pub(crate) fn equals(&self, other: &Value, fuel: &Fuel) -> Result<bool, Fault> {
        self.equals_at(other, 0, fuel)
    }

    fn equals_at(&self, other: &Value, depth: usize, fuel: &Fuel) -> Result<bool, Fault> {
        fuel.elements(1)?;
        if depth > NESTING_MAX {
            return Err(Fault::Limit("a value is nested too deeply to be compared"));
        }
        let all = |a: &[Value], b: &[Value]| {
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b) {
                if !a.equals_at(b, depth + 1, fuel)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        Ok(match (self, other) {
            (Value::Undefined(_), Value::Undefined(_)) => true,
            (Value::Str(a), Value::Str(b)) => a.as_str().len() == b.as_str().len() && a.read()? == b.as_str(),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b) || all(&a.borrow(), &b.borrow())?,
            (Value::Tuple(a), Value::Tuple(b)) => Rc::ptr_eq(a, b) || all(a, b)?,
            (Value::Dict(a), Value::Dict(b)) if !Rc::ptr_eq(a, b) => {
                let (a, b) = (a.borrow(), b.borrow());
                if a.0.len() != b.0.len() {
                    return Ok(false);
                }
                for (key, value) in a.0.iter() {
                    let other = b.get(key)?;
                    if !other.map_or(Ok(false), |other| value.equals_at(other, depth + 1, fuel))? {
                        return Ok(false);
                    }
                }
                true
            }
            (a, b) => match compare_numbers(a, b) {
                Some(order) => order == Some(Ordering::Equal),
                None => a.is_same(b),
            },
        })
    }

    /// Python's `is`; strings are the same where they are equal.
    pub(crate) fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::List(a), Value::List(b)) | (Value::Generator(a), Value::Generator(b)) => Rc::ptr_eq(a, b),
            (Value::Tuple(a), Value::Tuple(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a), Value::Dict(b)) | (Value::Namespace(a), Value::Namespace(b)) => Rc::ptr_eq(a, b),
            (Value::Macro(a), Value::Macro(b)) => Rc::ptr_eq(a, b),
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Loop(a), Value::Loop(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Python's order; None where neither is less nor equal, as with NaN.
    pub(crate) fn compare(&self, other: &Value, fuel: &Fuel) -> Result<Option<Ordering>, Fault> {
        self.compare_at(other, 0, fuel)
    }

    fn compare_at(&self, other: &Value, depth: usize, fuel: &Fuel) -> Result<Option<Ordering>, Fault> {
        fuel.elements(1)?;
        if depth > NESTING_MAX {
            return Err(Fault::Limit("a value is nested too deeply to be compared"));
        }
        let all = |a: &[Value], b: &[Value]| {
            for (a, b) in a.iter().zip(b) {
                if !a.equals_at(b, depth + 1, fuel)? {
                    return a.compare_at(b, depth + 1, fuel);
                }
            }
            Ok(Some(a.len().cmp(&b.len())))
        };
        match (self, other) {
            (Value::Str(a), Value::Str(b)) => {
                fuel.bytes(a.as_str().len().min(b.as_str().len()))?;
                Ok(Some(a.as_str().cmp(b.as_str())))
            }
            (Value::List(a), Value::List(b)) => all(&a.borrow(), &b.borrow()),
            (Value::Tuple(a), Value::Tuple(b)) => all(a, b),
            (a, b) => compare_numbers(a, b).ok_or_else(|| {
                let (a, b) = (a.type_name(), b.type_name());
                Fault::new(format!("'<' not supported between instances of '{a}' and '{b}'"))
            }),
        }
    }

    /// Python's `<`.
    pub(crate) fn is_less(&self, other: &Value, fuel: &Fuel) -> Result<bool, Fault> {
        Ok(self.compare(other, fuel)? == Some(Ordering::Less))
    }

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

/// The order of two numbers, exactly; None where either is none, `Some(None)` where one is NaN.
fn compare_numbers(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    Some(match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => compare_int(a, b.as_float()?),
        (None, Some(b)) => compare_int(b, a.as_float()?).map(Ordering::reverse),
        (None, None) => a.as_float()?.partial_cmp(&b.as_float()?),
    })
}

fn compare_int(i: i64, f: f64) -> Option<Ordering> {
    /// The first float beyond the integers.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if f >= END {
        return Some(Ordering::Less);
    }
    if f < -END {
        return Some(Ordering::Greater);
    }
    let fraction = 0.0.partial_cmp(&f.fract())?;
    Some(i.cmp(&(f.trunc() as i64)).then(fraction))
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
