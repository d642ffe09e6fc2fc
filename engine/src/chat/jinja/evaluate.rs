//! Evaluates expressions.

use super::arithmetic::{binary, negate};
use super::ast::{Arguments, Comparison, Expression, Literal};
use super::error::Fault;
use super::interpreter::Interpreter;
use super::scope::Scope;
use super::text::Builder;
use super::value::{Dict, LoopState, Value};
use super::{filters, functions, methods, tests};
use std::cmp::Ordering;

/// Positional and named arguments of a call.
pub(crate) type Given = (Vec<Value>, Vec<(String, Value)>);

impl Interpreter {
    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, expression: &Expression, scope: &Scope) -> Result<Value, Fault> {
        self.deeper(|this| this.evaluate_here(expression, scope))
    }

    fn evaluate_here(&mut self, expression: &Expression, scope: &Scope) -> Result<Value, Fault> {
        Ok(match expression {
            Expression::Literal(literal) => match literal {
                Literal::None => Value::None,
                Literal::Bool(b) => Value::Bool(*b),
                Literal::Int(i) => Value::Int(*i),
                Literal::Float(f) => Value::Float(*f),
                Literal::Str(text) => Value::str(text),
            },
            Expression::Name(name) => match scope.get(name) {
                Some(value) => value,
                None => functions::global(name, self).unwrap_or_else(|| Value::undefined(name)),
            },
            Expression::List(items) => Value::list(self.evaluate_all(items, scope)?),
            Expression::Tuple(items) => Value::tuple(self.evaluate_all(items, scope)?),
            Expression::Dict(entries) => {
                let mut dict = Dict::default();
                for (key, value) in entries {
                    let key = self.evaluate(key, scope)?;
                    dict.set(key, self.evaluate(value, scope)?);
                }
                Value::dict(dict)
            }
            Expression::Attribute(value, name) => attribute(&self.evaluate(value, scope)?, name)?,
            Expression::Item(value, key) => {
                let value = self.evaluate(value, scope)?;
                item(&value, &self.evaluate(key, scope)?)?
            }
            Expression::Slice(value, bounds) => self.slice(value, bounds, scope)?,
            Expression::Call(callee, arguments) => {
                let callee = self.evaluate(callee, scope)?;
                let (positional, named) = self.arguments(arguments, scope)?;
                self.call(&callee, positional, named)?
            }
            Expression::Filter(value, name, arguments) => {
                let value = self.evaluate(value, scope)?;
                let (positional, named) = self.arguments(arguments, scope)?;
                filters::apply(self, name, &value, positional, named)?
            }
            Expression::Test(value, name, arguments) => {
                let value = self.evaluate(value, scope)?;
                let (positional, _) = self.arguments(arguments, scope)?;
                Value::Bool(tests::apply(name, &value, &positional)?)
            }
            Expression::Negate(value) => negate(&self.evaluate(value, scope)?)?,
            Expression::Plus(value) => match self.evaluate(value, scope)? {
                Value::Bool(b) => Value::Int(b.into()),
                number @ (Value::Int(_) | Value::Float(_)) => number,
                other => {
                    return Err(Fault::new(format!("bad operand type for unary +: '{}'", other.type_name())));
                }
            },
            Expression::Not(value) => Value::Bool(!self.evaluate(value, scope)?.is_true()),
            Expression::And(left, right) => {
                let left = self.evaluate(left, scope)?;
                if left.is_true() { self.evaluate(right, scope)? } else { left }
            }
            Expression::Or(left, right) => {
                let left = self.evaluate(left, scope)?;
                if left.is_true() { left } else { self.evaluate(right, scope)? }
            }
            Expression::Binary(operator, left, right) => {
                let left = self.evaluate(left, scope)?;
                let right = self.evaluate(right, scope)?;
                binary(*operator, &left, &right)?
            }
            Expression::Compare(first, rest) => self.compare(first, rest, scope)?,
            Expression::Conditional(condition, then, otherwise) => {
                if self.evaluate(condition, scope)?.is_true() {
                    self.evaluate(then, scope)?
                } else {
                    match otherwise {
                        Some(otherwise) => self.evaluate(otherwise, scope)?,
                        None => Value::undefined("the value of a condition without else"),
                    }
                }
            }
            Expression::Body => self.body.clone().map_or(Value::None, Value::Str),
        })
    }

    fn evaluate_all(&mut self, expressions: &[Expression], scope: &Scope) -> Result<Vec<Value>, Fault> {
        expressions.iter().map(|expression| self.evaluate(expression, scope)).collect()
    }

    /// The values of arguments.
    pub(crate) fn arguments(&mut self, arguments: &Arguments, scope: &Scope) -> Result<Given, Fault> {
        let mut positional = self.evaluate_all(&arguments.positional, scope)?;
        let mut named = Vec::with_capacity(arguments.named.len());
        for (name, value) in &arguments.named {
            named.push((name.clone(), self.evaluate(value, scope)?));
        }
        if let Some(spread) = &arguments.spread {
            positional.extend(self.evaluate(spread, scope)?.items()?);
        }
        if let Some(spread) = &arguments.spread_named
            && let Value::Dict(entries) = self.evaluate(spread, scope)?
        {
            named.extend(
                entries
                    .borrow()
                    .0
                    .iter()
                    .map(|(key, value)| (key.to_text().as_str().to_owned(), value.clone())),
            );
        }
        Ok((positional, named))
    }

    /// Calls a value.
    pub(crate) fn call(
        &mut self,
        callee: &Value,
        positional: Vec<Value>,
        named: Vec<(String, Value)>,
    ) -> Result<Value, Fault> {
        match callee {
            Value::Macro(closure) => self.call_macro(closure, positional, named),
            Value::Function(name) => functions::call(self, name, positional, named),
            Value::Method(method) => methods::call(&method.0, &method.1, positional, named),
            Value::Undefined(name) => Err(Fault::new(format!("'{name}' is undefined"))),
            other => Err(Fault::new(format!("'{}' object is not callable", other.type_name()))),
        }
    }

    fn compare(
        &mut self,
        first: &Expression,
        rest: &[(Comparison, Expression)],
        scope: &Scope,
    ) -> Result<Value, Fault> {
        let mut left = self.evaluate(first, scope)?;
        for (comparison, right) in rest {
            let right = self.evaluate(right, scope)?;
            let holds = match comparison {
                Comparison::Equal => left.equals(&right, 0),
                Comparison::NotEqual => !left.equals(&right, 0),
                Comparison::Less => left.compare(&right)? == Ordering::Less,
                Comparison::LessOrEqual => left.compare(&right)? != Ordering::Greater,
                Comparison::Greater => left.compare(&right)? == Ordering::Greater,
                Comparison::GreaterOrEqual => left.compare(&right)? != Ordering::Less,
                Comparison::In => contains(&right, &left)?,
                Comparison::NotIn => !contains(&right, &left)?,
            };
            if !holds {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    fn slice(
        &mut self,
        value: &Expression,
        bounds: &[Option<Box<Expression>>; 3],
        scope: &Scope,
    ) -> Result<Value, Fault> {
        let value = self.evaluate(value, scope)?;
        let mut bound = |bound: &Option<Box<Expression>>| -> Result<Option<i64>, Fault> {
            let Some(expression) = bound else { return Ok(None) };
            match self.evaluate(expression, scope)? {
                Value::None => Ok(None),
                other => match other.as_int() {
                    Some(i) => Ok(Some(i)),
                    None => Err(Fault::new("slice indices must be integers or None")),
                },
            }
        };
        let (start, stop, step) = (bound(&bounds[0])?, bound(&bounds[1])?, bound(&bounds[2])?.unwrap_or(1));
        let items = match &value {
            Value::Undefined(_) => return Ok(value),
            Value::Dict(_) => return Err(Fault::new("unhashable type: 'slice'")),
            other => other.items()?,
        };
        let picked = slice_indices(items.len(), start, stop, step)?.into_iter().map(|at| items[at].clone());
        Ok(match value {
            Value::Str(_) => {
                let mut out = Builder::default();
                picked.for_each(|part| part.write_str(&mut out));
                Value::Str(out.finish())
            }
            Value::Tuple(_) => Value::tuple(picked.collect()),
            _ => Value::list(picked.collect()),
        })
    }
}

/// The indices of `[start:stop:step]`, as Python counts them.
fn slice_indices(len: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Result<Vec<usize>, Fault> {
    if step == 0 {
        return Err(Fault::new("slice step cannot be zero"));
    }
    let len = len as i64;
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |bound: i64| (if bound < 0 { bound.saturating_add(len) } else { bound }).clamp(low, high);
    let mut at = start.map_or(if step > 0 { low } else { high }, place);
    let stop = stop.map_or(if step > 0 { high } else { low }, place);
    let mut indices = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        indices.push(at as usize);
        at = at.saturating_add(step);
    }
    Ok(indices)
}

/// `value.name`: a method or attribute first, then an item.
pub(crate) fn attribute(value: &Value, name: &str) -> Result<Value, Fault> {
    if methods::exists(value, name) {
        return Ok(Value::Method(std::rc::Rc::new((value.clone(), name.to_owned()))));
    }
    Ok(match value {
        Value::Undefined(of) => return Err(Fault::new(format!("'{of}' is undefined"))),
        Value::Dict(entries) | Value::Namespace(entries) => {
            entries.borrow().get_str(name).cloned().unwrap_or_else(|| Value::undefined(name))
        }
        Value::Loop(state) => loop_attribute(state, name),
        Value::Macro(closure) if name == "name" => Value::str(&closure.definition.name),
        _ => Value::undefined(name),
    })
}

/// `value[key]`: an item first, then a method or attribute.
pub(crate) fn item(value: &Value, key: &Value) -> Result<Value, Fault> {
    let at = |len: usize| {
        let index = key.as_int()?;
        usize::try_from(if index < 0 { index.checked_add(len as i64)? } else { index }).ok()
    };
    let found = match value {
        Value::Undefined(of) => return Err(Fault::new(format!("'{of}' is undefined"))),
        Value::Dict(entries) | Value::Namespace(entries) => entries.borrow().get(key).cloned(),
        Value::List(items) => at(items.borrow().len()).and_then(|at| items.borrow().get(at).cloned()),
        Value::Tuple(items) => at(items.len()).and_then(|at| items.get(at).cloned()),
        Value::Str(text) => {
            let len = text.as_str().chars().count();
            let found = at(len).and_then(|at| text.as_str().char_indices().nth(at));
            found.map(|(at, c)| Value::Str(text.slice(at..at + c.len_utf8())))
        }
        _ => None,
    };
    match (found, key) {
        (Some(found), _) => Ok(found),
        (None, Value::Str(name)) if !matches!(value, Value::Namespace(_)) => {
            // What `value.name` finds beyond items.
            match value {
                Value::Dict(_) if !methods::exists(value, name.as_str()) => {
                    Ok(Value::undefined(name.as_str()))
                }
                _ => attribute(value, name.as_str()),
            }
        }
        (None, _) => Ok(Value::undefined(key.to_text().as_str())),
    }
}

fn loop_attribute(state: &LoopState, name: &str) -> Value {
    let (at, len) = (state.index0, state.items.len());
    let int = |i: usize| Value::Int(i as i64);
    match name {
        "index" => int(at + 1),
        "index0" => int(at),
        "revindex" => int(len - at),
        "revindex0" => int(len - at - 1),
        "first" => Value::Bool(at == 0),
        "last" => Value::Bool(at + 1 == len),
        "length" => int(len),
        "depth" => int(state.depth0 + 1),
        "depth0" => int(state.depth0),
        "previtem" if at > 0 => state.items[at - 1].clone(),
        "nextitem" if at + 1 < len => state.items[at + 1].clone(),
        _ => Value::undefined(name),
    }
}

/// Python's `in`.
pub(crate) fn contains(container: &Value, value: &Value) -> Result<bool, Fault> {
    match (container, value) {
        (Value::Str(text), Value::Str(part)) => Ok(text.as_str().contains(part.as_str())),
        (Value::Str(_), other) => Err(Fault::new(format!(
            "'in <string>' requires string as left operand, not {}",
            other.type_name()
        ))),
        (Value::Dict(entries), key) => Ok(entries.borrow().get(key).is_some()),
        (other, value) => Ok(other.items()?.iter().any(|item| item.equals(value, 0))),
    }
}
