//! Evaluates expressions.

use super::access::{attribute, contains, item, slice_indices, slice_text};
use super::arithmetic::{binary, negate};
use super::ast::{Arguments, Comparison, Expression, Literal};
use super::error::Fault;
use super::interpreter::Interpreter;
use super::scope::Scope;
use super::value::{Dict, Named, Value, Values};
use super::{filters, functions, methods, tests};
use std::cmp::Ordering;
use std::sync::Arc;

/// Positional and named arguments of a call.
pub(crate) type Given = (Values, Named);

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
                Literal::Str(text) => Value::str(&self.fuel, text)?,
            },
            Expression::Name(name) => match scope.get(name)?.or_else(|| functions::global(name, self)) {
                Some(value) => value,
                None => Value::undefined(&self.fuel, name)?,
            },
            Expression::List(items) => Value::list(self.evaluate_all(items, scope)?),
            Expression::Tuple(items) => Value::tuple(self.evaluate_all(items, scope)?),
            Expression::Dict(entries) => self.dict(entries, scope)?,
            Expression::Attribute(value, name) => {
                attribute(&self.fuel.clone(), &self.evaluate(value, scope)?, name)?
            }
            Expression::Item(value, key) => {
                let value = self.evaluate(value, scope)?;
                item(&self.fuel.clone(), &value, &self.evaluate(key, scope)?)?
            }
            Expression::Slice(value, bounds) => self.slice(value, bounds, scope)?,
            Expression::Call(callee, arguments) => self.called(callee, arguments, scope)?,
            Expression::Filter(value, name, arguments) => self.filtered(value, name, arguments, scope)?,
            Expression::Test(value, name, arguments) => {
                Value::Bool(self.tested(value, name, arguments, scope)?)
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
                binary(&self.fuel, *operator, &left, &right)?
            }
            Expression::Compare(first, rest) => self.compare(first, rest, scope)?,
            Expression::Conditional(condition, then, otherwise) => {
                if self.evaluate(condition, scope)?.is_true() {
                    self.evaluate(then, scope)?
                } else {
                    match otherwise {
                        Some(otherwise) => self.evaluate(otherwise, scope)?,
                        None => Value::undefined(&self.fuel, "the value of a condition without else")?,
                    }
                }
            }
            Expression::Body => self.body.clone().map_or(Value::None, Value::Str),
        })
    }

    // What follows is apart from `evaluate_here` so that its part of the stack is small: that is what nesting costs.

    #[inline(never)]
    fn dict(&mut self, entries: &[(Expression, Expression)], scope: &Scope) -> Result<Value, Fault> {
        let mut dict = Dict::new(&self.fuel);
        for (key, value) in entries {
            let key = self.evaluate(key, scope)?;
            dict.set(key, self.evaluate(value, scope)?)?;
        }
        Ok(Value::dict(dict))
    }

    #[inline(never)]
    fn called(&mut self, callee: &Expression, arguments: &Arguments, scope: &Scope) -> Result<Value, Fault> {
        let callee = self.evaluate(callee, scope)?;
        let (positional, named) = self.arguments(arguments, scope)?;
        self.call(&callee, positional, named)
    }

    #[inline(never)]
    fn filtered(
        &mut self,
        value: &Expression,
        name: &str,
        arguments: &Arguments,
        scope: &Scope,
    ) -> Result<Value, Fault> {
        let value = self.evaluate(value, scope)?;
        let (positional, named) = self.arguments(arguments, scope)?;
        filters::apply(self, name, &value, positional, named)
    }

    #[inline(never)]
    fn tested(
        &mut self,
        value: &Expression,
        name: &str,
        arguments: &Arguments,
        scope: &Scope,
    ) -> Result<bool, Fault> {
        let value = self.evaluate(value, scope)?;
        let (positional, _) = self.arguments(arguments, scope)?;
        tests::apply(&self.fuel, name, &value, &positional)
    }

    #[inline(never)]
    fn evaluate_all(&mut self, expressions: &[Expression], scope: &Scope) -> Result<Values, Fault> {
        let fuel = self.fuel.clone();
        Values::collect(&fuel, expressions.iter().map(|expression| self.evaluate(expression, scope)))
    }

    /// The values of arguments.
    #[inline(never)]
    pub(crate) fn arguments(&mut self, arguments: &Arguments, scope: &Scope) -> Result<Given, Fault> {
        let mut positional = self.evaluate_all(&arguments.positional, scope)?;
        let mut named = Named::new(&self.fuel);
        for (name, value) in &arguments.named {
            named.push((name.clone(), self.evaluate(value, scope)?))?;
        }
        if let Some(spread) = &arguments.spread {
            let spread = self.evaluate(spread, scope)?.items(&self.fuel)?;
            positional.extend(&spread)?;
        }
        if let Some(spread) = &arguments.spread_named
            && let Value::Dict(entries) = self.evaluate(spread, scope)?
        {
            for (key, value) in entries.borrow().0.iter() {
                let Value::Str(key) = key else { return Err(Fault::new("keywords must be strings")) };
                if key.as_str().len() > NAME_LEN_MAX {
                    return Err(Fault::Limit("a keyword is too long"));
                }
                named.push((Arc::from(key.read()?), value.clone()))?;
            }
        }
        Ok((positional, named))
    }

    /// Calls a value.
    pub(crate) fn call(&mut self, callee: &Value, positional: Values, named: Named) -> Result<Value, Fault> {
        match callee {
            Value::Macro(closure) => self.call_macro(closure, positional, named),
            Value::Function(name) => functions::call(self, name, positional, named),
            Value::Method(method) => methods::call(&method.of, method.name, positional, named),
            Value::Undefined(name) => Err(Fault::undefined(name.as_str())),
            other => Err(Fault::new(format!("'{}' object is not callable", other.type_name()))),
        }
    }

    #[inline(never)]
    fn compare(
        &mut self,
        first: &Expression,
        rest: &[(Comparison, Expression)],
        scope: &Scope,
    ) -> Result<Value, Fault> {
        let mut left = self.evaluate(first, scope)?;
        for (comparison, right) in rest {
            let right = self.evaluate(right, scope)?;
            let order = || left.compare(&right, &self.fuel);
            let holds = match comparison {
                Comparison::Equal => left.equals(&right, &self.fuel)?,
                Comparison::NotEqual => !left.equals(&right, &self.fuel)?,
                Comparison::Less => order()? == Some(Ordering::Less),
                Comparison::LessOrEqual => order()?.is_some_and(Ordering::is_le),
                Comparison::Greater => order()? == Some(Ordering::Greater),
                Comparison::GreaterOrEqual => order()?.is_some_and(Ordering::is_ge),
                Comparison::In => contains(&self.fuel, &right, &left)?,
                Comparison::NotIn => !contains(&self.fuel, &right, &left)?,
            };
            if !holds {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    #[inline(never)]
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
        let picked = |items: &[Value]| {
            let indices = slice_indices(items.len(), start, stop, step)?;
            Values::collect(&self.fuel, indices.map(|at| Ok(items[at].clone())))
        };
        match &value {
            Value::Undefined(of) => Err(Fault::undefined(of.as_str())),
            Value::Str(text) => slice_text(text, start, stop, step).map(Value::Str),
            Value::Tuple(items) => picked(items).map(Value::tuple),
            Value::List(items) => picked(&items.borrow()).map(Value::list),
            other => Err(Fault::new(format!("'{}' object is not subscriptable", other.type_name()))),
        }
    }
}

/// Longest name of an argument in `**dict`, bytes.
const NAME_LEN_MAX: usize = 1 << 8;
