//! Inputs of products: one vector, or panels of tokens side by side.

use wide::f32x4;

use super::allocated::vec_bytes;
use crate::formats::{Format, Integers, Precision, Quantised, Small, UNIT};
use crate::plan::Weight;

/// Tokens in the lanes of a vector.
pub const LANES: usize = 4;
/// Most vectors, of four tokens each, in a panel.
pub const PANEL: usize = 4;
/// So many rows cost less one after another, in integers, than as a panel.
pub const FEW: usize = 3;

/// What rows are multiplied as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// One, as it is.
    #[default]
    Row,
    /// A few, in exact integers, each on its own.
    Exact,
    /// In small integers.
    Fast,
    /// In panels.
    Panels,
}

impl Form {
    fn of(format: &Format, precision: Precision, count: usize) -> Self {
        match (format.products(), precision) {
            (Some(_), Precision::Fast) => Form::Fast,
            (Some(_), Precision::Exact) if count <= FEW => Form::Exact,
            (None, _) if count == 1 => Form::Row,
            _ => Form::Panels,
        }
    }
}

/// The rows that a weight is multiplied with, in the form that suits their number and the weight's format.
#[derive(Debug, Default)]
pub struct Inputs {
    /// How many.
    pub count: usize,
    /// Which of the following they are in.
    pub form: Form,
    /// Values of a row, padded to whole units.
    pub stride: usize,
    /// A row in the making; the only one stays here.
    pub row: Vec<f32>,
    /// A few rows, where the format has codes.
    pub exact: [Quantised<Integers>; FEW],
    /// Any number of rows, where the format has codes.
    pub fast: Vec<Quantised<Small>>,
    /// Several rows: panel after panel of up to [`PANEL`] vectors of [`LANES`] tokens, value after value.
    pub values: Vec<f32x4>,
}

/// What [`Inputs`] of a weight come to for up to `count` rows.
pub fn input_bytes(weight: &Weight, precision: Precision, count: usize) -> usize {
    let row = size_of::<f32>() * weight.cols.next_multiple_of(UNIT);
    let panels = row * count.next_multiple_of(LANES);
    row + match (weight.format.products(), precision) {
        (None, _) => panels,
        (Some(products), Precision::Exact) => {
            panels + FEW * Quantised::<Integers>::bytes_of(weight.cols, products)
        }
        (Some(products), Precision::Fast) => {
            let own = size_of::<Quantised<Small>>();
            count * (own + Quantised::<Small>::bytes_of(weight.cols, products))
        }
    }
}

impl Inputs {
    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        let exact = self.exact.iter().map(Quantised::bytes).sum::<u64>();
        let fast = self.fast.iter().map(Quantised::bytes).sum::<u64>();
        vec_bytes(&self.row) + exact + fast + vec_bytes(&self.fast) + vec_bytes(&self.values)
    }

    /// Takes `count` rows of `cols` values; `write` writes row `t`.
    pub fn fill(
        &mut self,
        (format, precision): (&Format, Precision),
        count: usize,
        cols: usize,
        mut write: impl FnMut(usize, &mut [f32]),
    ) {
        self.count = count;
        self.stride = cols.next_multiple_of(UNIT);
        self.row.clear();
        self.row.resize(self.stride, 0.0);
        self.form = Form::of(format, precision, count);
        if self.form == Form::Row {
            return write(0, &mut self.row[..cols]);
        }
        if let Some(products) = format.products()
            && self.form != Form::Panels
        {
            if self.form == Form::Fast && self.fast.len() < count {
                self.fast.reserve_exact(count - self.fast.len());
                self.fast.resize_with(count, Quantised::default);
            }
            for t in 0..count {
                write(t, &mut self.row[..cols]);
                match self.form {
                    Form::Fast => self.fast[t].set(&self.row, products),
                    _ => self.exact[t].set(&self.row, products),
                }
            }
            return;
        }
        let vectors = count.div_ceil(LANES);
        let len = vectors * self.stride;
        // There are few sizes, and the largest should not take twice as much.
        self.values.reserve_exact(len.saturating_sub(self.values.len()));
        self.values.resize(len, f32x4::ZERO);
        for t in 0..count {
            write(t, &mut self.row[..cols]);
            let (vector, lane) = (t / LANES, t % LANES);
            let first = vector / PANEL * PANEL;
            let width = PANEL.min(vectors - first);
            let values: &mut [f32] = bytemuck::cast_slice_mut(&mut self.values[first * self.stride..]);
            let places = values[(vector - first) * LANES + lane..].iter_mut().step_by(width * LANES);
            places.zip(&self.row).for_each(|(place, v)| *place = *v);
        }
    }
}
