//! Sorts elements by what they are compared by.

use super::error::Fault;
use super::fuel::Charged;
use super::value::Value;

/// Elements with what they are compared by before them.
pub(crate) type Keyed = Charged<(Value, Value)>;

/// Sorts by merging: stable, as Python's, and in the end whatever the order is. A comparison that fails stops it.
pub(crate) fn sort(mut items: Keyed, reverse: bool) -> Result<Keyed, Fault> {
    let (fuel, len) = (items.fuel().clone(), items.len());
    let mut width = 1;
    while width < len {
        let mut merged = Charged::new(&fuel);
        merged.make_room(len)?;
        for start in (0..len).step_by(2 * width) {
            let (mut left, mut right) = (start, (start + width).min(len));
            let (middle, end) = (right, (start + 2 * width).min(len));
            while left < middle || right < end {
                let takes_right = match (items[..middle].get(left), items[..end].get(right)) {
                    (Some((a, _)), Some((b, _))) if reverse => a.is_less(b, &fuel)?,
                    (Some((a, _)), Some((b, _))) => b.is_less(a, &fuel)?,
                    (left, _) => left.is_none(),
                };
                let next = if takes_right { &mut right } else { &mut left };
                merged.push(items[*next].clone())?;
                *next += 1;
            }
        }
        items = merged;
        width *= 2;
    }
    Ok(items)
}
