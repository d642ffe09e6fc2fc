//! Runs statements.

use super::ast::{Expression, For, Macro, Statement, Target};
use super::error::Fault;
use super::scope::Scope;
use super::strftime::Moment;
use super::text::{Builder, Text};
use super::value::{Closure, Dict, LoopState, Value};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Evaluations within evaluations: what the stack holds, also in wasm.
const DEPTH_MAX: usize = 320;
/// Evaluations in all: a second or so.
const STEPS_MAX: u64 = 20_000_000;
/// Longest text that a template may make, bytes.
pub(crate) const TEXT_LEN_MAX: usize = 64 << 20;

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
    steps: u64,
    /// The line of the statement that runs, for messages.
    pub(crate) line: u32,
    /// The text of the block that a filter is applied to.
    pub(crate) body: Option<Text>,
    loop_depth: usize,
    pub(crate) now: Option<Moment>,
}

impl Interpreter {
    pub(crate) fn new(now: Option<Moment>) -> Self {
        Self { depth: 0, steps: 0, line: 0, body: None, loop_depth: 0, now }
    }

    /// The text that the statements make.
    pub(crate) fn render(&mut self, body: &[Statement], names: Vec<(String, Value)>) -> Result<Text, Fault> {
        let scope = Scope::new(names);
        let mut out = Builder::default();
        let result = self.run(body, &scope, &mut out);
        scope.clear();
        result.map(|_| out.finish())
    }

    /// Counts a step and a level of nesting around `work`.
    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return Err(Fault::Limit("it takes too many steps"));
        }
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
                if out.len() > TEXT_LEN_MAX {
                    return Err(Fault::Limit("the text is too long"));
                }
                if flow != Flow::Next {
                    return Ok(flow);
                }
            }
            Ok(Flow::Next)
        })
    }

    fn run_apart(&mut self, body: &[Statement], scope: &Scope) -> Result<Text, Fault> {
        let mut out = Builder::default();
        self.run(body, scope, &mut out)?;
        Ok(out.finish())
    }

    fn statement(&mut self, statement: &Statement, scope: &Scope, out: &mut Builder) -> Result<Flow, Fault> {
        match statement {
            Statement::Text(text) => out.push(text, true),
            Statement::Output(expression, line) => {
                self.line = *line;
                self.evaluate(expression, scope)?.write_str(out);
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
                    assign(target, value, scope)?;
                }
            }
            Statement::SetBlock(target, body, filter) => {
                let text = self.run_apart(body, &scope.child())?;
                let value = self.over_body(filter, text, scope)?;
                assign(target, value, scope)?;
            }
            Statement::Filter(filter, body) => {
                let text = self.run_apart(body, &scope.child())?;
                self.over_body(filter, text, scope)?.write_str(out);
            }
            Statement::With(assignments, body) => {
                let inner = scope.child();
                for (target, expression) in assignments {
                    let value = self.evaluate(expression, scope)?;
                    assign(target, value, &inner)?;
                }
                return self.run(body, &inner, out);
            }
            Statement::Macro(definition) => scope.set(&definition.name, closure(definition, scope)),
            Statement::CallBlock(call, body, line) => {
                self.line = *line;
                let Expression::Call(callee, arguments) = call else {
                    return Err(Fault::new("a call block needs a call"));
                };
                let callee = self.evaluate(callee, scope)?;
                let (positional, mut named) = self.arguments(arguments, scope)?;
                named.push(("caller".into(), closure(body, scope)));
                self.call(&callee, positional, named)?.write_str(out);
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn over_body(&mut self, filter: &Expression, text: Text, scope: &Scope) -> Result<Value, Fault> {
        let outer = self.body.replace(text);
        let result = self.evaluate(filter, scope);
        self.body = outer;
        result
    }

    fn for_loop(&mut self, definition: &For, scope: &Scope, out: &mut Builder) -> Result<(), Fault> {
        let mut items = self.evaluate(&definition.items, scope)?.items()?;
        if let Some(condition) = &definition.condition {
            let mut kept = Vec::with_capacity(items.len());
            for item in items {
                let inner = scope.child();
                assign(&definition.target, item.clone(), &inner)?;
                if self.evaluate(condition, &inner)?.is_true() {
                    kept.push(item);
                }
            }
            items = kept;
        }
        if items.is_empty() {
            self.run(&definition.otherwise, &scope.child(), out)?;
            return Ok(());
        }
        let items: Rc<[Value]> = items.into();
        let changed = Rc::new(RefCell::new(None));
        self.loop_depth += 1;
        let mut result = Ok(());
        for (index0, item) in items.iter().enumerate() {
            let inner = scope.child();
            let state = LoopState {
                items: Rc::clone(&items),
                index0,
                depth0: self.loop_depth - 1,
                changed: Rc::clone(&changed),
            };
            inner.set("loop", Value::Loop(Rc::new(state)));
            let flow = assign(&definition.target, item.clone(), &inner)
                .and_then(|()| self.run(&definition.body, &inner, out));
            match flow {
                Ok(Flow::Break) => break,
                Ok(_) => {}
                Err(fault) => {
                    result = Err(fault);
                    break;
                }
            }
        }
        self.loop_depth -= 1;
        result
    }

    /// Calls a macro.
    pub(crate) fn call_macro(
        &mut self,
        closure: &Closure,
        positional: Vec<Value>,
        mut named: Vec<(String, Value)>,
    ) -> Result<Value, Fault> {
        let definition = &closure.definition;
        let scope = closure.scope.child();
        let name = &definition.name;
        if positional.len() > definition.parameters.len() {
            return Err(Fault::new(format!(
                "macro '{name}' takes not more than {} argument(s)",
                definition.parameters.len()
            )));
        }
        let mut given = positional.into_iter();
        for (parameter, default) in &definition.parameters {
            let by_name = named.iter().position(|(name, _)| name == parameter).map(|at| named.remove(at).1);
            let value = match (given.next(), by_name, default) {
                (Some(_), Some(_), _) => {
                    return Err(Fault::new(format!(
                        "macro '{name}' got multiple values for argument '{parameter}'"
                    )));
                }
                (Some(value), ..) | (None, Some(value), _) => value,
                (None, None, Some(default)) => self.evaluate(default, &scope)?,
                (None, None, None) => Value::undefined(parameter),
            };
            scope.set(parameter, value);
        }
        for (argument, value) in named {
            if argument != "caller" {
                return Err(Fault::new(format!("macro '{name}' takes no keyword argument '{argument}'")));
            }
            scope.set("caller", value);
        }
        let text = self.run_apart(&definition.body, &scope);
        scope.clear();
        Ok(Value::Str(text?))
    }
}

fn closure(definition: &Arc<Macro>, scope: &Scope) -> Value {
    Value::Macro(Rc::new(Closure { definition: Arc::clone(definition), scope: scope.clone() }))
}

fn assign(target: &Target, value: Value, scope: &Scope) -> Result<(), Fault> {
    match target {
        Target::Name(name) => scope.set(name, value),
        Target::Tuple(targets) => {
            let items = value.items()?;
            if items.len() != targets.len() {
                let (few, wanted) = (items.len(), targets.len());
                return Err(Fault::new(format!("cannot unpack {few} values into {wanted}")));
            }
            for (target, item) in targets.iter().zip(items) {
                assign(target, item, scope)?;
            }
        }
        Target::Attribute(name, attribute) => match scope.get(name) {
            Some(Value::Namespace(entries)) => set_entry(&entries, attribute, value),
            _ => return Err(Fault::new("cannot assign attribute on non-namespace object")),
        },
    }
    Ok(())
}

fn set_entry(entries: &RefCell<Dict>, key: &str, value: Value) {
    entries.borrow_mut().set(Value::str(key), value);
}
