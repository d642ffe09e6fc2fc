//! Sentence embeddings, as a model gave them.

use super::page::DigestError;
use std::collections::BTreeMap;

/// Vectors of some of a page's sentences and blocks. Scaled to unit length on the way in.
#[derive(Debug, Clone, Default)]
pub struct Vectors {
    width: usize,
    rows: BTreeMap<usize, Vec<f32>>,
    blocks: BTreeMap<usize, Vec<f32>>,
}

impl Vectors {
    /// Vectors `rows[i]` of the sentences `sentences[i]`; extra entries of the longer list are ignored.
    ///
    /// # Errors
    /// [`DigestError::BadVector`] where widths differ or a value is not finite.
    pub fn new(sentences: &[usize], rows: Vec<Vec<f32>>) -> Result<Self, DigestError> {
        let mut vectors = Self::default();
        for (&sentence, row) in sentences.iter().zip(rows) {
            vectors.insert(sentence, row)?;
        }
        Ok(vectors)
    }

    /// Adds or replaces one sentence's vector.
    ///
    /// # Errors
    /// [`DigestError::BadVector`] where its width is not the others' or a value is not finite.
    pub fn insert(&mut self, sentence: usize, row: Vec<f32>) -> Result<(), DigestError> {
        let row = self.checked(sentence, row)?;
        self.rows.insert(sentence, row);
        Ok(())
    }

    /// Adds or replaces the vector of a block's whole text ([`super::Digest::block_text`]).
    ///
    /// # Errors
    /// [`DigestError::BadVector`] where its width is not the others' or a value is not finite.
    pub fn insert_block(&mut self, block: usize, row: Vec<f32>) -> Result<(), DigestError> {
        let row = self.checked(block, row)?;
        self.blocks.insert(block, row);
        Ok(())
    }

    /// Whole blocks that have a vector.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The vector of a sentence.
    #[must_use]
    pub fn get(&self, sentence: usize) -> Option<&[f32]> {
        self.rows.get(&sentence).map(Vec::as_slice)
    }

    /// The vector of a block's whole text.
    #[must_use]
    pub fn block(&self, block: usize) -> Option<&[f32]> {
        self.blocks.get(&block).map(Vec::as_slice)
    }

    /// How many sentences have one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn checked(&mut self, index: usize, mut row: Vec<f32>) -> Result<Vec<f32>, DigestError> {
        if self.width == 0 {
            self.width = row.len();
        }
        if row.len() != self.width || row.is_empty() || row.iter().any(|value| !value.is_finite()) {
            return Err(DigestError::BadVector { index, width: row.len(), expected: self.width });
        }
        normalise(&mut row);
        Ok(row)
    }
}

/// A question's vector, and those of sentences.
#[derive(Debug, Clone, Copy)]
pub struct QueryVectors<'a> {
    /// Of the question.
    pub question: &'a [f32],
    /// Of sentences and blocks, as many as there are.
    pub sentences: &'a Vectors,
    /// How close a sentence must be where a page of a hundred sentences answers: [`super::answered_cosine`] of the model.
    pub answered_cosine: f32,
}

pub(crate) fn normalise(row: &mut [f32]) {
    let norm = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        row.iter_mut().for_each(|value| *value /= norm);
    }
}

pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Values as distances from their mean in standard deviations; zeros where all are equal.
pub(crate) fn z_scores(values: &[f32]) -> Vec<f32> {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count).sqrt();
    if deviation < 1e-6 {
        return vec![0.0; values.len()];
    }
    values.iter().map(|value| (value - mean) / deviation).collect()
}

/// z-scores for a summary, bounded so that on a long page one outlier does not decide alone: its very first sentence, the only one
/// with the title's words, the only one that is worded unlike the rest. Being unlike the rest weighs less than being like it: a lead
/// often is. The best passages for a question are such outliers, so that their ranking is not bounded.
pub(crate) fn bounded_z_scores(values: &[f32]) -> Vec<f32> {
    const Z_MIN: f32 = -2.0;
    const Z_MAX: f32 = 4.0;
    z_scores(values).into_iter().map(|z| z.clamp(Z_MIN, Z_MAX)).collect()
}
