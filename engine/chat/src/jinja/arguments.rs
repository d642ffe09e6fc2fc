//! Arguments of built-in functions, by position or name.

use super::error::{Fault, excerpt};
use super::fuel::Fuel;
use super::text::Text;
use super::value::{Named, Value, Values};
use std::rc::Rc;

/// Arguments that are taken in the order of the parameters.
pub(crate) struct Given {
    pub(crate) fuel: Rc<Fuel>,
    positional: Values,
    /// How many of `positional` were taken.
    taken: usize,
    named: Named,
}

impl Given {
    pub(crate) fn new(positional: Values, named: Named) -> Self {
        Self { fuel: Rc::clone(positional.fuel()), positional, taken: 0, named }
    }

    /// The next parameter's argument.
    pub(crate) fn take(&mut self, name: &str) -> Result<Option<Value>, Fault> {
        let next = self.positional.get(self.taken).cloned();
        self.taken += usize::from(next.is_some());
        if next.is_some() { Ok(next) } else { self.take_named(name) }
    }

    /// An argument that is given by name only.
    pub(crate) fn take_named(&mut self, name: &str) -> Result<Option<Value>, Fault> {
        take_named(&mut self.named, name)
    }

    pub(crate) fn required(&mut self, name: &str) -> Result<Value, Fault> {
        self.take(name)?.ok_or_else(|| Fault::new(format!("missing argument '{name}'")))
    }

    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Result<bool, Fault> {
        Ok(self.take(name)?.map_or(default, |value| value.is_true()))
    }

    /// An integer; the default where it is not given or None.
    pub(crate) fn int(&mut self, name: &str, default: i64) -> Result<i64, Fault> {
        match self.take(name)? {
            None | Some(Value::None) => Ok(default),
            Some(value) => {
                value.as_int().ok_or_else(|| Fault::new(format!("argument '{name}' must be an integer")))
            }
        }
    }

    /// A string; None where it is not given or None.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<Text>, Fault> {
        match self.take(name)? {
            None | Some(Value::None) => Ok(None),
            Some(Value::Str(text)) => Ok(Some(text)),
            Some(other) => {
                Err(Fault::new(format!("argument '{name}' must be str, not {}", other.type_name())))
            }
        }
    }

    pub(crate) fn required_text(&mut self, name: &str) -> Result<Text, Fault> {
        self.text(name)?.ok_or_else(|| Fault::new(format!("missing argument '{name}'")))
    }

    /// What nothing took, for functions of any number of arguments.
    pub(crate) fn rest(self) -> Result<(Values, Named), Fault> {
        Ok((Values::copy_of(&self.fuel, &self.positional[self.taken..])?, self.named))
    }

    /// Nothing may be left.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        if self.taken < self.positional.len() {
            return Err(Fault::new("too many arguments"));
        }
        match self.named.first() {
            Some((name, _)) => Err(Fault::new(format!("unexpected keyword argument '{}'", excerpt(name)))),
            None => Ok(()),
        }
    }
}

/// Takes the argument of a name out of `named`.
pub(crate) fn take_named(named: &mut Named, name: &str) -> Result<Option<Value>, Fault> {
    named.fuel().elements(named.len())?;
    let Some(at) = named.iter().position(|(n, _)| **n == *name) else { return Ok(None) };
    Ok(Some(named.remove(at)?.1))
}
