//! Typed, bounded reading of an architecture's keys.

use super::error::ModelError;
use crate::gguf::{Array, Metadata, Value};

/// Largest number that a key may hold: far above the largest base of a rotation.
const NUMBER_MAX: f32 = 1e12;

/// The keys `ARCH.name` of a file.
pub struct Keys<'a> {
    pub arch: &'a str,
    pub metadata: &'a Metadata,
    /// Values of keys that the file leaves out.
    pub defaults: Vec<(&'static str, Value)>,
}

impl Keys<'_> {
    pub fn get(&self, name: &str) -> Option<&Value> {
        let default = || self.defaults.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        self.metadata.get(&self.full(name)).or_else(default)
    }

    fn full(&self, name: &str) -> String {
        format!("{}.{name}", self.arch)
    }

    pub fn missing(&self, name: &str) -> ModelError {
        ModelError::MissingKey { key: self.full(name) }
    }

    pub fn bad(&self, name: &str, why: &str) -> ModelError {
        ModelError::BadKey { key: self.full(name), why: why.to_owned() }
    }

    /// A whole number in 1..=max that must be there.
    ///
    /// # Errors
    /// `MissingKey`; `BadKey` for another type or a number outside the range.
    pub fn size(&self, name: &str, max: usize) -> Result<usize, ModelError> {
        let value = self.get(name).ok_or_else(|| self.missing(name))?;
        let n = value.as_u64().ok_or_else(|| self.bad(name, "is not a whole number"))?;
        match usize::try_from(n) {
            Ok(n) if (1..=max).contains(&n) => Ok(n),
            _ => Err(self.bad(name, &format!("is {n}, outside 1..={max}"))),
        }
    }

    /// A whole number in 1..=max, or `default`.
    ///
    /// # Errors
    /// `BadKey` for another type or a number outside the range.
    pub fn size_or(&self, name: &str, default: usize, max: usize) -> Result<usize, ModelError> {
        if self.get(name).is_some() { self.size(name, max) } else { Ok(default) }
    }

    /// A whole number in 0..=max, or `default`.
    ///
    /// # Errors
    /// `BadKey` for another type or a number outside the range.
    pub fn count_or(&self, name: &str, default: usize, max: usize) -> Result<usize, ModelError> {
        match self.get(name) {
            Some(Value::Array(_)) => Err(self.bad(name, "is a list")),
            _ => self.layer_size(name, 0, default, max),
        }
    }

    /// The entry of layer `index`, where the key is an array of whole numbers; else the key itself, or `default`.
    ///
    /// # Errors
    /// `BadKey` for another type, a number above `max`, or an array without this entry.
    pub fn layer_size(
        &self,
        name: &str,
        index: usize,
        default: usize,
        max: usize,
    ) -> Result<usize, ModelError> {
        let n = match self.get(name) {
            None => return Ok(default),
            Some(Value::Array(array)) => {
                whole(array, index).ok_or_else(|| self.bad(name, "has no entry for a layer"))?
            }
            Some(value) => value.as_u64().ok_or_else(|| self.bad(name, "is not a whole number"))?,
        };
        match usize::try_from(n) {
            Ok(n) if n <= max => Ok(n),
            _ => Err(self.bad(name, &format!("is {n}, above {max}"))),
        }
    }

    /// A number from 0 to [`NUMBER_MAX`], or `default`.
    ///
    /// # Errors
    /// `BadKey` for another type or a number outside the range.
    pub fn float(&self, name: &str, default: f32) -> Result<f32, ModelError> {
        match self.get(name).map(Value::as_f32) {
            None => Ok(default),
            Some(Some(v)) if (0.0..=NUMBER_MAX).contains(&v) => Ok(v),
            Some(_) => Err(self.bad(name, "is not a number from 0 to 1e12")),
        }
    }

    /// A number above 0, or `default`.
    ///
    /// # Errors
    /// `BadKey` for 0, another type or a number outside the range.
    pub fn factor(&self, name: &str, default: f32) -> Result<f32, ModelError> {
        match self.float(name, default)? {
            0.0 if self.get(name).is_some() => Err(self.bad(name, "is 0")),
            v => Ok(v),
        }
    }

    /// What a norm adds to a variance: above 0 and at most 1. It must be there.
    ///
    /// # Errors
    /// `MissingKey`; `BadKey` for another type or a number outside the range.
    pub fn epsilon(&self, name: &str) -> Result<f32, ModelError> {
        match self.get(name).ok_or_else(|| self.missing(name))?.as_f32() {
            Some(v) if v > 0.0 && v <= 1.0 => Ok(v),
            _ => Err(self.bad(name, "is not a number above 0 and up to 1")),
        }
    }

    /// True or false, or `default`.
    ///
    /// # Errors
    /// `BadKey` for another type.
    pub fn bool(&self, name: &str, default: bool) -> Result<bool, ModelError> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| self.bad(name, "is neither true nor false")),
        }
    }

    /// A text, where the key is there.
    ///
    /// # Errors
    /// `BadKey` for another type.
    pub fn text(&self, name: &str) -> Result<Option<&str>, ModelError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.bad(name, "is not a text")),
        }
    }
}

fn whole(array: &Array, index: usize) -> Option<u64> {
    match array {
        Array::U32(v) => v.get(index).map(|&n| n.into()),
        Array::I32(v) => v.get(index).and_then(|&n| n.try_into().ok()),
        Array::U64(v) => v.get(index).copied(),
        Array::I64(v) => v.get(index).and_then(|&n| n.try_into().ok()),
        Array::U8(v) => v.get(index).map(|&n| n.into()),
        Array::Bool(v) => v.get(index).map(|&b| b.into()),
        _ => None,
    }
}
