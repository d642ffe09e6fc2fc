//! Runs statements.

use super::ast::{Expression, For, Macro, Statement, Target};
use super::error::{Fault, excerpt};
use super::fuel::{Account, Fuel};
use super::scope::Scope;
use super::strftime::Moment;
use super::text::{Builder, Text};
use super::value::{Closure, LoopState, Named, Value, Values};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::arguments::take_named;

/// Evaluations within evaluations: what the stack holds, also in wasm.
const DEPTH_MAX: usize = 320;

/// What a statement did to the loop around it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
}

/// The state of a rendering.
pub(crate) struct Interpreter {
    depth: usize,
    pub(crate) fuel: Rc<Fuel>,
    /// The line of the statement that runs, for messages.
    pub(crate) line: u32,
    /// The text of the block that a filter is applied to.
    pub(crate) body: Option<Text>,
    pub(crate) now: Option<Moment>,
    /// The names `loop` and `caller`.
    names: [Arc<str>; 2],
}

impl Interpreter {
    pub(crate) fn new(now: Option<Moment>) -> Self {
        let names = ["loop", "caller"].map(Arc::from);
        Self { depth: 0, fuel: Fuel::new(), line: 0, body: None, now, names }
    }

    /// The text that the statements make.
    pub(crate) fn render(&mut self, body: &[Statement], names: Named) -> Result<Text, Fault> {
        let scope = Scope::new(names);
        let result = self.run_apart(body, &scope);
        scope.clear();
        self.fuel.break_cycles();
        result
    }

    /// Counts a step and a level of nesting around `work`.
    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.fuel.step()?;
        if self.depth >= DEPTH_MAX {
            return Err(Fault::Limit("it is nested too deeply"));
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }

    fn run(&mut self, body: &[Statement], scope: &Scope, out: &mut Builder) -> Result<Flow, Fault> {
        self.deeper(|this| {
            for statement in body {
                let flow = this.statement(statement, scope, out)?;
                if flow != Flow::Next {
                    return Ok(flow);
                }
            }
            Ok(Flow::Next)
        })
    }

    fn run_apart(&mut self, body: &[Statement], scope: &Scope) -> Result<Text, Fault> {
        let mut out = Builder::new(&self.fuel);
        self.run(body, scope, &mut out)?;
        Ok(out.finish())
    }

    fn statement(&mut self, statement: &Statement, scope: &Scope, out: &mut Builder) -> Result<Flow, Fault> {
        match statement {
            Statement::Text(text) => out.push(text, true)?,
            Statement::Output(expression, line) => {
                self.line = *line;
                self.evaluate(expression, scope)?.write_str(out)?;
            }
            Statement::If(branches, otherwise, line) => {
                for (condition, body) in branches {
                    self.line = *line;
                    if self.evaluate(condition, scope)?.is_true() {
                        return self.run(body, scope, out);
                    }
                }
                return self.run(otherwise, scope, out);
            }
            Statement::For(definition, line) => {
                self.line = *line;
                self.for_loop(definition, scope, out)?;
            }
            Statement::Set(target, expression, line) => {
                self.line = *line;
                let value = self.evaluate(expression, scope)?;
                // `do` evaluates only: its target holds nothing.
                if !matches!(target, Target::Tuple(targets) if targets.is_empty()) {
                    self.assign(target, value, scope)?;
                }
            }
            Statement::SetBlock(target, body, filter) => {
                let value = self.filtered_body(body, filter, scope)?;
                self.assign(target, value, scope)?;
            }
            Statement::Filter(filter, body) => match self.filtered_body(body, filter, scope)? {
                Value::Str(text) => out.push_text(&text)?,
                other => {
                    return Err(Fault::new(format!(
                        "a filter block gives '{}', not text",
                        other.type_name()
                    )));
                }
            },
            Statement::With(assignments, body) => {
                let inner = self.with_scope(assignments, scope)?;
                return self.run(body, &inner, out);
            }
            Statement::Macro(definition) => {
                scope.set(&definition.name, self.closure(definition, scope)?)?;
            }
            Statement::CallBlock(call, body, line) => {
                self.line = *line;
                self.call_block(call, body, scope)?.write_str(out)?;
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    // What follows is apart from `statement` so that its part of the stack is small: that is what nesting costs.

    /// What a filter makes of the text of a block.
    #[inline(never)]
    fn filtered_body(
        &mut self,
        body: &[Statement],
        filter: &Expression,
        scope: &Scope,
    ) -> Result<Value, Fault> {
        let text = self.run_apart(body, &scope.child())?;
        let outer = self.body.replace(text);
        let result = self.evaluate(filter, scope);
        self.body = outer;
        result
    }

    #[inline(never)]
    fn with_scope(&mut self, assignments: &[(Target, Expression)], scope: &Scope) -> Result<Scope, Fault> {
        let inner = scope.child();
        for (target, expression) in assignments {
            let value = self.evaluate(expression, scope)?;
            self.assign(target, value, &inner)?;
        }
        Ok(inner)
    }

    #[inline(never)]
    fn call_block(&mut self, call: &Expression, body: &Arc<Macro>, scope: &Scope) -> Result<Value, Fault> {
        let Expression::Call(callee, arguments) = call else {
            return Err(Fault::new("a call block needs a call"));
        };
        let callee = self.evaluate(callee, scope)?;
        let (positional, mut named) = self.arguments(arguments, scope)?;
        named.push((self.names[1].clone(), self.closure(body, scope)?))?;
        self.call(&callee, positional, named)
    }

    #[inline(never)]
    fn for_loop(&mut self, definition: &For, scope: &Scope, out: &mut Builder) -> Result<(), Fault> {
        let mut items = self.evaluate(&definition.items, scope)?.items(&self.fuel)?;
        if let Some(condition) = &definition.condition {
            let mut kept = Values::new(&self.fuel);
            for item in items.drain() {
                let inner = scope.child();
                self.assign(&definition.target, item.clone(), &inner)?;
                if self.evaluate(condition, &inner)?.is_true() {
                    kept.push(item)?;
                }
            }
            items = kept;
        }
        if items.is_empty() {
            self.run(&definition.otherwise, &scope.child(), out)?;
            return Ok(());
        }
        let items = Rc::new(items);
        let changed = Rc::new(RefCell::new(None));
        let mut result = Ok(Flow::Next);
        for (index0, item) in items.iter().enumerate() {
            let inner = scope.child();
            let state = LoopState {
                items: Rc::clone(&items),
                index0,
                changed: Rc::downgrade(&changed),
                _account: Account::new(&self.fuel),
            };
            result = inner
                .set(&self.names[0], Value::Loop(Rc::new(state)))
                .and_then(|()| self.assign(&definition.target, item.clone(), &inner))
                .and_then(|()| self.run(&definition.body, &inner, out));
            if !matches!(result, Ok(Flow::Next | Flow::Continue)) {
                break;
            }
        }
        result.map(|_| ())
    }

    /// Calls a macro.
    pub(crate) fn call_macro(
        &mut self,
        closure: &Closure,
        positional: Values,
        mut named: Named,
    ) -> Result<Value, Fault> {
        let definition = &closure.definition;
        let scope = closure.scope.child();
        let name = excerpt(&definition.name);
        let parameters_len = definition.parameters.len();
        if positional.len() > parameters_len {
            return Err(Fault::new(format!(
                "macro '{name}' takes not more than {parameters_len} argument(s)"
            )));
        }
        for (at, (parameter, default)) in definition.parameters.iter().enumerate() {
            let by_name = take_named(&mut named, parameter)?;
            let value = match (positional.get(at), by_name, default) {
                (Some(_), Some(_), _) => {
                    return Err(Fault::new(format!(
                        "macro '{name}' got multiple values for argument '{}'",
                        excerpt(parameter)
                    )));
                }
                (Some(value), ..) => value.clone(),
                (None, Some(value), _) => value,
                (None, None, Some(default)) => self.evaluate(default, &scope)?,
                (None, None, None) => Value::undefined(&self.fuel, parameter)?,
            };
            scope.set(parameter, value)?;
        }
        for (argument, value) in named.drain() {
            if argument != self.names[1] {
                let argument = excerpt(&argument);
                return Err(Fault::new(format!("macro '{name}' takes no keyword argument '{argument}'")));
            }
            scope.set(&argument, value)?;
        }
        // Nested twice: a call takes as much of the stack as two evaluations.
        Ok(Value::Str(self.deeper(|this| this.run_apart(&definition.body, &scope))?))
    }

    fn closure(&self, definition: &Arc<Macro>, scope: &Scope) -> Result<Value, Fault> {
        scope.capture()?;
        let (definition, scope) = (Arc::clone(definition), scope.clone());
        Ok(Value::Macro(Rc::new(Closure { definition, scope, _account: Account::new(&self.fuel) })))
    }

    fn assign(&self, target: &Target, value: Value, scope: &Scope) -> Result<(), Fault> {
        match target {
            Target::Name(name) => scope.set(name, value),
            Target::Tuple(targets) => {
                let mut items = value.items(&self.fuel)?;
                if items.len() != targets.len() {
                    let (few, wanted) = (items.len(), targets.len());
                    return Err(Fault::new(format!("cannot unpack {few} values into {wanted}")));
                }
                targets
                    .iter()
                    .zip(items.drain())
                    .try_for_each(|(target, item)| self.assign(target, item, scope))
            }
            Target::Attribute(name, attribute) => {
                let Some(Value::Namespace(entries)) = scope.get(name)? else {
                    return Err(Fault::new("cannot assign attribute on non-namespace object"));
                };
                self.fuel.note_cyclic(|| Value::Namespace(Rc::clone(&entries)), &value)?;
                entries.borrow_mut().set(Value::str(&self.fuel, attribute)?, value)
            }
        }
    }
}
