//! What an adapter adds to the steps of a model: for every product that it changes two small ones, A and then B, into a
//! buffer that the product adds before its activation.

use super::build::Builder;
use super::error::PlanError;
use super::step::*;
use crate::models::{Matrix, Pair};

impl Builder<'_> {
    fn pair_of(&self, m: &Matrix) -> Option<Pair> {
        self.adapter.and_then(|a| a.pairs.get(&m.tensor)).cloned()
    }

    /// What the adapter adds to the product of these joined matrices, where it changes any of them.
    pub(super) fn delta(
        &mut self,
        matrices: &[&Matrix],
        input: View,
        norm: Option<NormUse>,
        rows: Rows,
    ) -> Result<Option<View>, PlanError> {
        let pairs: Vec<_> = matrices.iter().map(|m| self.pair_of(m)).collect();
        if pairs.iter().all(Option::is_none) {
            return Ok(None);
        }
        let delta = self.take(matrices.iter().map(|m| m.rows).sum());
        if pairs.iter().any(Option::is_none) {
            self.steps.push(Step::Clear(Clear { x: delta }));
        }
        let mut first = 0;
        for (m, pair) in matrices.iter().zip(pairs) {
            if let Some(pair) = pair {
                let low = self.take(pair.a.rows);
                // All tokens, also for output rows: the second product picks those from these.
                self.product(&pair.a, low, Product { input, norm, ..Product::of(low) })?;
                let out = delta.part(first, m.rows);
                self.product(
                    &pair.b,
                    out,
                    Product { scale: pair.scale, by_factor: true, rows, ..Product::of(low) },
                )?;
                self.free.push(low.buffer);
            }
            first += m.rows;
        }
        Ok(Some(delta))
    }

    /// x += what the adapter adds to the embedded rows.
    pub(super) fn embedded_delta(&mut self, table: &Matrix, scale: f32, x: View) -> Result<(), PlanError> {
        let Some(pair) = self.pair_of(table) else { return Ok(()) };
        let low = self.take(pair.a.cols);
        let table = self.weight(&[&pair.a], false)?;
        self.steps.push(Step::Embed(Embed { table, index: Index::Id, add: false, scale, out: low }));
        let (finish, scale, by_factor) = (Finish::Add, pair.scale, true);
        self.product(&pair.b, x, Product { finish, scale, by_factor, ..Product::of(low) })?;
        self.free.push(low.buffer);
        Ok(())
    }

    /// A product with a matrix that stands alone.
    fn product(&mut self, m: &Matrix, out: View, p: Product) -> Result<(), PlanError> {
        let weight = self.weight(&[m], false)?;
        let Product { input, norm, finish, scale, by_factor, rows } = p;
        let (bias, cap, delta) = (None, 0.0, None);
        self.steps.push(Step::Linear(Linear {
            weight,
            input,
            norm,
            bias,
            cap,
            scale,
            by_factor,
            finish,
            delta,
            out,
            rows,
        }));
        Ok(())
    }
}

/// What a product of an adapter may vary in.
struct Product {
    input: View,
    norm: Option<NormUse>,
    finish: Finish,
    scale: f32,
    by_factor: bool,
    rows: Rows,
}

impl Product {
    fn of(input: View) -> Self {
        Product { input, norm: None, finish: Finish::Store, scale: 1.0, by_factor: false, rows: Rows::Tokens }
    }
}
