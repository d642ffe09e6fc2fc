//! The one way in which things are ordered here: each sort of a type of its own takes kilobytes of the module.

/// Indices by their values, the highest first; of equal ones the earlier first.
pub(crate) fn by_value(values: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    order
}

/// Things by a value, the highest first; of equal ones the earlier first.
pub(crate) fn sorted<T: Clone>(things: &[T], value: impl Fn(&T) -> f32) -> Vec<T> {
    let values: Vec<f32> = things.iter().map(value).collect();
    by_value(&values).into_iter().map(|at| things[at].clone()).collect()
}

/// The value in the middle of some; 0 of none.
pub(crate) fn middle(values: &[usize]) -> usize {
    let order = by_value(&values.iter().map(|&value| value as f32).collect::<Vec<_>>());
    order.get(order.len() / 2).map_or(0, |&at| values[at])
}
