//! Typed, bounded reading of an architecture's keys.

use super::error::ModelError;
use crate::gguf::{Array, Metadata, Value};

/// The keys `ARCH.name` of a file.
pub struct Keys<'a> {
    pub arch: &'a str,
    pub metadata: &'a Metadata,
}

impl<'a> Keys<'a> {
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.metadata.get(&self.full(name))
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
    pub fn size(&self, name: &str, max: usize) -> Result<usize, ModelError> {
        let value = self.get(name).ok_or_else(|| self.missing(name))?;
        let n = value.as_u64().ok_or_else(|| self.bad(name, "is not a whole number"))?;
        match usize::try_from(n) {
            Ok(n) if (1..=max).contains(&n) => Ok(n),
            _ => Err(self.bad(name, &format!("is {n}, outside 1..={max}"))),
        }
    }

    /// A whole number in 1..=max, or `default`.
    pub fn size_or(&self, name: &str, default: usize, max: usize) -> Result<usize, ModelError> {
        if self.get(name).is_some() { self.size(name, max) } else { Ok(default) }
    }

    /// The entry of layer `index`, where the key is an array of whole numbers; else the key itself, or `default`.
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

    /// A finite number, or `default`.
    pub fn float(&self, name: &str, default: f32) -> Result<f32, ModelError> {
        match self.get(name).map(Value::as_f32) {
            None => Ok(default),
            Some(Some(v)) if v.is_finite() => Ok(v),
            Some(_) => Err(self.bad(name, "is not a finite number")),
        }
    }

    /// A number that is not zero, or `default` where it is absent or zero.
    pub fn factor(&self, name: &str, default: f32) -> Result<f32, ModelError> {
        let v = self.float(name, default)?;
        Ok(if v == 0.0 { default } else { v })
    }

    pub fn bool(&self, name: &str) -> Option<bool> {
        self.get(name).and_then(Value::as_bool)
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
