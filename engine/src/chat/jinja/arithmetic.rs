//! Operators on values.

use super::ast::Binary;
use super::error::Fault;
use super::format;
use super::interpreter::TEXT_LEN_MAX;
use super::text::Builder;
use super::value::Value;

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
pub(crate) fn binary(operator: Binary, left: &Value, right: &Value) -> Result<Value, Fault> {
    for operand in [left, right] {
        if let (Value::Undefined(name), false) = (operand, operator == Binary::Concatenate) {
            return Err(Fault::new(format!("'{name}' is undefined")));
        }
    }
    match (operator, left, right) {
        (Binary::Concatenate, ..) | (Binary::Add, Value::Str(_), Value::Str(_)) => {
            let mut out = Builder::default();
            left.write_str(&mut out);
            right.write_str(&mut out);
            if out.len() > TEXT_LEN_MAX {
                return Err(Fault::Limit("a text is too long"));
            }
            Ok(Value::Str(out.finish()))
        }
        (Binary::Add, Value::List(_), Value::List(_)) | (Binary::Add, Value::Tuple(_), Value::Tuple(_)) => {
            let mut items = left.items()?;
            items.extend(right.items()?);
            Ok(if matches!(left, Value::List(_)) { Value::list(items) } else { Value::tuple(items) })
        }
        (Binary::Multiply, sequence @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)), count)
        | (Binary::Multiply, count, sequence @ (Value::Str(_) | Value::List(_) | Value::Tuple(_)))
            if count.as_int().is_some() =>
        {
            repeat(sequence, usize::try_from(count.as_int().unwrap_or(0)).unwrap_or(0))
        }
        (Binary::Modulo, Value::Str(text), _) => format::percent(text, right).map(Value::Str),
        _ => arithmetic(operator, left, right),
    }
}

fn repeat(value: &Value, count: usize) -> Result<Value, Fault> {
    let items = value.items()?;
    let len = if let Value::Str(text) = value { text.as_str().len() } else { items.len() };
    if len.saturating_mul(count) > TEXT_LEN_MAX {
        return Err(Fault::Limit("a text is too long"));
    }
    Ok(match value {
        Value::Str(text) => {
            let mut out = Builder::default();
            (0..count).for_each(|_| out.push_text(text));
            Value::Str(out.finish())
        }
        Value::Tuple(_) => Value::tuple(std::iter::repeat_n(items, count).flatten().collect()),
        _ => Value::list(std::iter::repeat_n(items, count).flatten().collect()),
    })
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
    Ok(Value::Float(match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::FloorDivide => (a / b).floor(),
        Binary::Modulo => a - b * (a / b).floor(),
        Binary::Power => a.powf(b),
        Binary::Concatenate => return Err(Fault::new("not an arithmetic operator")),
    }))
}
