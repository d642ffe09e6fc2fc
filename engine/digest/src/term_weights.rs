//! What the terms of a question weigh on a page, or on each of several pages that are read as one.

use super::Digest;
use super::asked::{Asked, Meant};
use super::page::DigestError;
use super::slices::Slices;
use std::collections::HashMap;
use std::ops::Range;

/// A word of the page's title counts as this much of another one where it is judged how much of a question a sentence has.
const TITLE_SHARE: f32 = 0.3;

/// Of each term of a question.
pub(super) struct TermWeights {
    /// Inverse document frequency, as in BM25.
    pub(super) rarity: Vec<f32>,
    /// How common it is, 0 to 1.
    pub(super) commonness: Vec<f32>,
    /// Its share of the question; the sum is 1.
    pub(super) shares: Vec<f32>,
    /// The share of the terms that no sentence has.
    pub(super) unknown: f32,
    /// Terms of a sentence, on average.
    pub(super) mean_length: f32,
}

impl Digest {
    /// The sentences of each page that is read.
    pub(super) fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.starts.iter().skip(1).copied().chain([self.sentences.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| start..end)
    }

    /// What the terms weigh in a part.
    pub(super) async fn term_weights<T: AsyncFn() -> bool>(
        &self,
        asked: &Asked,
        matching: &HashMap<u32, Vec<Meant>>,
        (part, kind): (&Range<usize>, &[Option<bool>]),
        slices: &mut Slices<'_, T>,
    ) -> Result<TermWeights, DigestError> {
        let terms = asked.terms;
        let kind_term = asked.kind_term();
        let mut with = vec![0u32; terms];
        let mut has = vec![false; terms];
        for at in part.clone() {
            has.fill(false);
            let speaker = self.speakers.of(self.sentences[at].block);
            // A name that stands before what somebody says is as common as their sentences.
            let said_by = speaker.map_or(&[][..], |person| &self.speakers.people()[person].counts);
            for (id, _) in self.terms.counts[at].iter().chain(said_by) {
                for (term, _) in matching.get(id).into_iter().flatten() {
                    has[*term] = true;
                }
            }
            if let Some(term) = kind_term {
                has[term] = kind[at] == Some(true);
            }
            with.iter_mut().zip(&has).for_each(|(count, has)| *count += u32::from(*has));
            slices.charge((self.terms.counts[at].len() + terms) / 4 + 1).await?;
        }
        let total = part.len() as f32;
        let mut rarity: Vec<f32> =
            with.iter().map(|&df| (1.0 + (total - df as f32 + 0.5) / (df as f32 + 0.5)).ln()).collect();
        if let (Some(term), Some(wanted)) = (kind_term, asked.wanted) {
            rarity[term] *= wanted.weight();
        }
        // What the page is about anyway says little of a sentence; a kind of answer is judged by itself.
        let mut shares: Vec<f32> = (0..terms)
            .map(|term| match () {
                () if kind_term == Some(term) => f32::from(u8::from(terms == 1)),
                () if asked.in_title[term] => TITLE_SHARE * rarity[term],
                () => rarity[term],
            })
            .collect();
        let sum = shares.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        shares.iter_mut().for_each(|share| *share /= sum);
        let lengths = self.terms.lengths[part.clone()].iter().sum::<f32>();
        Ok(TermWeights {
            rarity,
            commonness: with.iter().map(|&df| (1.0 + df as f32).ln() / (1.0 + total).ln()).collect(),
            unknown: (0..terms).filter(|&term| with[term] == 0).map(|term| shares[term]).sum(),
            shares,
            mean_length: (lengths / total.max(1.0)).max(1.0),
        })
    }
}
