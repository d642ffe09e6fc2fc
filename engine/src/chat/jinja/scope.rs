//! Names and their values, scope within scope.

use super::value::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The names of a block, over those of the blocks around it. Copies share the names.
#[derive(Debug, Clone)]
pub(crate) struct Scope(Rc<Frame>);

#[derive(Debug)]
struct Frame {
    names: RefCell<Vec<(String, Value)>>,
    parent: Option<Scope>,
}

impl Scope {
    pub(crate) fn new(names: Vec<(String, Value)>) -> Self {
        Self(Rc::new(Frame { names: RefCell::new(names), parent: None }))
    }

    /// A scope within this one.
    pub(crate) fn child(&self) -> Self {
        Self(Rc::new(Frame { names: RefCell::new(Vec::new()), parent: Some(self.clone()) }))
    }

    pub(crate) fn set(&self, name: &str, value: Value) {
        let mut names = self.0.names.borrow_mut();
        match names.iter_mut().find(|(n, _)| n == name) {
            Some(entry) => entry.1 = value,
            None => names.push((name.to_owned(), value)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        let mut scope = Some(self);
        while let Some(current) = scope {
            if let Some((_, value)) = current.0.names.borrow().iter().find(|(n, _)| n == name) {
                return Some(value.clone());
            }
            scope = current.0.parent.as_ref();
        }
        None
    }

    /// Forgets the names of this scope. A macro that refers to the scope it stands in would keep both alive forever.
    pub(crate) fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}
