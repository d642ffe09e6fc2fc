//! Equality and order of values, as Python has them.

use super::error::Fault;
use super::fuel::Fuel;
use super::value::{NESTING_MAX, Value};
use std::cmp::Ordering;
use std::rc::Rc;

impl Value {
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
