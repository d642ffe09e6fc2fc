//! Arguments of built-in functions, by position or name.

use super::error::Fault;
use super::text::Text;
use super::value::Value;

/// Arguments that are taken in the order of the parameters.
pub(crate) struct Given {
    positional: std::vec::IntoIter<Value>,
    named: Vec<(String, Value)>,
}

impl Given {
    pub(crate) fn new(positional: Vec<Value>, named: Vec<(String, Value)>) -> Self {
        Self { positional: positional.into_iter(), named }
    }

    /// The next parameter's argument.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.positional.next().or_else(|| self.take_named(name))
    }

    /// An argument that is given by name only.
    pub(crate) fn take_named(&mut self, name: &str) -> Option<Value> {
        let at = self.named.iter().position(|(n, _)| n == name)?;
        Some(self.named.remove(at).1)
    }

    pub(crate) fn required(&mut self, name: &str) -> Result<Value, Fault> {
        self.take(name).ok_or_else(|| Fault::new(format!("missing argument '{name}'")))
    }

    pub(crate) fn flag(&mut self, name: &str, default: bool) -> bool {
        self.take(name).map_or(default, |value| value.is_true())
    }

    /// An integer; the default where it is not given or None.
    pub(crate) fn int(&mut self, name: &str, default: i64) -> Result<i64, Fault> {
        match self.take(name) {
            None | Some(Value::None) => Ok(default),
            Some(value) => {
                value.as_int().ok_or_else(|| Fault::new(format!("argument '{name}' must be an integer")))
            }
        }
    }

    /// A string; None where it is not given or None.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<Text>, Fault> {
        match self.take(name) {
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
    pub(crate) fn rest(self) -> (Vec<Value>, Vec<(String, Value)>) {
        (self.positional.collect(), self.named)
    }

    /// Nothing may be left.
    pub(crate) fn finish(mut self) -> Result<(), Fault> {
        match (self.positional.next(), self.named.first()) {
            (Some(_), _) => Err(Fault::new("too many arguments")),
            (None, Some((name, _))) => Err(Fault::new(format!("unexpected keyword argument '{name}'"))),
            (None, None) => Ok(()),
        }
    }
}
