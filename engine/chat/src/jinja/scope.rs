//! Names and their values, scope within scope.

use super::error::Fault;
use super::fuel::{Charged, Fuel};
use super::value::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The names of a block, over those of the blocks around it. Copies share the names.
#[derive(Debug, Clone)]
pub(crate) struct Scope(Rc<Frame>);

#[derive(Debug)]
struct Frame {
    names: RefCell<Charged<(Arc<str>, Value)>>,
    /// As deep as blocks nest in the template.
    parent: Option<Scope>,
    is_captured: Cell<bool>,
}

impl Scope {
    pub(crate) fn new(names: Charged<(Arc<str>, Value)>) -> Self {
        Self::within(names, None)
    }

    /// A scope within this one.
    pub(crate) fn child(&self) -> Self {
        Self::within(Charged::new(&self.fuel()), Some(self.clone()))
    }

    fn within(names: Charged<(Arc<str>, Value)>, parent: Option<Scope>) -> Self {
        Self(Rc::new(Frame { names: RefCell::new(names), parent, is_captured: Cell::new(false) }))
    }

    fn fuel(&self) -> Rc<Fuel> {
        Rc::clone(self.0.names.borrow().fuel())
    }

    pub(crate) fn set(&self, name: &Arc<str>, value: Value) -> Result<(), Fault> {
        let mut names = self.0.names.borrow_mut();
        names.fuel().elements(names.len())?;
        match names.iter_mut().find(|(n, _)| n == name) {
            Some(entry) => entry.1 = value,
            None => names.push((Arc::clone(name), value))?,
        }
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Result<Option<Value>, Fault> {
        let mut scope = Some(self);
        while let Some(current) = scope {
            let names = current.0.names.borrow();
            names.fuel().elements(names.len())?;
            if let Some((_, value)) = names.iter().find(|(n, _)| **n == *name) {
                return Ok(Some(value.clone()));
            }
            scope = current.0.parent.as_ref();
        }
        Ok(None)
    }

    /// Notes that a macro refers to this scope, which may keep both alive for ever.
    pub(crate) fn capture(&self) -> Result<(), Fault> {
        if !self.0.is_captured.replace(true) {
            self.fuel().note_captured(self.clone())?;
        }
        Ok(())
    }

    /// Forgets the names of this scope.
    pub(crate) fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}
