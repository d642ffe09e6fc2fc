//! Operators on values.

use super::ast::Binary;
use super::error::Fault;
use super::format;
use super::fuel::Fuel;
use super::text::Builder;
use super::value::{Value, Values};
use std::rc::Rc;

/// Unary minus.
pub(crate) fn negate(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::Float(f) => Ok(Value::Float(-f)),
        other => match other.as_int().and_then(i64::checked_neg) {
            Some(i) => Ok(Value::Int(i)),
            None => Err(Fault::new(format!("bad operand type for unary -: '{}'", other.type_name()))),
        },
    }
}

/// A binary operator, as Python applies it.
pub(crate) fn binary(fuel: &Rc<Fuel>, operator: Binary, left: &Value, right: &Value) -> Result<Value, Fault> {
    let is_formatting = operator == Binary::Modulo && matches!(left, Value::Str(_));
    for operand in [left, right] {
        if let (Value::Undefined(name), false) = (operand, operator == Binary::Concatenate || is_formatting) {
            return Err(Fault::undefined(name.as_str()));
        }
    }
    match (operator, left, right) {
        (Binary::Concatenate, ..) | (Binary::Add, Value::Str(_), Value::Str(_)) => {
            let mut out = Builder::new(fuel);
            left.write_str(&mut out)?;
            right.write_str(&mut out)?;
            Ok(Value::Str(out.finish()))
        }
        (Binary::Add, Value::List(a), Value::List(b)) => {
            let mut items = a.borrow().copy()?;
            items.extend(&b.borrow())?;
            Ok(Value::list(items))
        }
        (Binary::Add, Value::Tuple(a), Value::Tuple(b)) => {
            let mut items = a.copy()?;
            items.extend(b)?;
            Ok(Value::tuple(items))
        }
        (Binary::Multiply, sequence @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)), count)
        | (Binary::Multiply, count, sequence @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)))
            if count.as_int().is_some() =>
        {
            // A count beyond the address space is as good as the largest.
            let count = count.as_int().unwrap_or(0).max(0);
            repeat(fuel, sequence, usize::try_from(count).unwrap_or(usize::MAX))
        }
        (Binary::Modulo, Value::Str(text), _) => format::percent(text, right).map(Value::Str),
        _ => arithmetic(operator, left, right),
    }
}

fn repeat(fuel: &Rc<Fuel>, value: &Value, count: usize) -> Result<Value, Fault> {
    let repeated = |items: &[Value]| {
        let mut repeated = Values::new(fuel);
        if !items.is_empty() {
            repeated.make_room(items.len().saturating_mul(count))?;
            (0..count).try_for_each(|_| repeated.extend(items))?;
        }
        Ok(repeated)
    };
    match value {
        Value::Str(text) => {
            let mut out = Builder::new(fuel);
            out.push_repeated(text, count)?;
            Ok(Value::Str(out.finish()))
        }
        Value::Tuple(items) => repeated(items).map(Value::tuple),
        Value::List(items) => repeated(&items.borrow()).map(Value::list),
        other => Ok(other.clone()),
    }
}

fn arithmetic(operator: Binary, left: &Value, right: &Value) -> Result<Value, Fault> {
    let overflow = || Fault::new("integer overflow");
    let by_zero = || Fault::new("division by zero");
    if let (Some(a), Some(b)) = (left.as_int(), right.as_int()) {
        let floor = |a: i64, b: i64| {
            let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
            let adjust = remainder != 0 && (remainder < 0) != (b < 0);
            Some(if adjust { (quotient - 1, remainder + b) } else { (quotient, remainder) })
        };
        let result = match operator {
            Binary::Add => a.checked_add(b),
            Binary::Subtract => a.checked_sub(b),
            Binary::Multiply => a.checked_mul(b),
            Binary::FloorDivide | Binary::Modulo if b == 0 => return Err(by_zero()),
            Binary::FloorDivide => floor(a, b).map(|(quotient, _)| quotient),
            Binary::Modulo => floor(a, b).map(|(_, remainder)| remainder),
            Binary::Power if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            _ => return float_arithmetic(operator, a as f64, b as f64),
        };
        return result.map(Value::Int).ok_or_else(overflow);
    }
    match (left.as_float(), right.as_float()) {
        (Some(a), Some(b)) => float_arithmetic(operator, a, b),
        _ => {
            let (a, b) = (left.type_name(), right.type_name());
            Err(Fault::new(format!("unsupported operand types: '{a}' and '{b}'")))
        }
    }
}

fn float_arithmetic(operator: Binary, a: f64, b: f64) -> Result<Value, Fault> {
    if b == 0.0 && matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Modulo) {
        return Err(Fault::new("division by zero"));
    }
    let result = match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::FloorDivide => floor_divide(a, b).0,
        Binary::Modulo => floor_divide(a, b).1,
        Binary::Power => a.powf(b),
        Binary::Concatenate => return Err(Fault::new("not an arithmetic operator")),
    };
    if operator == Binary::Power && !result.is_finite() && a.is_finite() && b.is_finite() {
        return Err(Fault::new("numerical result out of range"));
    }
    Ok(Value::Float(result))
}

/// Quotient and remainder as Python has them: the remainder has the sign of the divisor.
fn floor_divide(a: f64, b: f64) -> (f64, f64) {
    let remainder = a % b;
    let differs = remainder != 0.0 && (remainder < 0.0) != (b < 0.0);
    let quotient = (a - remainder) / b - f64::from(u8::from(differs));
    let remainder = if differs { remainder + b } else { remainder };
    (
        if quotient == 0.0 { 0f64.copysign(a / b) } else { quotient.round() },
        if remainder == 0.0 { 0f64.copysign(b) } else { remainder },
    )
}
