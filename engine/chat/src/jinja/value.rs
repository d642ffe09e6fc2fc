//! The values of the template language, with Python's notions of truth, equality and order.

use super::ast::Macro;
use super::error::Fault;
use super::fuel::{Account, Charged, Fuel};
use super::scope::Scope;
use super::text::Text;
use std::cell::RefCell;
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
}
