//! What a rendering may cost. Templates come from files of unknown origin: every operation is charged by the bytes and
//! elements that it reads and writes, and what is held in memory is counted.

use super::error::Fault;
use super::scope::Scope;
use super::value::Value;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Work in all. A unit takes a nanosecond, or up to four without optimization.
const WORK_MAX: u64 = 100_000_000;
/// Memory in use at a time, bytes.
const MEMORY_MAX_BYTES: usize = 40 << 20;
/// Work of an evaluation or statement.
const STEP_WORK: usize = 100;
/// Work of an element that is read, compared or written.
const ELEMENT_WORK: usize = 20;
/// What a value on the heap takes beside its contents, bytes.
const OVERHEAD_BYTES: usize = 96;
/// Containers within containers that are dropped by recursion.
const DROP_DEPTH_MAX: usize = 16;

/// What is left to a rendering.
#[derive(Debug)]
pub(crate) struct Fuel {
    work: Cell<u64>,
    held_bytes: Cell<usize>,
    drop_depth: Cell<usize>,
    /// Contents of containers that lay too deep in others to be dropped with them.
    remains: RefCell<Vec<Box<dyn Any>>>,
    /// What may hold itself, and would otherwise be kept alive for ever.
    cyclic: RefCell<Vec<Value>>,
    captured: RefCell<Vec<Scope>>,
}

impl Fuel {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            work: Cell::new(WORK_MAX),
            held_bytes: Cell::new(0),
            drop_depth: Cell::new(0),
            remains: RefCell::default(),
            cyclic: RefCell::default(),
            captured: RefCell::default(),
        })
    }

    /// An evaluation or statement.
    pub(crate) fn step(&self) -> Result<(), Fault> {
        self.spend(STEP_WORK)?;
        self.room(0)
    }

    /// Bytes that are read or written.
    pub(crate) fn bytes(&self, count: usize) -> Result<(), Fault> {
        self.spend(count)
    }

    /// Elements that are read, compared or written.
    pub(crate) fn elements(&self, count: usize) -> Result<(), Fault> {
        self.spend(count.saturating_mul(ELEMENT_WORK))
    }

    fn spend(&self, work: usize) -> Result<(), Fault> {
        let left = self.work.get().checked_sub(work as u64);
        self.work.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Fault::Limit("it takes too much work"))
    }

    /// Whether so many bytes more can be held.
    pub(crate) fn room(&self, bytes: usize) -> Result<(), Fault> {
        if self.held_bytes.get().saturating_add(bytes) > MEMORY_MAX_BYTES {
            return Err(Fault::Limit("it takes too much memory"));
        }
        Ok(())
    }

    /// Drops what a container held: deep nesting is unwound here, not on the stack.
    fn bury(&self, remains: impl Any) {
        let depth = self.drop_depth.get();
        if depth >= DROP_DEPTH_MAX {
            self.remains.borrow_mut().push(Box::new(remains));
            return;
        }
        self.drop_depth.set(depth + 1);
        drop(remains);
        if depth == 0 {
            loop {
                // The list must not be borrowed while what was in it is dropped.
                let next = self.remains.borrow_mut().pop();
                if next.is_none() {
                    break;
                }
            }
        }
        self.drop_depth.set(depth);
    }

    /// Notes a container that was given `held`.
    pub(crate) fn note_cyclic(&self, container: impl FnOnce() -> Value, held: &Value) -> Result<(), Fault> {
        let is_plain = matches!(
            held,
            Value::Undefined(_)
                | Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Str(_)
                | Value::Function(_)
        );
        if is_plain {
            return Ok(());
        }
        note(self, &self.cyclic, container())
    }

    /// Notes a scope that a macro refers to, which may stand in it.
    pub(crate) fn note_captured(&self, scope: Scope) -> Result<(), Fault> {
        note(self, &self.captured, scope)
    }

    /// Empties what may hold itself.
    pub(crate) fn break_cycles(&self) {
        let captured = self.captured.take();
        captured.iter().for_each(Scope::clear);
        let cyclic = self.cyclic.take();
        cyclic.iter().for_each(Value::clear);
    }
}

/// Adds to a list whose memory is held until the end.
fn note<T>(fuel: &Fuel, list: &RefCell<Vec<T>>, item: T) -> Result<(), Fault> {
    let mut list = list.borrow_mut();
    if list.len() == list.capacity() {
        let more = list.len().max(16);
        let bytes = more * size_of::<T>();
        fuel.room(list.len() * size_of::<T>() + bytes)?;
        fuel.held_bytes.set(fuel.held_bytes.get() + bytes);
        list.reserve_exact(more);
    }
    list.push(item);
    Ok(())
}

/// Memory that is held until this is dropped.
#[derive(Debug)]
pub(crate) struct Account {
    fuel: Rc<Fuel>,
    bytes: usize,
}

impl Account {
    /// Of a value on the heap. What it takes is counted at once and checked with the next growth or step.
    pub(crate) fn new(fuel: &Rc<Fuel>) -> Self {
        fuel.held_bytes.set(fuel.held_bytes.get() + OVERHEAD_BYTES);
        Self { fuel: Rc::clone(fuel), bytes: OVERHEAD_BYTES }
    }

    pub(crate) fn fuel(&self) -> &Rc<Fuel> {
        &self.fuel
    }

    /// The capacity to grow to for `len` elements, which is counted. The old and the new memory exist side by side while
    /// one is copied to the other.
    pub(crate) fn grow<T>(&mut self, capacity: usize, len: usize) -> Result<usize, Fault> {
        let new = len.max(capacity.saturating_mul(2));
        self.fuel.room(new.saturating_mul(size_of::<T>()))?;
        let more = (new - capacity) * size_of::<T>();
        self.fuel.held_bytes.set(self.fuel.held_bytes.get() + more);
        self.bytes += more;
        Ok(new)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.fuel.held_bytes.set(self.fuel.held_bytes.get().saturating_sub(self.bytes));
    }
}

/// Elements that are charged as they are added, counted while they are held, and dropped without recursion.
#[derive(Debug)]
pub(crate) struct Charged<T: 'static> {
    items: Vec<T>,
    account: Account,
}

impl<T: 'static> Charged<T> {
    pub(crate) fn new(fuel: &Rc<Fuel>) -> Self {
        Self { items: Vec::new(), account: Account::new(fuel) }
    }

    /// What an iterator gives, up to its first fault.
    pub(crate) fn collect(
        fuel: &Rc<Fuel>,
        items: impl IntoIterator<Item = Result<T, Fault>>,
    ) -> Result<Self, Fault> {
        Self::collect_from(fuel, &mut items.into_iter())
    }

    /// One function for all iterators, which keeps the module small.
    fn collect_from(
        fuel: &Rc<Fuel>,
        items: &mut dyn Iterator<Item = Result<T, Fault>>,
    ) -> Result<Self, Fault> {
        let mut collected = Self::new(fuel);
        for item in items {
            collected.push(item?)?;
        }
        Ok(collected)
    }

    pub(crate) fn fuel(&self) -> &Rc<Fuel> {
        &self.account.fuel
    }

    /// Charges for `more` elements and makes room for them.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Fault> {
        self.account.fuel.elements(more)?;
        self.make_room(more)
    }

    /// Makes room for `more` elements.
    pub(crate) fn make_room(&mut self, more: usize) -> Result<(), Fault> {
        let (len, capacity) = (self.items.len(), self.items.capacity());
        let wanted = len.saturating_add(more);
        if wanted > capacity {
            let capacity = self.account.grow::<T>(capacity, wanted)?;
            self.items.reserve_exact(capacity - len);
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, item: T) -> Result<(), Fault> {
        self.reserve(1)?;
        self.items.push(item);
        Ok(())
    }

    pub(crate) fn insert(&mut self, at: usize, item: T) -> Result<(), Fault> {
        self.reserve(self.items.len().saturating_sub(at) + 1)?;
        self.items.insert(at, item);
        Ok(())
    }

    /// Takes out the element at an index, which must be there.
    pub(crate) fn remove(&mut self, at: usize) -> Result<T, Fault> {
        self.account.fuel.elements(self.items.len() - at)?;
        Ok(self.items.remove(at))
    }

    /// Takes out all elements one after another.
    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, T> {
        self.items.drain(..)
    }

    /// Removes all elements.
    pub(crate) fn clear(&mut self) {
        let items = std::mem::take(&mut self.items);
        self.account = Account::new(&self.account.fuel);
        self.account.fuel.bury(items);
    }
}

impl<T: Clone + 'static> Charged<T> {
    /// A copy of what a slice holds.
    pub(crate) fn copy_of(fuel: &Rc<Fuel>, items: &[T]) -> Result<Self, Fault> {
        let mut copy = Self::new(fuel);
        copy.extend(items)?;
        Ok(copy)
    }

    pub(crate) fn extend(&mut self, items: &[T]) -> Result<(), Fault> {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    pub(crate) fn copy(&self) -> Result<Self, Fault> {
        Self::copy_of(&self.account.fuel, &self.items)
    }
}

impl<T: 'static> Deref for Charged<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: 'static> DerefMut for Charged<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T: 'static> Drop for Charged<T> {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            self.account.fuel.bury(std::mem::take(&mut self.items));
        }
    }
}
