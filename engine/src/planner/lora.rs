//! What an adapter adds to the steps of a model: for every product that it changes two small ones, A and then B, into a
//! buffer that the product adds before its activation.

use super::builder::Builder;
use super::error::PlanError;
use crate::kernels::{ClearRows, EmbedRows, Linear, Step};
use crate::models::Pair;
use crate::plan::{Epilogue, Index, Matrix, NormUse, Rows, View};

impl Builder<'_> {
    fn pair_of(&self, m: &Matrix) -> Option<Pair> {
        self.lora.and_then(|a| a.pairs.get(&m.tensor)).cloned()
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
            self.steps.push(Step::ClearRows(ClearRows { x: delta }));
        }
        let mut first = 0;
        for (m, pair) in matrices.iter().zip(pairs) {
            if let Some(pair) = pair {
                let low = self.take(pair.a.rows);
                // All tokens, also for output rows: the second product picks those from these.
                let a = self.weight(&[&pair.a], false)?;
                self.steps.push(Step::Linear(Linear { norm, ..Linear::new(a, input, low) }));
                let (b, out, scale) =
                    (self.weight(&[&pair.b], false)?, delta.part(first, m.rows), pair.scale);
                let product = Linear { scale, by_factor: true, rows, ..Linear::new(b, low, out) };
                self.steps.push(Step::Linear(product));
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
        self.steps.push(Step::EmbedRows(EmbedRows { table, index: Index::Id, add: false, scale, out: low }));
        let (b, epilogue, scale) = (self.weight(&[&pair.b], false)?, Epilogue::Add, pair.scale);
        self.steps.push(Step::Linear(Linear { epilogue, scale, by_factor: true, ..Linear::new(b, low, x) }));
        self.free.push(low.buffer);
        Ok(())
    }
}
